"""Names as they are drawn beside the bars of a noted chart: a note may claim others.

    drawn_names.expect_own(case, "sales.png")

The ink of each tick's word is compared with all the noted names, drawn in the machine's own fonts.
Only what is plain counts: two bars whose words each look like the name of the other one. Words
that stand aslant, or look like none of the names, say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.charts import figures, shown_names
from runner.checks.charts.figure_note import Axes
from runner.checks.charts.figures import Figure
from runner.checks.charts.mark_places import placer
from runner.checks.charts.pixel_colours import commonest
from runner.checks.pictures import lettering

INK_LEVELS = 70  # between letters and ground
ENLARGED_PX = 48  # height of a line of letters, as lettering draws them
LEAST_LETTERS_PX = 6
LETTERS_GAP_PX = 5  # between the letters of a word that is turned
TICK_PX = 4  # along the axis a tick's mark is thinner than a letter, also than a lying “i”
MOST_NAMES = 30
LEAST_LIKENESS = 0.55
MARGIN = 0.12  # by which two exchanged names look better than the noted ones, together


def expect_own(case: Case, name: str, lies: bool = False) -> bool:
    """No two bars in the picture `name` show each other's noted names; `lies` for bars that lie."""
    figure = figures.read(case, name)
    pairs = [pair for axes in figure.panels if (pair := exchanged(figure, axes, lies))]
    found = [f"it shows {pair} in each other's place" for pair in pairs]
    found += [figure.why_none] if figure.is_belied else []
    return case.expect(
        "names drawn at the bars",
        not found,
        "as the chart's note has them",
        found[0] if found else "as noted, or not to be read",
        name,
        f"{name}: {found[0] if found else ''}.",
    )


def exchanged(figure: Figure, axes: Axes, lies: bool) -> str:
    """Two names that the picture shows in each other's place, as “A and B”, else ""."""
    middles = bar_middles(axes, lies)
    if not 2 <= len(middles) <= MOST_NAMES:
        return ""
    axis = axes.y if lies else axes.x
    names = [shown_names.tick_word(axis, place) for place in middles]
    words = [word_ink(figure, axes, middles, n, lies) for n in range(len(middles))]
    alike = np.array([[likeness(ink, name) for name in names] for ink in words])
    for a, b in combinations(range(len(names)), 2):
        crossed, kept = alike[[a, b], [b, a]], alike[[a, b], [a, b]]
        if (
            crossed.min() >= LEAST_LIKENESS
            and (crossed >= kept).all()
            and (crossed - kept).sum() >= MARGIN
        ):
            return f"{names[a]} and {names[b]}"
    return ""


def likeness(inks: Sequence[Any], name: str) -> float:
    """Of the word to the name, read across or upwards: to 1."""
    if not (name and name.isascii()):
        return -1.0
    return max((lettering.resemblance(ink, name) for ink in inks if ink.size), default=-1.0)


def bar_middles(axes: Axes, lies: bool) -> list[float]:
    """Places of the noted bars along the axis of their names, from the left or from above."""
    axis = axes.y if lies else axes.x
    middles = [
        start + size / 2
        for bars in axes.bars
        for start, size in zip(
            *((bars.y, bars.height) if lies else (bars.x, bars.width)), strict=False
        )
    ]
    return sorted(middles, reverse=(axis.low <= axis.high) == lies)


def word_ink(
    figure: Figure, axes: Axes, middles: Sequence[float], n: int, lies: bool
) -> Sequence[Any]:
    """Enlarged masks of the word beside bar `n`, nearest to the axis, as it stands and turned."""
    place = placer(axes)
    if place is None or axes.kind != "rectilinear":
        return ()
    along, across = (axes.y, axes.x) if lies else (axes.x, axes.y)
    low = min(across.low, across.high)
    places = np.asarray(middles, float)
    edge = np.full(len(places), low)
    spots = place(edge, places) if lies else place(places, edge)
    height, width = figure.pixels.shape[:2]
    spots = spots * (width, height)
    if not np.isfinite(spots).all() or along.scale != "linear":
        return ()
    ends = spots[:, 1] if lies else spots[:, 0]
    reach = 0.5 * float(np.min(np.abs(np.diff(ends))))
    first, last = (max(0, round(float(end))) for end in (ends[n] - reach, ends[n] + reach))
    border = round(float(spots[n, 0 if lies else 1]))
    if lies:
        strip = figure.pixels[first:last, : max(0, border - 2)]
        strip = strip[:, ::-1]  # from the axis outwards
    else:
        strip = figure.pixels[border + 3 :, first:last]
    return nearest_word(strip, lies)


def nearest_word(strip: Any, lies: bool) -> Sequence[Any]:
    """The text nearest to the axis, as it stands and turned; a strip begins at the axis."""
    if min(strip.shape[:2], default=0) < LEAST_LETTERS_PX:
        return ()
    off = np.abs(strip.astype(float) - commonest(strip)).max(axis=2)
    if lies:
        off = off.T  # so that the axis is above, and the letters lie
    ink = off > INK_LEVELS
    profile = ink.any(axis=1)
    start = end = 0
    for start, end in lettering.runs(profile, 2):
        if lettering.trimmed(ink[start:end]).shape[1] > TICK_PX:
            break
    else:
        return ()
    letters_px = max((b - a for a, b in lettering.runs(ink[start:].any(axis=0), 1)), default=0)
    reached = {  # up to the next text, and with the gaps between words
        next(run for run in lettering.runs(profile, gap) if run[1] >= end)[1]
        for gap in (LETTERS_GAP_PX, 2 * letters_px)
    }
    wholes = [off[start:last] for last in sorted(reached)]
    if lies:
        return [enlarged(whole.T[:, ::-1]) for whole in wholes]
    return [enlarged(off[start:end]), *(enlarged(np.rot90(whole, -1)) for whole in wholes)]


def enlarged(off: Any) -> Any:
    """The letters in a box as a mask, some 48 pixels high."""
    ink = off > INK_LEVELS
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows) or rows[-1] - rows[0] < LEAST_LETTERS_PX:
        return np.zeros((0, 0), bool)
    box = off[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = ENLARGED_PX / box.shape[0]
    big = cv2.resize(
        box.astype(np.float32), None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC
    )
    return big > 0.5 * float(box.max())
