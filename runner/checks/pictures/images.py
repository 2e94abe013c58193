"""Reading pictures that an agent made, and measuring them by their pixels.

A picture is an array (height, width, 3) of uint8, red first; with `alpha` it has a fourth channel.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageSequence

from runner.checks.case import Case

MOST_PIXELS = 40_000_000
MOST_FRAMES = 500
PORTION = 1 << 16  # values looked at together
ORIENTATION_TAG = 0x0112
PART_SHARE, LEAST_PART_PX = 24, 8  # parts: squares of a 24th of the shorter side, or 8 px
PART_TIMES, PART_LEVELS = 5.0, 12.0  # by which the worst part may be off: more than the mean


@dataclass(frozen=True)
class Island:
    """A connected area of a mask: its box in pixels and how many pixels belong to it."""

    left: int
    top: int
    width: int
    height: int
    area: int


@dataclass(frozen=True)
class Frame:
    """One picture of an animation and how long it is shown."""

    pixels: Any
    duration_ms: int


def read(case: Case, name: str, kind: str, alpha: bool = False) -> Any:
    """The pixels of the output `name`, which must be of Pillow's format `kind` ("PNG").

    Without `alpha` they are seen on white, so that what is transparent is not there.
    """
    with case.reading(name, f"a {kind} picture") as path:
        found, pixels = load(path, "RGBA")
    case.demand("file format", found == kind, expected=kind, actual=found, file=name)
    return pixels if alpha else on_white(pixels)


def load(path: Path, mode: str = "RGB") -> tuple[str, Any]:
    """Format and pixels of a still picture, as stored: no orientation tag is applied.

    ValueError for an animation: viewers may play other frames than the one that is read here.
    """
    with opened(path) as picture:
        if getattr(picture, "n_frames", 1) > 1:
            raise ValueError("it is an animation, where a still picture is wanted")
        return str(picture.format), np.asarray(picture.convert(mode))


def opened(path: Path) -> Image.Image:
    """The picture in `path`, refused with ValueError when it is absurdly large."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        picture = Image.open(path)
    if picture.width * picture.height > MOST_PIXELS:
        raise ValueError(f"{picture.width} × {picture.height} pixels are too many")
    return picture


def load_frames(path: Path) -> list[Frame]:
    """Every frame of an animation as it appears on screen."""
    frames: list[Frame] = []
    with opened(path) as picture:
        for page in ImageSequence.Iterator(picture):
            if len(frames) == MOST_FRAMES:
                raise ValueError(f"more than {MOST_FRAMES} frames")
            duration_ms = round(float(page.info.get("duration", 0)))
            frames.append(Frame(np.asarray(page.convert("RGB")), duration_ms))
    return frames


def orientation(case: Case, name: str) -> int:
    """The EXIF orientation that a viewer applies: 1 (as stored) when none is given."""
    with case.reading(name, "a picture") as path, opened(path) as picture:
        return int(picture.getexif().get(ORIENTATION_TAG, 1))


def loops_forever(case: Case, name: str) -> bool:
    """True if an animation is marked to repeat without end."""
    with case.reading(name, "an animation") as path, opened(path) as picture:
        return picture.info.get("loop") == 0


def read_animation(case: Case, name: str, kind: str) -> list[Frame]:
    """The frames of the output `name`, which must be of Pillow's format `kind` ("GIF")."""
    with case.reading(name, f"a {kind} animation") as path:
        with opened(path) as picture:
            found = str(picture.format)
        frames = load_frames(path)
    case.demand("file format", found == kind, expected=kind, actual=found, file=name)
    return frames


def require_size(case: Case, pixels: Any, width: int, height: int, file: str) -> None:
    """Assert the size in pixels; what is measured later needs it."""
    actual = f"{pixels.shape[1]} × {pixels.shape[0]}"
    wanted = f"{width} × {height}"
    case.demand("size in pixels", actual == wanted, expected=wanted, actual=actual, file=file)


def expect_alike(
    case: Case, name: str, actual: Any, expected: Any, tolerance: float, file: str
) -> None:
    """Assert that two pictures of one size differ by `tolerance` levels at most, on average.

    No part of them may differ by far more: what is drawn over a small part is not lost in a mean.
    """
    off, worst = difference(actual, expected), worst_part(actual, expected)
    most = PART_TIMES * tolerance + PART_LEVELS
    case.expect(
        name,
        off <= tolerance and worst <= most,
        expected=f"mean difference of {tolerance:g} levels at most, {most:g} in any part",
        actual=f"{off:.2f} levels, {worst:.1f} in the worst part",
        file=file,
    )


