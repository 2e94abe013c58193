"""Ink of a cloud's picture beside the words of its note: other words drawn over it."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Any

import cv2
import numpy as np

from runner.checks.charts.figure_note import Spot
from runner.checks.charts.pixel_colours import commonest
from runner.checks.clouds.cloud_words import LEAST_SEEN, Place
from runner.checks.pictures import visibility
from runner.checks.pictures.fonts import fonts

THIN_PX = 5  # lines of an outline, which are no words
PAD_PX, PAD = 2.0, 0.03  # around a word's letters: pixels, and a share of their size
MOST_PX = 2000.0  # of a word's letters


def share(pixels: Any, place: Place) -> float:
    """Share of the cloud's ink that lies beside its words.

    NaN where their places are not noted, or their font is none of this machine's.
    """
    area = place.area(pixels)
    off = area.astype(np.float32) - commonest(area).astype(np.float32)
    ink = (visibility.seen(off) >= LEAST_SEEN).astype(np.uint8)
    ink = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((THIN_PX, THIN_PX), np.uint8))
    if not ink.any():
        return 0.0
    spots = [
        one
        for one in place.spots
        if all(map(np.isfinite, (one[1], *one[2]))) and 0 < one[1] < MOST_PX
    ]
    font = fonts(False, place.font)[0]
    is_known = PurePath(font).name == PurePath(place.font).name
    if not spots or len(spots) < len(place.spots) or not is_known:
        return float("nan")
    covered = np.zeros(ink.shape, np.uint8)
    for word, size, spot in spots:
        cover(covered, word, size, spot, font)
    return float((ink & ~covered & 1).sum() / ink.sum())


def cover(covered: Any, word: str, size: float, spot: Spot, path: str) -> None:
    """Set the pixels of a word's letters, and those around them."""
    from PIL import Image, ImageDraw, ImageFont

    left, top, is_turned = spot
    font = ImageFont.truetype(path, max(4.0, size))
    begin, above, end, below = font.getbbox(word)  # a cloud draws letters without room above them
    pad = math.ceil(PAD_PX + PAD * size)
    wide, high = round(end - begin) + 2 * pad, round(below - above) + 2 * pad
    picture = Image.new("L", (wide, high))
    ImageDraw.Draw(picture).text((pad - begin, pad - above), word, font=font, fill=1)
    letters = cv2.dilate(np.asarray(picture), np.ones((2 * pad + 1, 2 * pad + 1), np.uint8))
    if is_turned:
        letters = np.rot90(letters)
    row, column = round(top) - pad, round(left) - pad
    outside = max(0, -row), max(0, -column)
    here = covered[max(0, row) :, max(0, column) :][: letters.shape[0], : letters.shape[1]]
    own = letters[outside[0] :, outside[1] :][: here.shape[0], : here.shape[1]]
    here[: own.shape[0], : own.shape[1]] |= own
