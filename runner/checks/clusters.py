"""Judging drawn clusters: groups of points that lie apart, clustered heat maps, dendrograms.

How an agent prepares its data is its own affair, so the drawn places are compared with columns and
principal components of the data up to shift, scale and sign, and without regard to order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runner.checks.case import Case
from runner.checks.notes import Axes
from runner.checks.values import plain

if TYPE_CHECKING:
    from runner.checks.figures import Figure

MOST_ROWS_ASKED = 300  # of a large table a part may be drawn
LEAST_DRAWN = 0.7  # of a small one, rows with blanks left out
LEAST_APART = 0.3  # of a direction's variance lies between the groups
ROOM = 0.2  # root mean square, in deviations, between drawn and computed places
METHODS = ("pca", "principal", "pc1", "component", "主成分", "t-sne", "tsne", "umap", "mds", "svd")


def expect_clusters(case: Case, figure: Figure, matrix: Any, names: Sequence[str]) -> bool:
    """The rows of `matrix` (numbers, NaN where blank), called `names`, are drawn in clusters."""
    rows = len(matrix)
    least = min(LEAST_DRAWN * rows, MOST_ROWS_ASKED)
    axes = figure.note.axes if figure.note else ()
    ways = {
        "points": any(has_groups(one, figure, matrix, least) for one in axes),
        "heat map": any(has_heat_map(one, matrix, least) for one in axes),
        "dendrogram": any(has_leaves(one, names, least) for one in axes),
    }
    found = [way for way, good in ways.items() if good]
    return case.expect(
        "clusters drawn",
        found,
        "groups of points, a clustered heat map or a dendrogram of the rows",
        ", ".join(found) or "none",
        figure.file,
        f"{figure.file} draws no clusters of the table's {rows} rows.",
    )


def groups_of(axes: Axes) -> tuple[int, Any, Any]:
    """How many points a plot has; their places, and the group of each by series or colour.

    Of many colours in one series the first are noted: then only those points are given back.
    """
    places: list[tuple[float, float]] = []
    groups: list[str] = []
    for number, points in enumerate(axes.points):
        several = len(set(points.colours)) > 1
        marks: Sequence[object] = [""] * len(points.x)
        if len(points.values) == len(points.x):
            marks = points.values
        elif several:
            marks = points.colours[: len(points.x)]
        places += list(zip(points.x, points.y, strict=True))[: len(marks)]
        groups += [f"{number} {mark}" for mark in marks]
    for number, line in enumerate(axes.lines):
        if line.style in ("None", "", " "):
            places += list(zip(line.x, line.y, strict=True))
            groups += [f"line {number}"] * len(line.x)
    total = sum(p.n for p in axes.points)
    total += sum(one.n for one in axes.lines if one.style in ("None", "", " "))
    return total, np.array(places, dtype=float).reshape(-1, 2), np.array(groups)


def has_groups(axes: Axes, figure: Figure, matrix: Any, least: float) -> bool:
    """Enough points in two groups or more that lie apart, at places that come of the data."""
    total, places, groups = groups_of(axes)
    kinds = [kind for kind in set(groups.tolist()) if (groups == kind).sum() > 1]
    if total < least or not 2 <= len(kinds) <= 40:
        return False
    apart = max(between_share(places[:, side], groups) for side in (0, 1))
    if apart < LEAST_APART:
        return False
    told = any(word in figure.text for word in METHODS)
    return told or any(is_of_data(places[:, side], matrix) for side in (0, 1))


def between_share(values: Any, groups: Any) -> float:
    """How much of the variance lies between the groups' means, from 0 to 1."""
    total = float(((values - values.mean()) ** 2).sum())
    if not total > 0:
        return 0.0
    parts = [values[groups == kind] for kind in set(groups.tolist())]
    return float(sum(len(p) * (p.mean() - values.mean()) ** 2 for p in parts)) / total


def is_of_data(drawn: Any, matrix: Any) -> bool:
    """Whether drawn places are a column or a principal component, up to shift, scale and sign."""
    shown = standard(np.sort(drawn))
    for values in candidates(matrix):
        for one in (values, -values):
            wanted = standard(np.sort(one[np.isfinite(one)]))
            if len(wanted) < 3 or np.std(wanted) == 0:
                continue
            at = np.linspace(0, len(wanted) - 1, len(shown))
            resampled = np.interp(at, np.arange(len(wanted)), wanted)
            if float(np.sqrt(np.mean((resampled - shown) ** 2))) <= ROOM / 2:
                return True
    return False


def candidates(matrix: Any) -> list[Any]:
    """The columns, and the first components of the plain and of the standardised table."""
    found = [matrix[:, place] for place in range(matrix.shape[1])]
    filled = np.where(np.isfinite(matrix), matrix, np.nanmean(matrix, axis=0))
    centred = filled - filled.mean(axis=0)
    for table in (centred, centred / np.where(filled.std(axis=0) > 0, filled.std(axis=0), 1)):
        _, _, directions = np.linalg.svd(table, full_matrices=False)
        found += [table @ direction for direction in directions[:2]]
    return found


def standard(values: Any) -> Any:
    deviation = float(np.std(values))
    return (values - np.mean(values)) / (deviation or 1.0)


def has_heat_map(axes: Axes, matrix: Any, least: float) -> bool:
    """A heat map with the rows on one side, of the table's own numbers or its scaled ones."""
    for grid in axes.grids:
        if len(grid.shape) < 2 or max(grid.shape[:2]) < least or min(grid.shape[:2]) < 2:
            continue
        shown = np.asarray(grid.values, dtype=float)
        shown = shown[np.isfinite(shown)]
        low, high = np.nanmin(matrix, axis=0), np.nanmax(matrix, axis=0)
        scales = (
            matrix,
            (matrix - np.nanmean(matrix, axis=0)) / np.maximum(np.nanstd(matrix, axis=0), 1e-9),
            (matrix - low) / np.maximum(high - low, 1e-9),
        )
        for table in scales:
            wanted = np.sort(table[np.isfinite(table)])
            if not len(shown):
                return False
            near = np.clip(np.searchsorted(wanted, shown), 1, len(wanted) - 1)
            gaps = np.minimum(np.abs(wanted[near] - shown), np.abs(wanted[near - 1] - shown))
            if float(np.mean(gaps <= 0.02 * (np.std(wanted) or 1.0))) > 0.9:
                return True
    return False


def has_leaves(axes: Axes, names: Sequence[str], least: float) -> bool:
    """A tree whose leaves are called after the rows, or counted."""
    if axes.bars or axes.points or axes.grids:
        return False
    known = {plain(name).lower() for name in names} | {str(n) for n in range(len(names))}
    return any(
        len({plain(word).lower() for word in axis.words} & known) >= least and len(axis.words) >= 10
        for axis in (axes.x, axes.y)
    )