def worst_part(actual: Any, expected: Any) -> float:
    """Mean difference in levels in that small square in which two pictures differ most."""
    if actual.ndim < 3 or not actual.size:
        return difference(actual, expected)
    if actual.dtype == expected.dtype == np.uint8:
        apart = cv2.absdiff(*(np.ascontiguousarray(p) for p in (actual, expected)))
    else:
        apart = np.abs(actual.astype(np.float32) - expected.astype(np.float32))
    off = apart.mean(axis=-1, dtype=np.float32)
    side = max(LEAST_PART_PX, min(off.shape) // PART_SHARE)
    return float(cv2.blur(off, (side, side), borderType=cv2.BORDER_REFLECT).max())


def difference(one: Any, other: Any) -> float:
    """Mean absolute difference in levels (0 to 255) of two arrays of one shape."""
    if one.size == 0:
        return 0.0
    if one.dtype == other.dtype == np.uint8:
        pair = np.ascontiguousarray(one), np.ascontiguousarray(other)
        return float(cv2.norm(*pair, cv2.NORM_L1) / one.size)
    return float(np.mean(np.abs(one.astype(np.int16) - other.astype(np.int16))))


def shift(actual: Any, expected: Any, reach: int = 3) -> tuple[int, int]:
    """By how many pixels (right, down) `actual` lies off `expected`, within ±`reach`."""
    height, width = expected.shape[:2]
    core = expected[reach : height - reach, reach : width - reach]
    if np.array_equal(actual, expected):
        return 0, 0
    offsets = [(x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1)]

    def miss(offset: tuple[int, int]) -> float:
        left, top = reach + offset[0], reach + offset[1]
        part = actual[top : top + core.shape[0], left : left + core.shape[1]]
        return difference(part, core)

    return min(offsets, key=miss)


def expect_in_place(case: Case, name: str, actual: Any, expected: Any, file: str) -> None:
    """Assert that the content is not moved against what is expected, not by one pixel."""
    found = shift(actual, expected)
    case.expect(
        name,
        found == (0, 0),
        expected="0 px to the right, 0 px down",
        actual=f"{found[0]} px to the right, {found[1]} px down",
        file=file,
    )


def on_white(pixels: Any) -> Any:
    """A picture with an alpha channel as it looks on white."""
    if pixels[..., 3].min() == 255:
        return np.ascontiguousarray(pixels[..., :3])
    alpha = pixels[..., 3:].astype(np.float32) / 255
    return np.rint(pixels[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)


def detail(pixels: Any) -> float:
    """Amount of fine structure in a picture: standard deviation of its Laplacian."""
    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_64F).std())


def smooth(pixels: Any, sigma: float) -> Any:
    """The picture after a Gaussian blur of `sigma` pixels."""
    return cv2.GaussianBlur(pixels, (0, 0), sigma)


def likeness(one: Any, other: Any) -> float:
    """Correlation of two arrays of one shape: 1 the same up to brightness, 0 nothing in common."""
    middles = float(one.mean()), float(other.mean())
    flat = one.ravel(), other.ravel()
    both = squares = others = 0.0
    for start in range(0, one.size, PORTION):  # in pieces that a processor's cache holds
        a, b = (
            part[start : start + PORTION].astype(np.float64) - middle
            for part, middle in zip(flat, middles, strict=True)
        )
        both, squares, others = both + float(a @ b), squares + float(a @ a), others + float(b @ b)
    scale = math.sqrt(squares) * math.sqrt(others)
    return both / scale if scale else 0.0


def of_colour(pixels: Any, colour: str, tolerance: int = 24) -> Any:
    """Mask of the pixels whose channels are all within `tolerance` of `colour` ("#1f77b4")."""
    return distance(pixels, rgb(colour)) <= tolerance


def distance(pixels: Any, colour: Sequence[float]) -> Any:
    """Distance of each pixel from `colour` in the channel in which it is farthest, in levels."""
    farthest = np.abs(pixels[..., 0] - np.float32(colour[0]))
    for channel in (1, 2):
        off = np.abs(pixels[..., channel] - np.float32(colour[channel]))
        np.maximum(farthest, off, out=farthest)
    return farthest


def commonest(pixels: Any) -> Any:
    """The commonest colour of a picture, such as its ground."""
    flat = pixels.reshape(-1, 3)
    coarse = (flat >> 3).astype(np.uint16)
    codes = coarse[:, 0] << 10 | coarse[:, 1] << 5 | coarse[:, 2]  # five bits a channel
    return np.median(flat[codes == np.bincount(codes).argmax()], axis=0)


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def islands(mask: Any, least_area: int = 1) -> list[Island]:
    """The connected areas of `mask` of at least `least_area` pixels, largest first."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    found = [Island(*(int(value) for value in row)) for row in stats[1:]]
    return sorted((island for island in found if island.area >= least_area), key=lambda i: -i.area)


def body(mask: Any, bar: Island) -> Island:
    """A bar without what hangs on its ends: the edges of letters may look like its colour."""
    box = mask[bar.top : bar.top + bar.height, bar.left : bar.left + bar.width]
    rows, columns = (np.flatnonzero(box.mean(axis=side) >= 0.5) for side in (1, 0))
    if not len(rows) or not len(columns):
        return bar
    return replace(
        bar,
        left=bar.left + int(columns[0]),
        top=bar.top + int(rows[0]),
        width=int(np.ptp(columns)) + 1,
        height=int(np.ptp(rows)) + 1,
    )


def labels(mask: Any) -> Any:
    """The connected areas of `mask`, numbered from 1; 0 elsewhere."""
    return cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)[1]
