"""Palettes that an agent drew: flat swatches, compared with the colours of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case

LEAST_SHARE = 0.0015  # of the drawing, for a swatch
LEAST_SOLIDITY = 0.85  # area over that of the convex hull: squares, discs and slices have more
SAME_LEVELS = 8.0  # distance of two colours taken for one
SAMPLES = 4000
LEAST_COMPACT = 0.45  # of the flat area in swatches; a picture in few colours has 0.3 at most
LEAST_DULL = 0.25  # of such a picture's range: its right palettes have 0.41 and more
DULL = 15.0  # levels between the channels, below which a picture is nearly grey
MOST_CENTRES = 16  # of the best palette that a drawn one is measured against
TURNED_LEVELS = 0.5  # of a nearly grey picture's palettes: right ones were 0.9 to 2.9 nearer
TINY_PIXELS = 2048  # a drawing of so few pixels has one for each swatch


@dataclass(frozen=True)
class Palette:
    """The colours (n, 3) of the swatches in a drawing; `compact` is their share of what is flat.

    A photograph has hardly any flat areas; a picture reduced to few colours has many ragged ones.
    """

    colours: Any
    compact: float


def in_drawing(pixels: Any) -> Palette:
    """The swatches of a drawing, the page that they stand on left out."""
    height, width = pixels.shape[:2]
    if height * width <= TINY_PIXELS:
        pixels = np.repeat(np.repeat(pixels, 24, axis=0), 24, axis=1)
        height, width = pixels.shape[:2]
    colours, flat_area, compact_area = [], 0, 0
    for box, area, mask in flat_areas(pixels):
        left, top, right, bottom = box
        touched = (left == 0) + (top == 0) + (right == width) + (bottom == height)
        if touched == 4 and area < 0.98 * height * width:
            continue  # the page
        flat_area += area
        if solidity(mask) >= LEAST_SOLIDITY:
            compact_area += area
            colours.append(np.median(pixels[top:bottom, left:right][mask], axis=0))
    share = compact_area / flat_area if flat_area else 0.0
    return Palette(distinct(np.array(colours).reshape(-1, 3)), share)


def flat_areas(pixels: Any) -> list[tuple[tuple[int, int, int, int], int, Any]]:
    """Areas of one colour: box (left, top, right, bottom), pixels, and mask within the box."""
    height, width = pixels.shape[:2]
    codes = pixels.astype(np.int32) // 2 @ np.array([16384, 128, 1])
    areas = []
    values, counts = np.unique(codes, return_counts=True)
    for value in values[counts >= LEAST_SHARE * height * width]:
        one = (codes == value).astype(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(one, connectivity=4)
        for number, (left, top, across, down, area) in enumerate(stats):
            if number and area >= LEAST_SHARE * height * width:
                box = int(left), int(top), int(left + across), int(top + down)
                mask = labels[box[1] : box[3], box[0] : box[2]] == number
                areas.append((box, int(area), mask))
    return areas


def solidity(mask: Any) -> float:
    """The area of a shape over that of its convex hull; small holes (lettering) are filled."""
    padded = cv2.copyMakeBorder(mask.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    outlines, _ = cv2.findContours(padded, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    hull = float(cv2.contourArea(cv2.convexHull(outline)))
    return float(cv2.contourArea(outline)) / hull if hull else 0.0


def distinct(colours: Any) -> Any:
    """The colours without those that nearly repeat an earlier one."""
    kept: list[Any] = []
    for colour in colours:
        if all(np.linalg.norm(colour - other) > SAME_LEVELS for other in kept):
            kept.append(colour)
    return np.array(kept).reshape(-1, 3)


def sample(source: Any) -> Any:
    """Some thousand pixels (n, 3) evenly spread over a picture, as floats."""
    step = max(1, int(np.sqrt(source.shape[0] * source.shape[1] / SAMPLES)))
    return source[::step, ::step].reshape(-1, 3).astype(np.float32)


def distances(pixels: Any, colours: Any) -> Any:
    """From each pixel to the nearest colour."""
    chosen = colours.astype(np.float32)[nearest(pixels, colours)]
    return np.linalg.norm(pixels - chosen, axis=-1)


def nearest(pixels: Any, colours: Any) -> Any:
    """Index of the colour that each pixel is nearest to."""
    apart = np.linalg.norm(pixels[:, None, :] - colours[None].astype(np.float32), axis=-1)
    return apart.argmin(axis=1)


def chroma(colours: Any) -> float:
    """Mean range of the three channels, 0 for greys."""
    return float(np.mean(np.ptp(colours, axis=-1)))


def main_colours(pixels: Any, count: int) -> Any:
    """The `count` centres (k-means) that a picture's pixels lie nearest to."""
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 0.2)
    return cv2.kmeans(pixels, count, None, stop, 5, cv2.KMEANS_PP_CENTERS)[2]


def expect_palette_of(case: Case, drawing: Any, source: Any, file: str) -> None:
    """Assert that `drawing` shows a palette with the main colours of `source`."""
    found = in_drawing(drawing)
    count = len(found.colours)
    case.demand(
        "swatches",
        3 <= count <= 256 and found.compact >= LEAST_COMPACT,
        expected="3 to 256 plain areas of different colours",
        actual=f"{count}, {found.compact:.0%} of what is flat",
        file=file,
        message=f"{file} shows no palette: {count} plain areas of different colours were found.",
    )
    pixels = sample(source)
    off = distances(found.colours.astype(np.float32), pixels)
    foreign = found.colours[(off > 30) & ~is_paper(found.colours)]
    case.expect(
        "colours from the picture",
        len(foreign) <= 0.1 * count,
        expected="nine tenths of the swatches near a colour of the input",
        actual=f"{len(foreign)} of {count} are not in it",
        file=file,
    )
    miss, most = float(distances(pixels, found.colours).mean()), most_distance(pixels, count)
    case.expect(
        "all main colours",
        miss <= most,
        expected=f"pixels {most:.1f} levels or less from a swatch, on average",
        actual=f"{miss:.1f} levels",
        file=file,
    )
    turned = float(distances(pixels, found.colours[:, ::-1]).mean())
    case.expect(
        "red and blue in their places",
        miss <= turned + TURNED_LEVELS,
        expected=f"nearer to the picture than with red and blue exchanged ({turned:.1f} levels)",
        actual=f"{miss:.1f} levels",
        file=file,
    )
    before, after = chroma(pixels), chroma(found.colours[nearest(pixels, found.colours)])
    least = (0.4 if before >= DULL else LEAST_DULL) * before
    case.expect(
        "colourful as the picture",
        after >= least,
        expected=f"channels {least:.1f} levels or more apart, on average",
        actual=f"{after:.1f} levels",
        file=file,
    )


def most_distance(pixels: Any, count: int) -> float:
    """How far pixels may lie from a palette of `count` colours, on average."""
    three, best = (
        float(distances(pixels, main_colours(pixels, k)).mean())
        for k in (3, min(count, MOST_CENTRES))
    )
    return max(1.5 * best, 1.05 * three)


def is_paper(colours: Any) -> Any:
    """Mask of the colours that are nearly white: panels that swatches can stand on."""
    return np.all(colours >= 245, axis=-1)
