"""Contradictions in a chart: to whoever reads it, it says two things, or another than its marks.

Numbers along an axis that are not those of its places, the same names in two plots with other
values, and a named series beside a nameless one of other values: there the reader goes by the name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from runner.checks.charts.figure_note import Axes, Axis, Bars, Line, Note
from runner.checks.charts.mark_places import is_upright
from runner.checks.values import number, plain

UNITS = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12, "千": 1e3, "万": 1e4, "百万": 1e6, "亿": 1e8}
WORD = re.compile(r"[$€£¥￥]?\s?([-−+]?[\d.,]+)\s?(%|百万|[kmbt千万亿])?(?:n|bn)?", re.IGNORECASE)
FACTORS = [10.0**k for k in range(-12, 13)] + [60.0, 1 / 60, 3600.0, 1 / 3600, 1 / 86400, 1 / 1440]
FACTORS += [2.0**k for k in (-30, -20, -10, 10)] + [180 / math.pi, 1 / math.pi]
OFF = 0.02  # of a place's number, which a tick's may lie beside it
OFFSET = 100  # times its length, from which an axis may leave out what all its numbers share
FEWEST_TICKS = 2
LEAST_OTHER = 0.02  # of the largest value, from which two are not the same
FEWEST_PLACES = 8  # of a series over time
FAR_APART = 0.15  # of a series' range, the median
LEVEL = 0.05  # of its range, within which a line is straight or follows another


def fault_of(note: Note) -> str:
    """The contradiction that a chart shows, as the end of a sentence; "" without one."""
    plots = [axes for axes in note.axes if axes.has_data and not axes.is_colorbar]
    for axes in plots:
        if fault := misnumbered(axes):
            return fault
    for one, other in combinations(plots, 2):
        if not are_told_apart(one, other) and any(look(one, other) for look in TOLD_TWICE):
            return "shows the same names in two plots with different values"
    return ""


def misnumbered(axes: Axes) -> str:
    for axis in axes_of_values(axes):
        pairs = [
            (place, said)
            for place, word in zip(axis.ticks, axis.words, strict=True)
            if word.strip() and math.isfinite(place)
            for said in [amount_of(word)]
        ]
        known = [(place, said) for place, said in pairs if said is not None]
        if len(known) < FEWEST_TICKS or len(known) < len(pairs) or "Date" in axis.units:
            continue
        if not are_its_numbers(known):
            place, (said, _) = known[-1]
            return f"writes {said:.6g} along an axis where {place:.6g} lies"
    return ""


def axes_of_values(axes: Axes) -> list[Axis]:
    """The axes of a plot along which its marks are measured, not named."""
    if axes.kind == "polar":
        return []
    found = []
    lies = any(bars.lies for bars in axes.bars) or (bool(axes.boxes) and not is_upright(axes))
    if lies or (axes.points and not goes_on(axes.x)):
        found.append(axes.x)
    if not lies and (axes.points or axes.lines or axes.bars or axes.boxes):
        found.append(axes.y)
    return [axis for axis in found if not is_counted(axis)]


def is_counted(axis: Axis) -> bool:
    """True if an axis's ticks are 0, 1, 2 …: places of categories, whatever they are called."""
    ticks = [place for place in axis.ticks if math.isfinite(place)]
    steps = np.diff(ticks)
    return bool(ticks) and ticks[0] in (0, 1) and bool(np.all(steps == 1))


def goes_on(axis: Axis) -> bool:
    """True if ticks at 0, 5, 10 … have numbers that go on as these do: 2010, 2015, 2020."""
    pairs = [(p, w) for p, w in zip(axis.ticks, axis.words, strict=True) if math.isfinite(p)]
    said = [n for _, word in pairs if (n := number(word)) is not None]
    places = [place for place, _ in pairs]
    if len(said) < len(pairs) or not pairs or places[0] not in (0, 1):
        return False
    return bool(np.all(np.diff(said) == np.diff(places)))


def amount_of(word: str) -> tuple[float, float] | None:
    """The number that a tick says and half of its last place; None where it says anything else."""
    match = WORD.fullmatch(plain(word).strip().strip("()"))
    found = number(match[1].strip(",")) if match else None
    if match is None or found is None:
        return None
    unit = UNITS.get((match[2] or "").lower(), 1.0)
    places = len(match[1].partition(".")[2])
    return found * unit, 0.5 * 10.0**-places * unit


def are_its_numbers(known: Sequence[tuple[float, tuple[float, float]]]) -> bool:
    """True if ticks say their places: in a unit of their own, without signs, or less an offset."""
    places = np.array([place for place, _ in known])
    said = np.array([amount for _, (amount, _) in known])
    half = np.array([half for _, (_, half) in known]) * 1.02
    for factor in FACTORS:
        scaled = places * factor
        room = np.maximum(half, OFF * np.abs(scaled))
        if (np.abs(said - scaled) <= room).all() or (
            (said >= 0).all() and (np.abs(said - np.abs(scaled)) <= room).all()
        ):
            return True
        offset = scaled - said
        is_offset = np.ptp(offset) <= 2 * half.max() + 1e-9 * np.abs(scaled).max()
        if is_offset and abs(offset.mean()) >= OFFSET * np.ptp(scaled) > 0:
            return True
    return False


