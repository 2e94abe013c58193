"""Whether a picture shows anything where its note has marks: a picture that was blanked does not.

A note is believed where it fits the picture. Its marks' places (runner.checks.charts.mark_places)
are looked at for anything but the plot's ground; colours and shapes are not compared.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from runner.checks.charts.figure_note import Axes, Note
from runner.checks.charts.mark_places import Mark, in_pixels, marks_of, share_of
from runner.checks.charts.pixel_colours import MarkColours, surroundings, within

LEAST_SHOWN = 0.5  # of a plot's places
LEAST_CONTRAST = 12  # levels of a channel beside the ground
LEAST_SPREAD = 4.0  # of a grid's colours
RADII = (0.3, 0.62, 0.88)  # of a circle: a ring has a hole
SAMPLES = np.linspace(0.05, 0.95, 40)


def shows(note: Note, pixels: Any) -> bool:
    """True if each plot's marks are drawn somewhere; where their places are not known, too."""
    return all(shows_plot(axes, pixels) for axes in note.axes if axes.has_data)


def shows_plot(axes: Axes, pixels: Any) -> bool:
    if axes.grids and spread(axes, pixels) < LEAST_SPREAD:
        return False
    places = [mark.places for mark in marks_of(axes) if len(mark.places)]
    if axes.wedges:
        places.append(wedge_places(axes))
    at = in_pixels(pixels, np.concatenate(places)) if places else np.zeros((0, 2))
    at = at[within(at, pixels.shape[1], pixels.shape[0])]
    if not len(at):
        return True
    off = np.abs(surroundings(pixels, at, wide=True) - MarkColours.of(axes, pixels).ground)
    return float((off.max(axis=(1, 2)) >= LEAST_CONTRAST).mean()) >= LEAST_SHOWN


def wedge_places(axes: Axes) -> Any:
    """Places on circles around the middle of a pie."""
    angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    circle = np.concatenate([r * np.column_stack([np.cos(angle), np.sin(angle)]) for r in RADII])
    return in_box(axes, share_of(axes.x, circle[:, 0]), share_of(axes.y, circle[:, 1]))


def in_box(axes: Axes, across: Any, up: Any) -> Any:
    """Shares of a plot's sides as shares of the picture's."""
    left, bottom, width, height = axes.box if len(axes.box) == 4 else (0.0, 0.0, 1.0, 1.0)
    return np.column_stack([left + across * width, 1 - bottom - up * height])


def spread(axes: Axes, pixels: Any) -> float:
    """How far the colours within a plot's box differ."""
    across, up = (part.ravel() for part in np.meshgrid(SAMPLES, SAMPLES))
    at = in_pixels(pixels, in_box(axes, across, up))
    spots = at[within(at, pixels.shape[1], pixels.shape[0])].astype(int)
    if not len(spots):
        return LEAST_SPREAD
    return float(pixels[spots[:, 1], spots[:, 0]].astype(float).std(axis=0).max())


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
