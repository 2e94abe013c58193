"""Contradictions in a chart: to whoever reads it, it says two things, or another than its marks.

Numbers or days along an axis that are not those of its places, percentages on wedges of other
shares, the same names in two plots with other values, names in letters too small to be read beside
the same in larger ones, and a named series beside a nameless one of other values: there the reader
goes by the name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from runner.checks.charts.figure_note import Axes, Axis, Bars, Line, Note, Text, Wedge
from runner.checks.charts.mark_places import DAY, day_of, is_upright, on_day
from runner.checks.values import number, plain

UNITS = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12, "千": 1e3, "万": 1e4, "百万": 1e6, "亿": 1e8}
WORD = re.compile(r"[$€£¥￥]?\s?([-−+]?[\d.,]+)\s?(%|百万|[kmbt千万亿])?(?:n|bn)?", re.IGNORECASE)
FACTORS = [10.0**k for k in range(-12, 13)] + [60.0, 1 / 60, 3600.0, 1 / 3600, 1 / 86400, 1 / 1440]
FACTORS += [2.0**k for k in (-30, -20, -10, 10)] + [180 / math.pi, 1 / math.pi]
NAME = re.compile(r"[^\W\d_]|\d{2}")
OFF = 0.02  # of a place's number, which a tick's may lie beside it
OFFSET = 100  # times its length, from which an axis may leave out what all its numbers share
FEWEST_TICKS = 2
ROOM_DAYS = (366, 62, 31)  # beside a year, a month, a day that a tick says
LONGEST_DAYS = (366, 31, 1)
SHORTEST_DAYS = 2  # of an axis: on a shorter one “2030” is a time
MOST_OTHER = 0.5  # of the days said
SHARE = re.compile(r"\(?([\d.,]+)\s?%\)?(?:\s*\(?[\d.,]+\)?)?")  # “12.5%”, “12.5% (31)”
OFF_SHARE = 0.025  # beside a wedge's share, of a written one
FAR_SHARE, FAR_DEGREES = 0.05, 5.0  # of one that stands at a wedge of quite another share
FEWEST_AMONG_WORDS, MOST_WORDS = 3, 0.34  # numbers of an axis, and the share of its words
SMALL_PX, LARGE_PX, LEAST_LARGER = 5.5, 7.0, 1.5  # letters that cannot be read, and those that can
FEWEST_NAMES, LEAST_REPEATED = 2, 0.6  # of names in small letters
LEAST_OTHER = 0.02  # of the largest value, from which two are not the same
FEWEST_PLACES = 8  # of a series over time
FAR_APART = 0.15  # of a series' range, the median
LEVEL = 0.05  # of its range, within which a line is straight or follows another


def fault_of(note: Note) -> str:
    """The contradiction that a chart shows, as the end of a sentence; "" without one."""
    plots = [axes for axes in note.axes if axes.has_data and not axes.is_colorbar]
    for axes in plots:
        if fault := misnumbered(axes) or misdated(axes) or misshared(axes):
            return fault
    if names := names_in_small_print(note):
        return f"has “{names[0]}” in letters too small to be read, and again in larger ones"
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
        words = len(pairs) - len(known)
        fewest = FEWEST_AMONG_WORDS if words else FEWEST_TICKS
        if len(known) < fewest or words > MOST_WORDS * len(pairs) or "Date" in axis.units:
            continue
        if not are_its_numbers(known):
            place, (said, _) = known[-1]
            return f"writes {said:.6g} along an axis where {place:.6g} lies"
    return ""


def axes_of_values(axes: Axes) -> list[Axis]:
    """The axes of a plot along which its marks are measured, not named."""
    if axes.kind == "polar":  # its angles have names, its rings have numbers
        return [] if is_counted(axes.y) else [axes.y]
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
    known = [(place, n) for place, word in pairs if (n := number(word)) is not None]
    if len(known) <= len(pairs) / 2 or pairs[0][0] not in (0, 1):
        return False
    places, said = zip(*known, strict=True)
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


def misdated(axes: Axes) -> str:
    """Days said at the ticks of a plot's axes of dates that are not theirs, as the end of a
    sentence; "" where most are."""
    for axis in (axes.x, axes.y):
        if "Date" not in axis.units:
            continue
        pairs = [
            (place, word)
            for place, word in zip(axis.ticks, axis.words, strict=True)
            if math.isfinite(place) and day_of(word)
        ]
        places = [place for place, _ in pairs]
        if not pairs or max(places) - min(places) < SHORTEST_DAYS:
            continue
        other = [pair for pair in pairs if not is_its_day(*pair)]
        if len(pairs) >= FEWEST_TICKS and len(other) > MOST_OTHER * len(pairs):
            place, word = other[0]
            return f"writes {plain(word)} along an axis where {on_day(place)} lies"
    return ""


def is_its_day(place: float, word: str) -> bool:
    """True if a tick lies in the year, month or day that it says, or near it."""
    said, lies = day_of(word), on_day(place)
    if said is None or lies is None:
        return True
    match = DAY.match(plain(word))
    parts = sum(bool(part) for part in match.groups()) if match else 1
    room, longest = ROOM_DAYS[parts - 1], LONGEST_DAYS[parts - 1]
    return -room <= (lies - said).days <= room + longest


def misshared(axes: Axes) -> str:
    """Percentages at a pie's wedges that are not their shares, as the end of a sentence, or ""."""
    wedges = [wedge for wedge in axes.wedges if wedge.fraction > 0]
    whole = sum(wedge.fraction for wedge in wedges)
    names = {plain(wedge.label) for wedge in wedges}
    texts = [t for t in axes.texts if plain(t.text) not in names and share_of(t) is not None]
    if len(wedges) < FEWEST_TICKS or not 0.9 <= whole <= 1.001 or len(texts) != len(wedges):
        return ""
    written = np.array([share_of(text) for text in texts])
    if not written.sum() > 0:
        return ""
    written = written / written.sum()
    drawn = np.array([wedge.fraction for wedge in wedges]) / whole
    if float(np.abs(np.sort(written) - np.sort(drawn)).max()) > OFF_SHARE:
        return f"writes {written.max():.1%} as its largest share, which is {drawn.max():.1%}"
    for text, share in zip(texts, written, strict=True):
        wedge = wedge_at(wedges, text)
        if wedge is not None and abs(wedge.fraction / whole - share) > FAR_SHARE:
            return f"writes {share:.1%} at a wedge of {wedge.fraction / whole:.1%}"
    return ""


