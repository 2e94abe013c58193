"""Where a cloud lies in its picture and how large its words are, by the note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runner.checks.charts.figure_note import Spot
from runner.checks.charts.figures import Figure, fold
from runner.checks.charts.pixel_colours import commonest
from runner.checks.clouds.word_counts import rank_correlation
from runner.checks.pictures import visibility

INK_LEVELS = 16  # of a channel, from the ground
LEAST_SEEN = 10.0  # levels of grey: less is blank to the eye
FEWEST_SIZED, LEAST_SIZED = 8, 0.3  # words whose sizes go by their weights, more or less


@dataclass(frozen=True)
class Place:
    """Place in a picture where a cloud may lie, in pixels, and the sizes of its words there."""

    left: int
    top: int
    width: int
    height: int
    sizes: tuple[tuple[str, float], ...] = ()  # largest first
    font: str = ""  # as noted
    spots: tuple[tuple[str, float, Spot], ...] = ()  # word, size and place in the area

    def area(self, pixels: Any) -> Any:
        """The pixels of the cloud itself; the whole picture where the place is none."""
        rows = slice(max(0, self.top), self.top + self.height)
        found = pixels[rows, max(0, self.left) : self.left + self.width]
        return found if found.size else pixels


def place_of(figure: Figure) -> Place:
    """The whole picture, or the plot in which a figure shows a cloud."""
    height, width = figure.pixels.shape[:2]
    note = figure.note
    panels = [axes for axes in figure.panels if axes.grids and len(axes.box) == 4]
    if note is None or len(panels) != 1:
        found = spotted(note.words, note.sizes, note.spots, 1.0) if note else []
        sizes = largest_first((word, size) for word, size, _ in found)
        return Place(0, 0, width, height, sizes, note.font if note else "", tuple(found))
    left, bottom, wide, high = panels[0].box
    found = [
        one
        for grid in panels[0].grids
        if len(grid.shape) > 1 and grid.shape[1]
        for one in spotted(grid.words, grid.sizes, grid.spots, wide * width / grid.shape[1])
    ]
    return Place(
        round(left * width),
        round((1 - bottom - high) * height),
        round(wide * width),
        round(high * height),
        largest_first((word, size) for word, size, _ in found),
        next((grid.font for grid in panels[0].grids if grid.font), ""),
        tuple(found),
    )


def are_sized(place: Place, weights: Mapping[str, float]) -> bool:
    """True if the noted words are drawn by their noted weights, which may be set after drawing."""
    drawn = {fold(word): size for word, size in reversed(place.sizes)}  # a word's largest size
    pairs = [(weights[word], size) for word, size in drawn.items() if word in weights]
    if len(pairs) < FEWEST_SIZED or any(len(set(row)) < 2 for row in zip(*pairs, strict=True)):
        return True
    return rank_correlation(*zip(*pairs, strict=True)) >= LEAST_SIZED


def spotted(
    words: Sequence[tuple[str, float]],
    sizes: Sequence[float],
    spots: Sequence[Spot],
    scale: float,
) -> list[tuple[str, float, Spot]]:
    """Noted words with their sizes and places, in a picture larger by `scale`."""
    return [
        (word, size * scale, (left * scale, top * scale, is_turned))
        for (word, _), size, (left, top, is_turned) in zip(words, sizes, spots, strict=False)
    ]


def largest_first(words: Any) -> tuple[tuple[str, float], ...]:
    found = [(word, size) for word, size in words if np.isfinite(size)]
    return tuple(sorted(found, key=lambda one: -one[1]))


def is_visible(pixels: Any, place: Place) -> bool:
    """True if an eye sees most of what stands out from the ground of the place, and its middle is
    not blank."""
    area = place.area(pixels)
    off = area.astype(np.float32) - commonest(area).astype(np.float32)
    is_ink = np.abs(off).max(axis=2) >= INK_LEVELS
    height, width = is_ink.shape
    middle = is_ink[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4]
    return bool(middle.any() and (visibility.seen(off[is_ink]) >= LEAST_SEEN).mean() >= 0.5)
