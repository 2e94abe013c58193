"""Keeps of a note those marks that the picture shows: pixels prove, a note only hints.

Places of every noted mark are looked at in the picture (runner.checks.charts.mark_places): they
must be in the mark's colour, and the rest of the plot must not. What is not seen (noise, a blank
picture, marks without width, room or contrast, marks behind others) is dropped from the note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import cv2
import numpy as np

from runner.checks.charts import note_areas
from runner.checks.charts.figure_note import Axes, Bars, Note
from runner.checks.charts.mark_places import Mark, in_pixels, marks_of
from runner.checks.charts.pixel_colours import MarkColours, within

LEAST_SEEN = 0.75  # of a mark's places that no other mark lies over
LEAST_OWN = 0.12  # of all its places
LEAST_COVERED = 0.85  # of the places of a mark that is under others
MOST_ELSEWHERE = 0.4  # of the ground's places that show a mark's colour
MOST_GONE = 0.2  # of a run of bars: with more, none of it is believed
MOST_MARKS = 400
LEAST_ON_TOP = 0.4  # of a cloud's dots of several colours
BEYOND = 0.015  # of the figure, from a bar's end
FEWEST_ENDS = 4  # of bars, for what lies beyond them to be looked at
ACROSS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of a bar's breadth
MOST_WRITTEN = 0.6  # of the places beyond an end: a label's letters show the colour on fewer
MOST_GOING_ON = 0.3  # of the ends
CONTROLS = 40  # along each side of a plot


def seen(note: Note, pixels: Any) -> Note:
    """The note without the marks that the picture does not show."""
    axes = [note_areas.seen(seen_axes(pixels, one), pixels) for one in note.axes]
    return replace(note, axes=tuple(axes))


def seen_axes(pixels: Any, axes: Axes) -> Axes:
    marks = list(islice(marks_of(axes), MOST_MARKS))
    palette = MarkColours.of(axes, pixels)
    ground = controls(axes, marks, pixels)
    shown = {
        (mark.kind, mark.group, mark.number)
        for mark in marks
        if is_seen(pixels, mark, palette, ground) or is_under_others(pixels, mark, marks, palette)
    }
    beneath = {
        (mark.kind, mark.group, mark.number)
        for mark in marks
        if mark.kind == "points"
        and len(mark.places) == 1
        and palette.other(pixels, in_pixels(pixels, mark.places), mark.colour).all()
    }
    shown -= run_on(axes, marks, pixels, palette)
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
        points=tuple(
            v for n, v in enumerate(axes.points) if is_cloud_seen(n, marks, shown, beneath)
        ),
    )


def run_on(
    axes: Axes, marks: Sequence[Mark], pixels: Any, palette: MarkColours
) -> set[tuple[str, int, int]]:
    """The bars of runs whose colour goes on beyond the ends of most: larger areas, not bars."""
    covered = np.zeros(pixels.shape[:2], np.uint8)
    bars = [mark for mark in marks if mark.kind == "bars" and mark.colour]
    for mark in bars:
        trace(covered, mark, 5, is_filled=True)
    found: set[tuple[str, int, int]] = set()
    for group in {mark.group for mark in bars}:
        own = [mark for mark in bars if mark.group == group]
        lies = axes.bars[group].lies
        goes_on = []
        for mark in own:
            for beyond in ends_of(mark, lies=lies):
                at = in_pixels(pixels, beyond)
                spots = at[within(at, pixels.shape[1], pixels.shape[0])]
                # the foot of a bar stands on the axis or on another bar
                free = spots[covered[spots[:, 1].astype(int), spots[:, 0].astype(int)] == 0]
                if len(free):
                    shown = palette.own(pixels, free, mark.colour, wide=False)
                    goes_on.append(float(shown.mean()) >= MOST_WRITTEN)
        if len(goes_on) >= FEWEST_ENDS and float(np.mean(goes_on)) > MOST_GOING_ON:
            found |= {(mark.kind, mark.group, mark.number) for mark in own}
    return found


def ends_of(mark: Mark, *, lies: bool) -> tuple[Any, Any]:
    """Places a little beyond a bar's two ends, across its breadth."""
    low, high = mark.shape.min(axis=0), mark.shape.max(axis=0)
    along, across = (0, 1) if lies else (1, 0)
    places = np.empty((2, len(ACROSS), 2))
    places[..., across] = low[across] + np.asarray(ACROSS) * (high - low)[across]
    places[0, :, along], places[1, :, along] = low[along] - BEYOND, high[along] + BEYOND
    return places[0], places[1]


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
    group: int,
    marks: Sequence[Mark],
    shown: set[tuple[str, int, int]],
    beneath: set[tuple[str, int, int]],
) -> bool:
    """True if its dots are seen; of several colours many may lie beneath those of another."""
    tried = {("points", group, m.number) for m in marks if m.kind == "points" and m.group == group}
    own = len(tried & shown)
    return bool(tried) and (
        own >= 0.8 * len(tried)
        or (own >= LEAST_ON_TOP * len(tried) and len(tried & (shown | beneath)) >= 0.9 * len(tried))
    )