def share_of(text: Text) -> float | None:
    match = SHARE.fullmatch(plain(text.text).strip())
    return number(match[1]) if match else None


def wedge_at(wedges: list[Wedge], text: Text) -> Wedge | None:
    """The wedge at whose angle a text stands, well off its neighbours; None where that is open."""
    middles = np.array([wedge.middle for wedge in wedges if len(wedge.middle) == 2])
    if len(middles) < len(wedges) or not np.isfinite([text.x, text.y, *middles.ravel()]).all():
        return None
    if float(np.abs(middles.mean(axis=0)).max()) > 0.3:  # drawn elsewhere than around the origin
        return None
    angle = math.degrees(math.atan2(text.y, text.x))
    for wedge in wedges:
        inside = (angle - wedge.start) % 360
        if FAR_DEGREES <= inside <= 360 * wedge.fraction - FAR_DEGREES:
            return wedge
    return None


def names_in_small_print(note: Note) -> list[str]:
    """The words of a legend or an axis that are too small to be read, where larger ones elsewhere
    repeat most of them: whoever reads the chart takes these."""
    groups: dict[str, list[str]] = {}
    for group, text, box, _ in note.printed:
        is_name = group.startswith("legend") or " ticks " in group
        if is_name and len(box) > 4 and box[4] < SMALL_PX and NAME.search(text):
            groups.setdefault(group, []).append(plain(text).lower())
    for group, names in groups.items():
        size = max(box[4] for own, _, box, _ in note.printed if own == group and len(box) > 4)
        least = max(LARGE_PX, LEAST_LARGER * size)
        large = "\n".join(
            plain(text).lower()
            for own, text, box, _ in note.printed
            if own != group and " ticks " not in own and len(box) > 4 and box[4] >= least
        )
        repeated = [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", large)]
        if len(repeated) >= max(FEWEST_NAMES, LEAST_REPEATED * len(names)):
            return repeated
    return []


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
