"""Keeps of a note those marks that the picture shows: pixels prove, a note only hints.

Places of every noted mark are looked at in the picture (runner.checks.charts.mark_places): they
must be in the mark's colour, and the rest of the plot must not. What is not seen (noise, a blank
picture, marks without width, room or contrast, marks behind others) is dropped from the note. A
picture that was cropped when it was saved is first laid over the figure by its colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import cv2
import numpy as np

from runner.checks.charts import note_areas
from runner.checks.charts.figure_note import Axes, Bars, Note, Points
from runner.checks.charts.mark_places import Mark, marks_of, placers
from runner.checks.charts.pixel_colours import MarkColours, within

LEAST_SEEN = 0.75  # of a mark's places that no other mark lies over
LEAST_OWN = 0.12  # of all its places
LEAST_COVERED = 0.85  # of the places of a mark that is under others
MOST_ELSEWHERE = 0.4  # of the ground's places that show a mark's colour
LEAST_SCALE, MOST_SCALE = 0.6, 2.2  # of the figure against a picture that was cropped
GOOD_FIT = 0.85
MOST_GONE = 0.2  # of a run of bars: with more, none of it is believed
MOST_MARKS = 400
MOST_TRIED = 400  # plots laid over a picture that was cropped
BEYOND = 0.015  # of the figure, from a bar's end
FEWEST_ENDS = 4  # of bars, for what lies beyond them to be looked at
MOST_GOING_ON = 0.3  # of them in the bar's colour
CONTROLS = 40  # along each side of a plot


@dataclass(frozen=True)
class Laid:
    """The picture's pixels for shares of the figure: scale and shift in each direction."""

    scale: tuple[float, float]
    shift: tuple[float, float] = (0.0, 0.0)

    def pixels(self, places: Any) -> Any:
        return places * np.array(self.scale) + np.array(self.shift)


def seen(note: Note, pixels: Any) -> tuple[Note, Laid]:
    """The note without the marks that the picture does not show, and how it lies on the figure."""
    height, width = pixels.shape[:2]
    plain = Laid((float(width), float(height)))
    laid = plain
    chosen = [chosen_marks(axes, pixels, plain) for axes in note.axes]
    fit = fit_of(pixels, note.axes, chosen, plain)
    if fit < GOOD_FIT and any(chosen):
        way = 0
        for number, marks, other in cropped_ways(pixels, note.axes, chosen):
            if number > way and fit >= GOOD_FIT:
                break
            way = number
            refitted = fit_of(pixels, note.axes, marks, other)
            if refitted > fit + 0.05:
                fit, laid, chosen = refitted, other, marks
        if laid is not plain:
            laid = refined(pixels, note.axes, chosen, laid)
    axes = [note_areas.seen(seen_axes(pixels, one, laid), pixels, laid.pixels) for one in note.axes]
    return replace(note, axes=tuple(axes)), laid


def chosen_marks(axes: Axes, pixels: Any, laid: Laid) -> list[Mark]:
    """The plot's marks, by the way of placing them that fits best."""
    ways = [list(marks_of(axes, place))[:MOST_MARKS] for place in placers(axes)]
    if len(ways) < 2:
        return ways[0] if ways else []
    return max(ways, key=lambda marks: fit_of(pixels, [axes], [marks], laid))


def cropped_ways(
    pixels: Any, axes: Sequence[Axes], chosen: list[list[Mark]]
) -> Iterator[tuple[int, list[list[Mark]], Laid]]:
    """The marks, those of polar plots turned in each way, with what a crop may have made of the
    figure; as many as are worth their time, each with the number of its way."""
    tried = 0
    boxes: dict[tuple[str, str], list[tuple[float, float, float, float]]] = {}
    ways = [chosen, *turned(axes, chosen)]
    for number, (marks, together) in enumerate(product(ways, (False, True))):
        for other in other_layings(pixels, axes, marks, boxes, together=together):
            yield number, marks, other
            tried += len(axes)
            if tried >= MOST_TRIED:
                return


