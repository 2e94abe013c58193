"""Keeps of a note those marks that the picture shows: pixels prove, a note only hints.

Places of every noted mark are looked at in the picture (runner.checks.charts.mark_places): they
must be in the mark's colour, and the rest of the plot must not. What is not seen (noise, a blank
picture, marks without width, room or contrast, marks behind others) is dropped from the note; so
are wedges, heat maps and pictures that it does not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import cv2
import numpy as np

from runner.checks.charts.figure_note import Axes, Bars, Grid, Note, Wedge
from runner.checks.charts.mark_places import Mark, in_pixels, marks_of, share_of
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
ANGLES = 720
RADII = (0.3, 0.45, 0.62, 0.78, 0.88, 0.95, 1.05, 1.15)
MOST_FAINT = 0.1  # of a pie in wedges that hardly stand out from the ground
ROOM = 0.025  # between a wedge's noted and seen share
LEAST_ROUND = 0.85  # of a circle shows wedges' colours
MOST_CELLS = 4_000
LEAST_VALUES = 6
LEAST_SMOOTHER = 0.7  # cells in order of their values differ less than those in any order


def seen(note: Note, pixels: Any) -> Note:
    """The note without the marks that the picture does not show."""
    axes = [seen_areas(seen_axes(pixels, one), pixels) for one in note.axes]
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


def seen_areas(axes: Axes, pixels: Any) -> Axes:
    """The plot without the wedges and grids that are not seen."""
    if not axes.wedges and not axes.grids:
        return axes
    wedges = axes.wedges if are_wedges_seen(axes, pixels) else ()
    grids = tuple(g for g in axes.grids if is_grid_seen(axes, g, pixels))
    return replace(axes, wedges=wedges, grids=grids)


def are_wedges_seen(axes: Axes, pixels: Any) -> bool:
    """True if circles around the plot's middle show the wedges' colours, in shares like theirs."""
    rings = rings_of([w for w in axes.wedges if w.fraction > 0])
    palette = MarkColours.of(axes, pixels)
    return bool(rings) and all(
        any(shows_ring(axes, ring, radius, palette, pixels) for radius in RADII) for ring in rings
    )


def rings_of(wedges: Sequence[Wedge]) -> list[list[Wedge]]:
    """The wedges by whole circles: pies within pies are noted one after another."""
    rings: list[list[Wedge]] = [[]]
    for wedge in wedges:
        if sum(w.fraction for w in rings[-1]) + wedge.fraction > 1.001:
            rings.append([])
        rings[-1].append(wedge)
    return [ring for ring in rings if ring]


def shows_ring(
    axes: Axes, ring: Sequence[Wedge], radius: float, palette: MarkColours, pixels: Any
) -> bool:
    seen_at = colours_around(axes, radius, [w.colour for w in ring], palette, pixels)
    colours = list(dict.fromkeys(w.colour for w in ring))
    known = seen_at >= 0
    faint = sum(share(ring, colour) for colour in colours if colour not in palette.colours)
    if faint > MOST_FAINT:
        return False
    if known.mean() < LEAST_ROUND * sum(w.fraction for w in ring):
        return False
    shares = [float((seen_at[known] == n).mean()) for n in range(len(colours))]
    whole = sum(w.fraction for w in ring) - faint
    near = all(
        abs(found - share(ring, colour) / whole) <= ROOM
        for found, colour in zip(shares, colours, strict=True)
        if colour in palette.colours
    )
    changes = int((np.diff(seen_at[known]) != 0).sum())
    return near and changes <= 2 * len(ring) + 4


def share(ring: Sequence[Wedge], colour: str) -> float:
    return sum(w.fraction for w in ring if w.colour == colour)


def colours_around(
    axes: Axes,
    radius: float,
    noted: Sequence[str],
    palette: MarkColours,
    pixels: Any,
) -> Any:
    """For each angle the number of the nearest of the noted colours there, -1 for none."""
    angle = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    left, bottom, width, height = axes.box if len(axes.box) == 4 else (0.0, 0.0, 1.0, 1.0)
    circle = radius * np.column_stack([np.cos(angle), np.sin(angle)]) + moved_out(axes, angle)
    across, up = (share_of(axis, circle[:, n]) for n, axis in enumerate((axes.x, axes.y)))
    at = in_pixels(pixels, np.column_stack([left + across * width, 1 - bottom - up * height]))
    inside = within(at, pixels.shape[1], pixels.shape[0])
    found = np.full(len(at), -1)
    spots = at[inside].astype(int)
    values = pixels[spots[:, 1], spots[:, 0]].astype(float)
    colours = list(dict.fromkeys(noted))
    far = np.full((len(values), max(1, len(colours))), 999.0)
    for n, colour in enumerate(colours):
        if colour in palette.colours:
            far[:, n] = np.abs(values - palette.colours[colour]).max(axis=1)
    near = far.argmin(axis=1)
    found[inside] = np.where(far.min(axis=1) <= 30, near, -1)
    return found


def moved_out(axes: Axes, angle: Any) -> Any:
    """For each angle how far the wedge there is moved out of the middle, right and up."""
    found = np.zeros((len(angle), 2))
    for wedge in axes.wedges:
        if len(wedge.middle) == 2 and np.isfinite([*wedge.middle, wedge.start]).all():
            found[(np.degrees(angle) - wedge.start) % 360 < 360 * wedge.fraction] = wedge.middle
    return found


def is_grid_seen(axes: Axes, grid: Grid, pixels: Any) -> bool:
    """True if cells of like values look alike; a picture's pixels are not noted, only its place."""
    cells = cells_of(axes, grid, pixels)
    if len(grid.shape) != 2 or grid.shape[0] * grid.shape[1] != len(grid.values):
        return bool(len(cells)) and float(cells.std(axis=0).max()) >= 4
    values = np.asarray(grid.values, dtype=float)
    known = np.isfinite(values)
    if len(cells) != len(values) or known.sum() < LEAST_VALUES or np.ptp(values[known]) == 0:
        return len(cells) == len(values)
    shown = cells[known]
    if float(shown.std(axis=0).max()) < 4:
        return False
    order = np.argsort(values[known], kind="stable")
    steps = np.abs(np.diff(shown[order], axis=0)).sum(axis=1).mean()
    mixed = np.random.default_rng(1).permutation(len(shown))
    usual = np.abs(np.diff(shown[mixed], axis=0)).sum(axis=1).mean()
    return float(steps) <= LEAST_SMOOTHER * float(usual)


def cells_of(axes: Axes, grid: Grid, pixels: Any) -> Any:
    """Each cell's colour, row by row, off its middle, where a number may be written."""
    if len(axes.box) != 4 or len(grid.shape) < 2:
        return np.zeros((0, 3))
    rows, columns = grid.shape[:2] if len(grid.values) else (40, 40)
    if not 0 < rows * columns <= MOST_CELLS:
        return np.zeros((0, 3))
    left, bottom, width, height = axes.box
    down, across = np.mgrid[0:rows, 0:columns]
    across, down = (across + 0.2) / columns, (down + 0.2) / rows
    across = 1 - across if axes.x.low > axes.x.high else across
    up = 1 - down if axes.y.low > axes.y.high else down
    at = in_pixels(
        pixels,
        np.column_stack([(left + across * width).ravel(), (1 - bottom - up * height).ravel()]),
    )
    inside = within(at, pixels.shape[1], pixels.shape[0])
    if not inside.all():
        return np.zeros((0, 3))
    spots = at.astype(int)
    return pixels[spots[:, 1], spots[:, 0]].astype(float)
