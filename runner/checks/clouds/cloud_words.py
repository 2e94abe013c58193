"""Finds the words of a cloud in its pixels: those that its note lists, at their noted sizes.

The note of a figure says where the cloud lies in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from runner.checks.charts.figure_note import Spot
from runner.checks.charts.figures import Figure, fold
from runner.checks.charts.pixel_colours import commonest
from runner.checks.clouds.word_counts import rank_correlation
from runner.checks.pictures import visibility
from runner.checks.pictures.fonts import fonts
from runner.checks.text.chinese import CHINESE

MOST_TRIED = 8
LEAST_FOUND = 0.75  # of the words tried
LEAST_CHINESE = 0.6  # of the Chinese ones, where there are this many
FEW_CHINESE = 3
LEAST_ALIKE = 0.62  # correlation of a word's letters with the picture's ink
SIDE_PX = 520  # to which a picture is made smaller
NOISE_LEVELS, GAIN = 4, 8  # of a channel's distance from the ground
INK_LEVELS = 16  # of a channel, from the ground
LEAST_SEEN = 10.0  # levels of grey: less is blank to the eye
FEWEST_SIZED, LEAST_SIZED = 8, 0.3  # words whose sizes go by their weights, more or less
LEAST_PX = 7.0  # a letter's size there, below which a word is not looked for


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


def find(figure: Figure) -> tuple[Place, bool]:
    """The cloud's noted place, and True if most of the largest noted words are found there."""
    place = place_of(figure)
    return place, are_shown(figure.pixels, place, MOST_TRIED)


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


def are_shown(pixels: Any, place: Place, most: int) -> bool:
    """True if of the `most` largest words most are found in the place, Chinese ones too."""
    if not is_visible(pixels, place):
        return False
    small, scale = ink_of(pixels, place)
    large = [(w, s * scale) for w, s in place.sizes if s * scale >= LEAST_PX]
    tried = large[:most]
    in_chinese = [one for one in large if CHINESE.search(one[0])][:most]
    return is_most(small, tried, LEAST_FOUND, place.font) and (
        len(in_chinese) < FEW_CHINESE or is_most(small, in_chinese, LEAST_CHINESE, place.font)
    )


def is_visible(pixels: Any, place: Place) -> bool:
    """True if an eye sees most of what stands out from the ground of the place."""
    area = place.area(pixels)
    off = area.astype(np.float32) - commonest(area).astype(np.float32)
    is_ink = np.abs(off).max(axis=2) >= INK_LEVELS
    return bool(is_ink.any() and (visibility.seen(off[is_ink]) >= LEAST_SEEN).mean() >= 0.5)


def ink_of(pixels: Any, place: Place) -> tuple[Any, float]:
    """Pixels that stand out from the ground of the place, made smaller, and by how much."""
    area = place.area(pixels)
    far = np.abs(area.astype(np.int16) - commonest(area)).max(axis=2)
    ink = np.clip(GAIN * (far - NOISE_LEVELS), 0, 255)  # pale words count as dark ones do
    scale = min(1.0, SIDE_PX / max(ink.shape))
    small = cv2.resize(ink.astype(np.uint8), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return small, scale


def share_shown(pixels: Any, place: Place, words: Sequence[str]) -> float:
    """Share of these words that are found in the place; 1 where none is large enough."""
    small, scale = ink_of(pixels, place)
    asked = [(w, s * scale) for w, s in place.sizes if w in words and s * scale >= LEAST_PX]
    return sum(is_shown(small, w, s, place.font) for w, s in asked) / len(asked) if asked else 1.0


def is_most(ink: Any, words: Sequence[tuple[str, float]], least: float, font: str) -> bool:
    """True if that share of the words is found, of one or more."""
    missing = 0
    for word, size in words:
        missing += not is_shown(ink, word, round(size, 2), font)
        if missing > (1 - least) * len(words):
            return False
    return bool(words)


def is_shown(ink: Any, word: str, size: float, font: str) -> bool:
    """True if the word stands somewhere, upright or turned, in a font that clouds come with."""
    for path in fonts(bool(CHINESE.search(word)), font):
        letters = drawn(word, size, path)
        for one in (letters, np.rot90(letters)):
            if one.size and one.shape[0] <= ink.shape[0] and one.shape[1] <= ink.shape[1]:
                found = cv2.matchTemplate(ink, np.ascontiguousarray(one), cv2.TM_CCOEFF_NORMED)
                if float(np.nanmax(found)) >= LEAST_ALIKE:
                    return True
    return False


def drawn(word: str, size: float, path: str) -> Any:
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(path, max(4, round(size)))
    left, top, right, bottom = font.getbbox(word)
    if right <= left or bottom <= top:
        return np.zeros((0, 0), np.uint8)
    picture = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2))
    ImageDraw.Draw(picture).text((1 - left, 1 - top), word, font=font, fill=255)
    return np.asarray(picture)
