"""The outline of a drawing: what stands out from the ground, filled, and its form.

A drawing in lines counts as what its lines enclose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.pictures import edits, images, placement, visibility

INK_LEVELS = 30
SEEN_LEVELS = 10.0  # of grey: paler than that is blank to the eye
MOST_SIDE = 1000  # at which a drawing is looked at
NEAR_LEVELS = 40  # of one colour, smoothed edges included
MOST_COLOURS = 8
LEAST_SHARE = 0.02  # of the picture, for a shape


def ink_of(pixels: Any) -> Any:
    """Mask of what stands out from the ground, to an eye as well."""
    ground = images.commonest(pixels)
    off = visibility.seen(pixels.astype(np.float32) - np.asarray(ground, np.float32))
    return (images.distance(pixels, ground) > INK_LEVELS) & (off >= SEEN_LEVELS)


def silhouette(pixels: Any) -> Any:
    """The largest thing drawn, filled: a mask (height, width), cut to its box; None of nothing."""
    ink = ink_of(pixels).astype(np.uint8)
    edge = max(1, min(ink.shape) // 200)
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((2 * edge + 1, 2 * edge + 1), np.uint8))
    contours, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    largest = max(contours, key=lambda c: float(cv2.contourArea(c)))
    mask = np.zeros(ink.shape, np.uint8)
    cv2.drawContours(mask, [largest], -1, 1, cv2.FILLED)
    left, top, width, height = cv2.boundingRect(largest)
    return mask[top : top + height, left : left + width].astype(bool)


def read(case: Case, name: str) -> Any:
    """The drawing in the output `name`, a PNG, with its longest side at MOST_SIDE at most."""
    return placement.shrunk(edits.read_drawing(case, name), MOST_SIDE)[0]


@dataclass(frozen=True)
class Shape:
    """A filled outline: a mask (height, width) cut to its box, and where its box begins."""

    left: int
    top: int
    mask: Any


def shapes_in(pixels: Any) -> list[Shape]:
    """Each large shape of the ink or of one colour, the largest of each first.

    So a shape is found inside the frame of a chart, or in front of a scene.
    """
    inks = [ink_of(pixels)]
    red, green, blue = (pixels[..., channel].astype(np.int32) >> 5 for channel in range(3))
    coarse = red << 6 | green << 3 | blue
    counts = np.bincount(coarse.ravel())
    values = np.flatnonzero(counts)
    for value in values[np.argsort(-counts[values])][:MOST_COLOURS]:
        colour = np.median(pixels[coarse == value], axis=0)
        inks.append(images.distance(pixels, colour) <= NEAR_LEVELS)
    return [shape for ink in inks for shape in large_shapes(ink)]


def large_shapes(ink: Any, most: int = 5) -> list[Shape]:
    """The largest outlines in a mask, those inside others too."""
    edge = max(1, min(ink.shape) // 200)
    side = 2 * edge + 1
    solid = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    contours, _ = cv2.findContours(solid, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    least = LEAST_SHARE * ink.size
    sized = [(float(cv2.contourArea(c)), n) for n, c in enumerate(contours)]
    shapes = []
    for area, number in sorted(sized, reverse=True)[:most]:
        if area < least:
            break
        left, top, width, height = cv2.boundingRect(contours[number])
        mask = np.zeros((height, width), np.uint8)
        cv2.drawContours(mask, contours, number, 1, cv2.FILLED, offset=(-left, -top))
        shapes.append(Shape(left, top, mask.astype(bool)))
    return shapes


def top_profile(mask: Any) -> Any:
    """Height at which the outline begins in each of 40 columns, as a share of the whole from the
    top."""
    wide = cv2.resize(mask.astype(np.uint8), (40, 200), interpolation=cv2.INTER_AREA) > 0
    return np.where(wide.any(axis=0), wide.argmax(axis=0) / 200, 1.0)


def symmetry(mask: Any) -> float:
    """Share of a mask that it has in common with its mirror picture, 0 to 1."""
    both = (mask & mask[:, ::-1]).sum()
    return float(both / max(1, (mask | mask[:, ::-1]).sum()))


def width_at(mask: Any, height: float) -> float:
    """Width of the mask at a share of its height from the top, as a share of its width."""
    row = mask[min(len(mask) - 1, int(height * len(mask)))]
    return float(row.sum() / mask.shape[1])
