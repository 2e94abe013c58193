"""Words that a picture is said to have at known places: are these the letters that are there?

    fault = printed_words.fault_of(pixels, words)      # "" when nothing speaks against them

Each word is drawn in the font that is noted for it and laid over the ink at its place. What is
too small, written over by its neighbours, or a formula says nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np

from runner.checks.pictures import visibility
from runner.checks.pictures.fonts import fonts
from runner.checks.text.chinese import CHINESE

LEAST_CONTRAST = 30  # levels of that, of letters against their ground
LEAST_PX, MOST_PX = 7.0, 120.0  # sizes of letters that are looked at
LEAST_ALIKE = 0.45  # correlation of a word's letters with the ink at its place
OTHER_ALIKE = 0.65  # of another word's, where its own are not there
LEAST_SHOWN = 0.34  # of a group's words
MOST_OF_GROUP = 24
MOST_OVERLAP, MOST_CROWDED = 0.12, 0.3
MARGIN_PX = 3
LONGEST_PIECE = 14  # characters


@dataclass(frozen=True)
class Printed:
    """A word and its box in a picture, in shares of its sides from the upper left corner."""

    group: str  # words that may be taken for one another: an axis' ticks, a legend
    text: str
    font: str
    left: float
    top: float
    width: float
    height: float
    size_px: float
    angle: float  # in degrees, against the clock

    @property
    def line(self) -> str:
        """Its longest line."""
        return max((part.strip() for part in self.text.splitlines()), key=len, default="")

    @property
    def is_readable(self) -> bool:
        box = (self.left, self.top, self.width, self.height, self.size_px, self.angle)
        return (
            all(map(math.isfinite, box))
            and 0 <= self.left < 1
            and 0 <= self.top < 1
            and 0 < self.width <= 1
            and 0 < self.height <= 1
            and LEAST_PX <= self.size_px <= MOST_PX
            and "$" not in self.text
            and any(map(str.isalnum, self.line))
        )


def fault_of(pixels: Any, words: Sequence[Printed]) -> str:
    """Fault of the picture's words, as the end of a sentence; "" for none."""
    groups: dict[str, list[Printed]] = {}
    for word in words:
        if word.is_readable:
            groups.setdefault(word.group, []).append(word)
    for group in groups.values():
        if not is_crowded(group) and (fault := fault_of_group(pixels, group)):
            return fault
    return ""


def is_crowded(group: Sequence[Printed]) -> bool:
    """True if many words lie over their neighbours."""
    pairs = list(itertools.pairwise(group))
    over = sum(overlap(a, b) > MOST_OVERLAP for a, b in pairs)
    return over > MOST_CROWDED * len(pairs)


def overlap(a: Printed, b: Printed) -> float:
    """Share of the smaller box that lies in the other one."""
    wide = min(a.left + a.width, b.left + b.width) - max(a.left, b.left)
    high = min(a.top + a.height, b.top + b.height) - max(a.top, b.top)
    return max(0.0, wide) * max(0.0, high) / min(a.width * a.height, b.width * b.height)


def fault_of_group(pixels: Any, group: Sequence[Printed]) -> str:
    step = max(1, len(group) // MOST_OF_GROUP)
    tried = group[::step][:MOST_OF_GROUP]
    names = list(dict.fromkeys(word.line for word in group))[:MOST_OF_GROUP]
    missing = []
    for word in tried:
        ink = ink_at(pixels, word)
        if likeness(ink, word, word.line) >= LEAST_ALIKE:
            continue
        missing.append(word.line)
        for name in names:
            if is_other(name, word.line) and likeness(ink, word, name) >= OTHER_ALIKE:
                return f"has “{name}” where “{word.line}” should stand"
    if len(tried) > 1 and len(tried) - len(missing) < LEAST_SHOWN * len(tried):
        return f"does not show “{missing[0]}” and “{missing[1]}” where they should stand"
    return ""


def is_other(name: str, own: str) -> bool:
    """True if no part of a word's own letters can be taken for the name."""
    return name not in own and own not in name


def ink_at(pixels: Any, word: Printed) -> Any:
    """Distance of the pixels around a word's place from their ground, 0 to 255."""
    height, width = pixels.shape[:2]
    left, right = word.left * width, (word.left + word.width) * width
    top, bottom = word.top * height, (word.top + word.height) * height
    rows = slice(max(0, int(top) - MARGIN_PX), math.ceil(bottom) + MARGIN_PX)
    area = pixels[rows, max(0, int(left) - MARGIN_PX) : math.ceil(right) + MARGIN_PX]
    if not area.size:
        return np.zeros((1, 1), np.float32)
    flat = area.reshape(-1, 3).astype(np.int32)
    _, first, counts = np.unique(flat @ [65_536, 256, 1], return_index=True, return_counts=True)
    ground = flat[first[counts.argmax()]]
    return visibility.seen(area.astype(np.float32) - ground)


def likeness(ink: Any, word: Printed, text: str) -> float:
    """Likeness of `text`, drawn as `word` is, to the ink: the mean of its pieces."""
    if float(ink.max(initial=0)) < LEAST_CONTRAST:
        return 0.0
    found = [likeness_of_piece(ink, word, piece) for piece in pieces(text)]
    return sum(found) / len(found)


def pieces(text: str) -> list[str]:
    """A long text in parts of some words: its letters drift apart over its length."""
    parts, part = [], ""
    for one in text.split():
        if part and len(part) + len(one) >= LONGEST_PIECE:
            parts.append(part)
            part = one
        else:
            part = f"{part} {one}".strip()
    return [*parts, part]


def likeness_of_piece(ink: Any, word: Printed, text: str) -> float:
    """Correlation of the letters with the ink, wherever they fit best."""
    best = 0.0
    for path in fonts(bool(CHINESE.search(text)), word.font)[:3]:
        letters = drawn(text, round(word.size_px * 4) / 4, round(word.angle), path)
        if not letters.size:
            continue
        down, across = (max(0, a - b) for a, b in zip(letters.shape, ink.shape, strict=True))
        room = cv2.copyMakeBorder(ink, 0, down, 0, across, cv2.BORDER_CONSTANT, value=0.0)
        found = cv2.matchTemplate(
            room.astype(np.float32), letters.astype(np.float32), cv2.TM_CCOEFF_NORMED
        )
        best = max(best, float(np.nan_to_num(found).max()))
        if best >= LEAST_ALIKE:
            break
    return best


@cache
def drawn(text: str, size_px: float, angle: int, path: str) -> Any:
    """The text's letters, bright on dark, cut to their ink."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(path, size_px)
    left, top, right, bottom = font.getbbox(text)
    if right <= left or bottom <= top:
        return np.zeros((0, 0), np.uint8)
    picture = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4))
    ImageDraw.Draw(picture).text((2 - left, 2 - top), text, font=font, fill=255)
    if angle:
        picture = picture.rotate(angle, Image.Resampling.BICUBIC, expand=True)
    box = picture.getbbox()
    return np.asarray(picture.crop(box)) if box else np.zeros((0, 0), np.uint8)