def turned(axes: Sequence[Axes], chosen: Sequence[list[Mark]]) -> Iterator[list[list[Mark]]]:
    """The chosen marks with those of polar plots placed in each other way."""
    ways = [list(placers(one)) for one in axes]
    for number in range(max(map(len, ways), default=0) if any(len(w) > 1 for w in ways) else 0):
        yield [
            list(marks_of(one, way[number]))[:MOST_MARKS] if number < len(way) > 1 else marks
            for one, way, marks in zip(axes, ways, chosen, strict=True)
        ]


def fit_of(
    pixels: Any, axes: Sequence[Axes], chosen: Sequence[Sequence[Mark]], laid: Laid
) -> float:
    """Mean share of the marks' places that show their colours."""
    shares = []
    for one, marks in zip(axes, chosen, strict=True):
        palette = MarkColours.of(one, pixels)
        shares += [
            float(
                palette.own(pixels, laid.pixels(mark.places), mark.colour, wide=mark.is_thin).mean()
            )
            for mark in marks[:: max(1, len(marks) // 40)]
            if len(mark.places)
        ]
    return float(np.mean(shares)) if shares else 0.0


def other_layings(
    pixels: Any,
    axes: Sequence[Axes],
    chosen: Sequence[Sequence[Mark]],
    boxes: dict[tuple[str, str], list[tuple[float, float, float, float]]],
    *,
    together: bool,
) -> Iterator[Laid]:
    """Layings by which the extents of a colour's marks are those of that colour in the picture.

    `together`: of all plots' marks, where panels share a colour; else of each plot's own. `boxes`
    keeps the extents by ground and colour: they are the same however the marks lie.
    """
    pairs = [*zip(axes, chosen, strict=True)]
    if together:
        pairs = [(axes[0], [mark for marks in chosen for mark in marks])] if len(pairs) > 1 else []
    for one, marks in pairs:
        palette = MarkColours.of(one, pixels)
        groups = {m.colour: [n for n in marks if n.colour == m.colour] for m in marks if m.colour}
        for colour, own in list(groups.items())[:6]:
            shapes = np.concatenate([m.shape for m in own])
            shapes = shapes[np.isfinite(shapes).all(axis=1)]
            if len(shapes) < 2:
                continue
            low, high = shapes.min(axis=0), shapes.max(axis=0)
            if (one.face, colour) not in boxes:
                boxes[one.face, colour] = palette.boxes_of(pixels, colour)
            for box in boxes[one.face, colour]:
                yield from laying(low, high, box, pixels)


def laying(low: Any, high: Any, box: tuple[float, float, float, float], pixels: Any) -> list[Laid]:
    left, top, right, bottom = box
    if min(high - low) < 1e-3:
        return []
    across, down = (right - left) / (high[0] - low[0]), (bottom - top) / (high[1] - low[1])
    sizes = across / pixels.shape[1], down / pixels.shape[0]
    if not all(LEAST_SCALE <= size <= MOST_SCALE for size in sizes):
        return []
    return [Laid((across, down), (left - low[0] * across, top - low[1] * down))]


def refined(
    pixels: Any, axes: Sequence[Axes], chosen: Sequence[Sequence[Mark]], laid: Laid
) -> Laid:
    """The laying moved by pixels as long as it fits better."""
    best = fit_of(pixels, axes, chosen, laid)
    for step in (4.0, 2.0, 1.0):
        for side in (0, 1):
            half = step / 2
            moves = ((0, step), (0, -step), (step, 0), (-step, 0), (step, -half), (-step, half))
            for scale, shift in moves:
                scales, shifts = list(laid.scale), list(laid.shift)
                scales[side] += scale
                shifts[side] += shift
                other = Laid((scales[0], scales[1]), (shifts[0], shifts[1]))
                fit = fit_of(pixels, axes, chosen, other)
                if fit > best:
                    best, laid = fit, other
    return laid


def seen_axes(pixels: Any, axes: Axes, laid: Laid) -> Axes:
    marks = chosen_marks(axes, pixels, laid)
    palette = MarkColours.of(axes, pixels)
    ground = controls(axes, marks, pixels, laid)
    shown = {
        (mark.kind, mark.group, mark.number)
        for mark in marks
        if is_seen(pixels, mark, palette, ground, laid)
        or is_under_others(pixels, mark, marks, palette, laid)
    }
    shown -= run_on(axes, marks, pixels, palette, laid)
    by_kind = {kind: {g for k, g, _ in shown if k == kind} for kind in ("lines", "areas", "boxes")}
    return replace(
        axes,
        lines=tuple(v for n, v in enumerate(axes.lines) if n in by_kind["lines"]),
        areas=tuple(v for n, v in enumerate(axes.areas) if n in by_kind["areas"]),
        boxes=tuple(v for n, v in enumerate(axes.boxes) if n in by_kind["boxes"]),
        bars=tuple(
            kept
            for n, bars in enumerate(axes.bars)
            if (kept := kept_bars(bars, n, marks, shown)) is not None
        ),
        points=tuple(v for n, v in enumerate(axes.points) if is_cloud_seen(v, n, marks, shown)),
    )


def run_on(
    axes: Axes, marks: Sequence[Mark], pixels: Any, palette: MarkColours, laid: Laid
) -> set[tuple[str, int, int]]:
    """The bars of runs whose colour goes on beyond the ends of most: larger areas, not bars."""
    covered = np.zeros(pixels.shape[:2], np.uint8)
    bars = [mark for mark in marks if mark.kind == "bars" and mark.colour]
    for mark in bars:
        trace(covered, mark, laid, 5, is_filled=True)
    found: set[tuple[str, int, int]] = set()
    for group in {mark.group for mark in bars}:
        own = [mark for mark in bars if mark.group == group]
        lies = axes.bars[group].lies
        beyond = np.array([laid.pixels(ends_of(mark, lies=lies)) for mark in own])
        goes_on = np.zeros(0, bool)
        for side in (0, 1):  # the foot of a bar stands on the axis or on another bar
            at = beyond[:, side]
            inside = within(at, pixels.shape[1], pixels.shape[0])
            spots = at.astype(int)[inside]
            free = at[inside][covered[spots[:, 1], spots[:, 0]] == 0]
            colours = [mark.colour for mark in own][:1]
            if len(free):
                goes_on = np.concatenate(
                    [goes_on, palette.own(pixels, free, colours[0], wide=False)]
                )
        if len(goes_on) >= FEWEST_ENDS and float(goes_on.mean()) > MOST_GOING_ON:
            found |= {(mark.kind, mark.group, mark.number) for mark in own}
    return found


def ends_of(mark: Mark, *, lies: bool) -> Any:
    """Two places a little beyond a bar's two ends."""
    low, high = mark.shape.min(axis=0), mark.shape.max(axis=0)
    middle = (low + high) / 2
    along = 0 if lies else 1
    places = np.array([middle, middle])
    places[0, along], places[1, along] = low[along] - BEYOND, high[along] + BEYOND
    return places


def kept_bars(
    bars: Bars, group: int, marks: Sequence[Mark], shown: set[tuple[str, int, int]]
) -> Bars | None:
    """The bars without those that were looked for and not found."""
    tried = {m.number for m in marks if m.kind == "bars" and m.group == group}
    gone = {n for n in tried if ("bars", group, n) not in shown}
    if not tried or len(gone) > MOST_GONE * len(tried):
        return None
    kept = [n for n in range(len(bars.x)) if n not in gone]
    x, y, width, height = (
        tuple(side[n] for n in kept) for side in (bars.x, bars.y, bars.width, bars.height)
    )
    return replace(bars, n=bars.n - len(gone), x=x, y=y, width=width, height=height)


def is_cloud_seen(
    points: Points, group: int, marks: Sequence[Mark], shown: set[tuple[str, int, int]]
) -> bool:
    tried = [m.number for m in marks if m.kind == "points" and m.group == group]
    found = sum(("points", group, n) in shown for n in tried)
    return bool(tried) and found >= 0.8 * len(tried)


def controls(axes: Axes, marks: Sequence[Mark], pixels: Any, laid: Laid) -> Any:
    """Pixels of the plot, or else of its surroundings, on which no mark should lie."""
    height, width = pixels.shape[:2]
    left, bottom, wide, high = axes.box if len(axes.box) == 4 else (0.0, 0.0, 1.0, 1.0)
    grid = np.linspace(0.01, 0.99, CONTROLS)
    own = np.array([(left + a * wide, 1 - bottom - b * high) for a in grid for b in grid])
    covered = np.zeros((height, width), np.uint8)
    thick = max(7, width // 50)
    for mark in marks:
        trace(covered, mark, laid, thick, is_filled=True)
    for places in (
        laid.pixels(own),
        np.array([(width * a, height * b) for a in grid for b in grid]),
    ):
        places = places[within(places, width, height)]
        at = places.astype(int)
        free = places[covered[at[:, 1], at[:, 0]] == 0] if len(at) else places
        if len(free) >= CONTROLS:
            break
    return free


def is_seen(pixels: Any, mark: Mark, palette: MarkColours, ground: Any, laid: Laid) -> bool:
    if mark.is_outside or not len(mark.places):
        return False
    at = laid.pixels(mark.places)
    own = palette.own(pixels, at, mark.colour, wide=mark.is_thin)
    other = palette.other(pixels, at, mark.colour) & ~own
    if own.sum() < max(1.0, LEAST_OWN * len(own)):
        return False
    if own.sum() < LEAST_SEEN * (~other).sum():
        return False
    elsewhere = (
        palette.own(pixels, ground, mark.colour, wide=mark.is_thin) if len(ground) else np.zeros(1)
    )
    return float(elsewhere.mean()) <= MOST_ELSEWHERE


def is_under_others(
    pixels: Any, mark: Mark, marks: Sequence[Mark], palette: MarkColours, laid: Laid
) -> bool:
    """True if other noted lines and dots go where this one does, and are seen there instead."""
    if mark.kind not in ("lines", "points") or mark.is_outside or not len(mark.places):
        return False
    at = laid.pixels(mark.places)
    hidden = palette.other(pixels, at, mark.colour)
    if mark.colour not in palette.colours or hidden.sum() < LEAST_OWN * len(hidden):
        return False
    height, width = pixels.shape[:2]
    others = np.zeros((height, width), np.uint8)
    for one in marks:
        if one.colour != mark.colour and one.kind in ("lines", "points"):
            trace(others, one, laid, max(7, width // 100))
    inside = within(at, width, height)
    spots = at[inside].astype(int)
    under = np.zeros(len(at), bool)
    under[inside] = others[spots[:, 1], spots[:, 0]] > 0
    own = palette.own(pixels, at, mark.colour, wide=mark.is_thin)
    return float((own | (hidden & under)).mean()) >= LEAST_COVERED


def trace(raster: Any, mark: Mark, laid: Laid, thick: int, *, is_filled: bool = False) -> None:
    """Draw a mark's shape into a raster of what is covered."""
    shape = laid.pixels(mark.shape)
    shape = np.clip(shape[np.isfinite(shape).all(axis=1)], -1e4, 1e4).astype(np.int32)
    if mark.kind == "points":
        for x, y in shape:
            cv2.circle(raster, (int(x), int(y)), thick // 2 + 2, 1, -1)
    elif len(shape):
        cv2.polylines(raster, [shape.reshape(-1, 1, 2)], False, 1, thick)
        if is_filled and mark.is_filled:
            cv2.fillPoly(raster, [shape.reshape(-1, 1, 2)], 1)
