"""Keeps of a note those wedges, heat maps and pictures that the picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runner.checks.charts.figure_note import Axes, Grid, Wedge
from runner.checks.charts.mark_places import in_pixels, share_of
from runner.checks.charts.pixel_colours import MarkColours, within

ANGLES = 720
RADII = (0.3, 0.45, 0.62, 0.78, 0.88, 0.95, 1.05, 1.15)
MOST_FAINT = 0.1  # of a pie in wedges that hardly stand out from the ground
ROOM = 0.025  # between a wedge's noted and seen share
LEAST_ROUND = 0.85  # of a circle shows wedges' colours
MOST_CELLS = 4_000
LEAST_VALUES = 6
LEAST_SMOOTHER = 0.7  # cells in order of their values differ less than those in any order


def seen(axes: Axes, pixels: Any) -> Axes:
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