def are_told_apart(one: Axes, other: Axes) -> bool:
    """True if two plots have different titles, or different names along an axis."""
    heads = [(one.title, other.title), (one.x.label, other.x.label), (one.y.label, other.y.label)]
    return any(plain(a) and plain(b) and plain(a) != plain(b) for a, b in heads)


def are_pies_at_odds(one: Axes, other: Axes) -> bool:
    shares: list[dict[str, float]] = [
        {plain(wedge.label): wedge.fraction for wedge in axes.wedges} for axes in (one, other)
    ]
    if shares[0].keys() != shares[1].keys() or len(shares[0]) < 2:
        return False
    return any(abs(shares[0][name] - shares[1][name]) > LEAST_OTHER for name in shares[0])


def are_bars_at_odds(one: Axes, other: Axes) -> bool:
    """True if two runs of bars stand for the same words, and not for the same values."""
    named = [lengths_of(axes) for axes in (one, other)]
    if len(named[0]) < 2 or named[0].keys() != named[1].keys():
        return False
    lengths = [np.array([one[name] for name in sorted(one)]) for one in named]
    totals = [float(np.abs(values).sum()) or 1.0 for values in lengths]
    off = np.abs(lengths[0] / totals[0] - lengths[1] / totals[1])
    return bool(off.max() > LEAST_OTHER * np.abs(lengths[0] / totals[0]).max())


def lengths_of(axes: Axes) -> dict[str, float]:
    """{word under a bar: its length}, {} where bars are several to a word or have none."""
    if len(axes.bars) != 1:
        return {}
    [bars] = axes.bars
    axis = axes.y if bars.lies else axes.x
    words = [w for w in axis.words if w.strip()]
    if len(words) != bars.n or any(number(word) is not None for word in words):
        return {}
    pairs = sorted(zip(bars.places, bars.values, strict=False))
    return {plain(word): value for word, (_, value) in zip(words, pairs, strict=False)}


def are_points_at_odds(one: Axes, other: Axes) -> bool:
    """True if two plots of one title, or of the same axes, have as many points at other places."""
    alike = bool(plain(one.title)) and plain(one.title) == plain(other.title)
    alike = alike or all(
        plain(a) and plain(a) == plain(b)
        for a, b in ((one.x.label, other.x.label), (one.y.label, other.y.label))
    )
    first, second = (
        sorted((x, y) for cloud in axes.points for x, y in zip(cloud.x, cloud.y, strict=False))
        for axes in (one, other)
    )
    return alike and len(first) == len(second) >= FEWEST_PLACES and first != second


TOLD_TWICE: tuple[Callable[[Axes, Axes], bool], ...] = (
    are_pies_at_odds,
    are_bars_at_odds,
    are_points_at_odds,
)


def without_nameless(axes: Axes) -> Axes:
    """The plot without those lines and bars that a legend leaves nameless, where it names others
    of quite other values: whoever reads the chart takes these."""
    words = {plain(word) for word in axes.legend}
    if not words:
        return axes
    named = [line for line in axes.lines if plain(line.label) in words]
    titled = [bars for bars in axes.bars if plain(bars.label) in words]
    lines = [n for n in axes.lines if n in named or not any(is_rival(n, one) for one in named)]
    bars = [b for b in axes.bars if b in titled or not any(are_rivals(b, one) for one in titled)]
    return replace(axes, lines=tuple(lines), bars=tuple(bars))


def is_rival(nameless: Line, named: Line) -> bool:
    """True if a line runs along another, over half of it or more, and far from it.

    A level and the nameless line's own trend are no rivals: they say something of it.
    """
    if min(len(nameless.x), len(named.x)) < FEWEST_PLACES or 2 * named.n < nameless.n:
        return False
    x, y, x2, y2 = (
        np.asarray(values, dtype=float) for values in (nameless.x, nameless.y, named.x, named.y)
    )
    if not all(np.isfinite(values).all() for values in (x, y, x2, y2)) or np.ptp(x2) == 0:
        return False
    order = np.argsort(x2, kind="stable")
    inside = (x >= x2.min()) & (x <= x2.max())
    if inside.mean() < 0.5 or np.ptp(y2) <= LEVEL * np.ptp(y):
        return False
    along = np.interp(x[inside], x2[order], y2[order])
    middle = x.mean()
    trend = np.polyval(np.polyfit(x - middle, y, 1), x[inside] - middle)
    span = np.ptp(y) or 1.0
    is_trend = np.abs(along - trend).max() <= LEVEL * span
    return not is_trend and bool(np.median(np.abs(along - y[inside])) > FAR_APART * span)


def are_rivals(nameless: Bars, named: Bars) -> bool:
    """True if as many bars stand for other values at the same places."""
    if nameless.n != named.n or nameless.n < 2 or nameless.lies != named.lies:
        return False
    a, b = (np.asarray(bars.values, dtype=float) for bars in (nameless, named))
    near = np.abs(np.asarray(nameless.places) - np.asarray(named.places)).max() < 1
    return bool(near) and bool(np.abs(a - b).max() > FAR_APART * np.abs(a).max())
