"""Measurements of a figure's marks: histograms, lines, points, heat maps and boxes.

Each measure looks at every plot of a figure and is content with one that shows what is expected;
otherwise its sentence tells how the first one differs. Series with names on their axis are
compared by runner.checks.charts.series.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from runner.checks.case import Case
from runner.checks.charts.figure_note import Axes, Bars
from runner.checks.charts.figures import Figure, fold
from runner.checks.charts.series import named_factors

Cloud = tuple[int, Sequence[float], Sequence[float]]  # number of points, x, y


def compare_histogram(bars: Bars, data: Any, bins: int | None, tolerance: float) -> str:
    starts, sizes = (bars.y, bars.height) if bars.lies else (bars.x, bars.width)
    rows = sorted(zip(starts, sizes, bars.values, strict=True))
    if len(rows) < 2 or (bins is not None and len(rows) != bins):
        return f"shows {len(rows)} bars, expected {bins or 'several'}"
    edges = edges_of(np.array([start for start, _, _ in rows]), np.array([row[1] for row in rows]))
    return min((compare_counts(rows, one, data, tolerance) for one in edges), key=len)


def edges_of(starts: Any, widths: Any) -> list[Any]:
    """Edges of the bins: of bars that touch each other, of narrow ones in the middle, or of those
    of several groups in each bin, as matplotlib and seaborn draw them."""
    steps = np.diff(starts)
    touching = np.append(starts, starts[-1] + widths[-1])
    step, width = float(np.median(steps)), float(np.median(widths))
    is_even = step > 0 and float(np.ptp(steps)) <= 0.01 * step
    if not is_even or not 0.05 * step < width < 0.99 * step:
        return [touching]
    groups = max(1, round(0.8 * step / width))
    places = {(1 - width / step) / 2, *(0.1 + 0.8 * n / groups for n in range(groups))}
    places |= {n * width / step for n in range(round(step / width))}
    return [np.append(starts, starts[-1] + step) - place * step for place in sorted(places)]


def compare_counts(
    rows: Sequence[tuple[float, float, float]], edges: Any, data: Any, tolerance: float
) -> str:
    """In what the lengths differ from the counts between the edges; "" when they do not."""
    if not np.all(np.isfinite(edges)) or np.any(np.diff(edges) <= 0):
        return "shows bars that do not stand side by side"
    inside = (data >= edges[0] - 1e-9) & (data <= edges[-1] + 1e-9)
    if not inside.mean() > 0.9:
        return f"shows bars from {edges[0]:.6g} to {edges[-1]:.6g}, where few of the values lie"
    lengths = np.array([length for _, _, length in rows])
    counts = np.histogram(data, edges)[0].astype(float)
    for wanted in (counts, counts / np.diff(edges)):
        factor = lengths.sum() / wanted.sum() if wanted.sum() else 0
        if factor > 0 and np.abs(lengths - wanted * factor).max() <= tolerance * lengths.max():
            return ""
    place = int(np.argmax(np.abs(lengths / lengths.sum() - counts / counts.sum())))
    return (
        f"shows {lengths[place]:.6g} from {edges[place]:.6g} to {edges[place + 1]:.6g}, "
        f"where {counts[place]:.0f} values lie"
    )


def expect_line(
    case: Case,
    figure: Figure,
    values: Sequence[float],
    tolerance: float = 0.01,
    name: str = "line",
    places: Sequence[float] | None = None,
) -> bool:
    """Some line goes through `values` in order (and stands at `places`, when given).

    `tolerance` is a share of their range. A long line was noted at evenly spaced places only, and
    is compared there. Values may be in a unit that the words of the line's plot name.
    """
    wanted = np.asarray(values, dtype=float)
    slack = tolerance * (float(np.ptp(wanted)) or abs(float(wanted[0])) or 1.0)
    reasons = []
    for axes, line in ((plot, one) for plot in figure.panels for one in plot.lines):
        if line.n != len(wanted):
            reasons.append(f"shows a line through {line.n} values, expected {len(wanted)}")
            continue
        order = np.linspace(0, len(wanted) - 1, len(line.y)).astype(int)
        factors = named_factors(fold(f"{axes.y.label} {axes.title}"))
        off = min((np.abs(np.asarray(line.y) / f - wanted[order]) for f in factors), key=np.max)
        reason = "" if np.all(off <= slack) else first_off(line.y, wanted[order], off, slack)
        if not reason and places is not None:
            at = np.asarray(places, dtype=float)[order]
            beside = np.abs(np.asarray(line.x) - at)
            reason = "" if np.all(beside <= 1e-6 * (1 + np.abs(at))) else "stands at other places"
        reasons.append(reason)
    best = "" if "" in reasons else (reasons or ["shows no line"])[0]
    return case.expect(
        name,
        not best,
        f"{len(wanted)} values",
        best or "as expected",
        figure.file,
        f"{figure.file} {best}.",
    )


def first_off(found: Sequence[float], wanted: Any, off: Any, slack: float) -> str:
    place = int(np.argmax(~(off <= slack)))
    return f"shows {found[place]:.6g} as value no. {place + 1}, expected {wanted[place]:.6g}"


def expect_points(
    case: Case,
    figure: Figure,
    x: Sequence[float],
    y: Sequence[float],
    name: str = "points",
    tolerance: float = 1e-6,
    x_words: Sequence[str] = (),
    y_words: Sequence[str] = (),
) -> bool:
    """Some plot, or all together, has a point for each pair and no others, in whatever colours.

    Where words are given, an axis with a name is called by one of them, not by the other's.

    Points are those of scatter plots and of lines drawn as markers alone; `tolerance` is a share
    of each range. Of many points evenly spaced ones were noted: each must be one of the pairs.
    """
    pairs = np.column_stack([np.asarray(x, dtype=float), np.asarray(y, dtype=float)])
    pairs = pairs[np.isfinite(pairs).all(axis=1)]
    slack = tolerance * (np.ptp(pairs, axis=0) + 1e-12)
    known = {tuple(row) for row in np.round(pairs / slack).astype(np.int64).tolist()}
    dotted = [(axes, found) for axes in figure.panels if (found := clouds_of(axes))]
    reasons = []
    for many in [[one] for one in dotted] + ([dotted] if len(dotted) > 1 else []):
        shown = sum(n for _, clouds in many for n, _, _ in clouds)
        strange = strange_point(many, slack, known)
        if shown < len(pairs) or shown > len(x):
            reasons.append(f"shows {shown} points, expected {len(pairs)}")
        elif strange:
            reasons.append(f"shows a point at {strange[0]:.6g}, {strange[1]:.6g}")
        else:
            reasons.append(misnamed_axis([axes for axes, _ in many], x_words, y_words))
    best = "" if "" in reasons else (reasons or ["shows no points"])[0]
    return case.expect(
        name,
        not best,
        f"{len(pairs)} points",
        best or "as expected",
        figure.file,
        f"{figure.file} {best}.",
    )


def strange_point(
    many: Sequence[tuple[Axes, Sequence[Cloud]]], slack: Any, known: set[tuple[int, int]]
) -> Sequence[float]:
    """The first drawn point that is not known, in the units that fit best; () if all are."""
    clouds = [cloud for _, found in many for cloud in found]
    drawn = np.column_stack([np.concatenate([np.asarray(c[i]) for c in clouds]) for i in (1, 2)])
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    first = many[0][0]
    units = product(*(named_factors(fold(axis.label)) for axis in (first.x, first.y)))
    strange: list[list[list[float]]] = [
        [row for row in (drawn / factors).tolist() if not is_known(row, slack, known)]
        for factors in units
    ]
    return [*min(strange, key=len), ()][0]


def misnamed_axis(plots: Sequence[Axes], x_words: Sequence[str], y_words: Sequence[str]) -> str:
    """Why an axis with a name is called by the other's, as the end of a sentence; else ""."""
    for axes in plots:
        for side, axis, own, other in (
            ("lower", axes.x, x_words, y_words),
            ("upright", axes.y, y_words, x_words),
        ):
            if own and axis.label.strip() and not is_called(axis.label, own, other):
                return f"calls its {side} axis “{axis.label}”"
    return ""


def clouds_of(axes: Axes) -> list[Cloud]:
    """(number, x, y) of a plot's clouds of points, and of its lines without a stroke."""
    found: list[Cloud] = [(points.n, points.x, points.y) for points in axes.points]
    return found + [(n.n, n.x, n.y) for n in axes.lines if n.style in ("None", "", " ")]


def stands(axes: Axes) -> bool:
    """True if a plot's boxes stand: their values lie within the limits of its vertical axis."""
    low, high = sorted((axes.y.low, axes.y.high))
    return all(low <= box.median <= high for box in axes.boxes)


def is_called(label: str, own: Sequence[str], other: Sequence[str]) -> bool:
    """True if a label has one of its own words, and none of the other's."""
    said = fold(label)
    return any(word in said for word in own) and not any(
        word in said for word in other if not any(word in mine for mine in own)
    )


def is_known(row: Sequence[float], slack: Any, known: set[tuple[int, int]]) -> bool:
    near = [round(value / size) for value, size in zip(row, slack.tolist(), strict=True)]
    return any((near[0] + i, near[1] + j) in known for i in (-1, 0, 1) for j in (-1, 0, 1))
