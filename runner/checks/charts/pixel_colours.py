"""Pixels in the colour of a plot's mark: thin, smoothed and see-through marks, too.

A pixel shows a mark's colour when it lies on the way from the plot's ground to that colour, far
enough from the ground; where marks that one sees through overlap, on the way between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from runner.checks.charts.figure_note import Axes
from runner.checks.pictures import visibility

SLACK = 40  # levels a channel off the way
LEAST_WAY = 0.3  # of the way from the ground: thin marks are smoothed
MOST_WAY = 3.0  # where marks that one sees through lie over one another
LEAST_CONTRAST = 22  # levels; less is not visible
LEAST_SEEN = 8.0  # of grey: pale yellow on white differs in blue, which an eye hardly sees
HARDLY = 0.1  # of a colour that one sees through


@dataclass(frozen=True)
class MarkColours:
    """The colours of a plot: its ground, and those of its marks as they look on it."""

    ground: Any
    colours: dict[str, Any]  # as noted → as seen

    @classmethod
    def of(cls, axes: Axes, pixels: Any) -> MarkColours:
        face = axes.face if len(axes.face) == 7 else ""
        ground = rgb(face) if face else None
        if ground is None:
            ground = commonest(pixels)
        noted = [line.colour for line in axes.lines] + [w.colour for w in axes.wedges]
        for many in [b.colours for b in axes.bars] + [p.colours for p in axes.points]:
            noted += many[:50]
        seen = {colour: mixed(colour, ground) for colour in dict.fromkeys(noted)}
        return cls(ground, {name: found for name, found in seen.items() if found is not None})

    def shows(self, values: Any, colour: Any) -> Any:
        way = colour - self.ground
        length = float(way @ way)
        share = (values - self.ground) @ way / length
        off = np.abs(values - self.ground - np.clip(share, 0, MOST_WAY)[..., None] * way).max(
            axis=-1
        )
        return (share >= LEAST_WAY) & (off <= min(SLACK, 0.6 * float(np.abs(way).max())))


def rgb(colour: str) -> Any:
    """The colour's three levels, None when it is none."""
    try:
        return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], float)
    except ValueError:
        return None


def mixed(colour: str, ground: Any) -> Any:
    """A noted colour as it looks on the ground; None where it is hardly seen."""
    levels = rgb(colour)
    if levels is None:
        return None
    if len(colour) == 9:
        try:
            share = int(colour[7:], 16) / 255
        except ValueError:
            return None
        if share < HARDLY:
            return None
        levels = levels * share + ground * (1 - share)
    off = levels - ground
    is_seen = np.abs(off).max() >= LEAST_CONTRAST and float(visibility.seen(off)) >= LEAST_SEEN
    return levels if is_seen else None


def commonest(pixels: Any) -> Any:
    """The commonest colour of a picture."""
    flat = pixels.reshape(-1, 3)
    coarse = (flat >> 3).astype(np.uint16)
    codes = coarse[:, 0] << 10 | coarse[:, 1] << 5 | coarse[:, 2]  # five bits a channel
    return np.median(flat[codes == np.bincount(codes).argmax()], axis=0).astype(float)


def within(at: Any, width: int, height: int) -> Any:
    """True for each place that lies in the picture."""
    if not len(at):
        return np.zeros(0, bool)
    safe = np.where(np.isfinite(at).all(axis=1)[:, None], at, -1.0)
    return (safe >= 0).all(axis=1) & (safe[:, 0] < width) & (safe[:, 1] < height)


def surroundings(pixels: Any, at: Any, *, wide: bool) -> Any:
    """The pixels around each place, n × k × 3; more of them in a large picture."""
    height, width = pixels.shape[:2]
    reach = (1 if width < 1200 else 2 if width < 2400 else 3) if wide else 0
    side = np.arange(-reach, reach + 1)
    across, down = (part.ravel() for part in np.meshgrid(side, side))
    columns = np.clip(at[:, :1].astype(int) + across, 0, width - 1)
    rows = np.clip(at[:, 1:].astype(int) + down, 0, height - 1)
    return pixels[rows, columns].astype(float)