def controls(axes: Axes, marks: Sequence[Mark], pixels: Any) -> Any:
    """Pixels of the plot, or else of its surroundings, on which no mark should lie."""
    height, width = pixels.shape[:2]
    left, bottom, wide, high = axes.box if len(axes.box) == 4 else (0.0, 0.0, 1.0, 1.0)
    grid = np.linspace(0.01, 0.99, CONTROLS)
    own = np.array([(left + a * wide, 1 - bottom - b * high) for a in grid for b in grid])
    covered = np.zeros((height, width), np.uint8)
    thick = max(7, width // 50)
    for mark in marks:
        trace(covered, mark, thick, is_filled=True)
    for places in (
        in_pixels(pixels, own),
        np.array([(width * a, height * b) for a in grid for b in grid]),
    ):
        places = places[within(places, width, height)]
        at = places.astype(int)
        free = places[covered[at[:, 1], at[:, 0]] == 0] if len(at) else places
        if len(free) >= CONTROLS:
            break
    return free


def is_seen(pixels: Any, mark: Mark, palette: MarkColours, ground: Any) -> bool:
    if mark.is_outside or not len(mark.places):
        return False
    at = in_pixels(pixels, mark.places)
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


def is_under_others(pixels: Any, mark: Mark, marks: Sequence[Mark], palette: MarkColours) -> bool:
    """True if other noted lines and dots go where this one does, and are seen there instead."""
    if mark.kind not in ("lines", "points") or mark.is_outside or not len(mark.places):
        return False
    at = in_pixels(pixels, mark.places)
    hidden = palette.other(pixels, at, mark.colour)
    if mark.colour not in palette.colours or hidden.sum() < LEAST_OWN * len(hidden):
        return False
    height, width = pixels.shape[:2]
    others = np.zeros((height, width), np.uint8)
    for one in marks:
        if one.colour != mark.colour and one.kind in ("lines", "points"):
            trace(others, one, max(7, width // 100))
    inside = within(at, width, height)
    spots = at[inside].astype(int)
    under = np.zeros(len(at), bool)
    under[inside] = others[spots[:, 1], spots[:, 0]] > 0
    own = palette.own(pixels, at, mark.colour, wide=mark.is_thin)
    return float((own | (hidden & under)).mean()) >= LEAST_COVERED


def trace(raster: Any, mark: Mark, thick: int, *, is_filled: bool = False) -> None:
    """Draw a mark's shape into a raster of what is covered."""
    shape = in_pixels(raster, mark.shape)
    shape = np.clip(shape[np.isfinite(shape).all(axis=1)], -1e4, 1e4).astype(np.int32)
    if mark.kind == "points":
        for x, y in shape:
            cv2.circle(raster, (int(x), int(y)), thick // 2 + 2, 1, -1)
    elif len(shape):
        cv2.polylines(raster, [shape.reshape(-1, 1, 2)], False, 1, thick)
        if is_filled and mark.is_filled:
            cv2.fillPoly(raster, [shape.reshape(-1, 1, 2)], 1)
