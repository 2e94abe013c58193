"""Measuring what an edit did to a picture, against the pristine picture that it was done to.

Pictures are arrays (height, width, 3) of uint8, red first. A picture "is still that picture" when
its broad shapes, its fine structure and its colours follow those of the original.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from PIL import Image

from runner.checks.case import Case
from runner.checks.pictures import images

WEIGHTS = np.array([0.299, 0.587, 0.114], dtype=np.float32)  # of the channels in brightness
MOST_PIXELS = 12_000_000  # of a picture whose size is asked for
MOST_SIDE = 3000  # of a drawing whose size is free


def original(case: Case, name: str) -> Any:
    """The pixels of the pristine input `name`."""
    return images.load(case.data / name)[1]


def read(case: Case, name: str, kind: str = "PNG") -> Any:
    """The output `name`, of Pillow's format `kind`.

    Pictures are measured in memory: one far larger than any that is asked for ends the check.
    """
    pixels = images.read(case, name, kind)
    height, width = pixels.shape[:2]
    case.demand(
        "size in pixels",
        height * width <= MOST_PIXELS,
        expected=f"{MOST_PIXELS:,} pixels at most",
        actual=f"{width} × {height}",
        file=name,
    )
    return pixels


def read_drawing(case: Case, name: str) -> Any:
    """The output `name`, a PNG of any size: made smaller where it is larger than needed."""
    pixels = images.read(case, name, "PNG")
    factor = MOST_SIDE / max(pixels.shape[:2])
    if factor < 1:
        size = [max(1, round(n * factor)) for n in pixels.shape[1::-1]]
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return pixels


def brightness(pixels: Any) -> Any:
    """The brightness of each pixel, 0 to 255."""
    return pixels[..., :3].astype(np.float32) @ WEIGHTS


def colour_differences(pixels: Any) -> Any:
    """Red less green and blue less green of each pixel: what a grey picture has none of."""
    found = np.empty((*pixels.shape[:-1], 2), np.float32)
    green = pixels[..., 1].astype(np.float32)
    np.subtract(pixels[..., 0], green, out=found[..., 0])
    np.subtract(pixels[..., 2], green, out=found[..., 1])
    return found


def chroma(pixels: Any) -> float:
    """Colourfulness of a picture: mean range of a pixel's three channels, 0 (grey) to 255."""
    red, green, blue = (pixels[..., channel].astype(np.int16) for channel in range(3))
    most, least = (f(f(red, green), blue) for f in (np.maximum, np.minimum))
    return float(np.mean(most - least))


def contrast(pixels: Any) -> float:
    """Standard deviation of the brightness in levels."""
    return float(brightness(pixels).std())


def fine_structure(pixels: Any) -> Any:
    """The part of the brightness that a slight blur removes."""
    grey = brightness(pixels)
    return grey - images.smooth(grey, 3)


def require_same_size(case: Case, actual: Any, expected: Any, file: str) -> None:
    """Assert that two pictures have one size in pixels; what is measured later needs it."""
    images.require_size(case, actual, expected.shape[1], expected.shape[0], file)


@dataclass(frozen=True)
class Kept:
    """Correlations of an edited picture with the original, 1 all kept, 0 nothing in common."""

    broad: float
    fine: float
    colours: float


def kept(actual: Any, source: Any) -> Kept:
    """Share of `source` that is still in `actual`, of the same size."""
    broad = images.likeness(
        images.smooth(brightness(actual), 2), images.smooth(brightness(source), 2)
    )
    fine = images.likeness(fine_structure(actual), fine_structure(source))
    colours = images.likeness(
        images.smooth(colour_differences(actual), 2), images.smooth(colour_differences(source), 2)
    )
    return Kept(broad, fine, colours)


def expect_kept(
    case: Case,
    actual: Any,
    source: Any,
    file: str,
    broad: float = 0.85,
    fine: float = 0.8,
    colours: float | None = 0.8,
) -> None:
    """Assert that `actual` still is `source` but for a change of tone.

    The limits are correlations; without `colours` they may be anything.
    """
    found = kept(actual, source)
    measures = [
        ("same shapes as the input", found.broad, broad),
        ("same detail as the input", found.fine, fine),
    ]
    if colours is not None:
        measures.append(("same colours as the input", found.colours, colours))
    for name, value, least in measures:
        case.expect(
            name,
            value >= least,
            expected=f"correlation of {least:g} or more",
            actual=f"{value:.2f}",
            file=file,
        )


def expect_changed(
    case: Case,
    name: str,
    actual: float,
    before: float,
    least: float,
    most: float,
    file: str,
) -> bool:
    """Assert that a statistic became `least` to `most` times what it was in the input."""
    ratio = actual / before if before else float("inf")
    return case.expect(
        name,
        least <= ratio <= most,
        expected=f"{least:g} to {most:g} times the input's {before:.4g}",
        actual=f"{actual:.4g}, {ratio:.3f} times",
        file=file,
    )


def expect_tones(
    case: Case,
    actual: Any,
    source: Any,
    file: str,
    *,
    colourfulness: tuple[float, float],
    brightness_mean: tuple[float, float],
    brightness_spread: tuple[float, float],
) -> None:
    """Assert that a picture's colours and brightness became so many times those of `source`.

    Each range is the least and the most: of the chroma, of the mean brightness, and of the
    standard deviation of the brightness.
    """
    measures: list[tuple[str, Callable[[Any], float], tuple[float, float]]] = [
        ("colourfulness", chroma, colourfulness),
        ("mean brightness", lambda pixels: float(brightness(pixels).mean()), brightness_mean),
        ("spread of the brightness", contrast, brightness_spread),
    ]
    for name, measure, (least, most) in measures:
        expect_changed(case, name, measure(actual), measure(source), least, most, file)


def expect_same_picture(
    case: Case,
    actual: Any,
    expected: Any,
    file: str,
    tolerance: float = 4.0,
    exact: bool = True,
) -> None:
    """Assert that `actual` shows `expected`: colours, detail and, when `exact`, position.

    Without `exact` it may have been resampled by any method.
    """
    require_same_size(case, actual, expected, file)
    seen, wanted = (images.smooth(pixels, 1) for pixels in (actual, expected))
    images.expect_alike(case, "content", seen, wanted, tolerance, file)
    if exact and min(expected.shape[:2]) > 20:
        images.expect_in_place(case, "position", actual, expected, file)


def expect_turned(case: Case, file: str, source: Any, wanted: Iterable[str]) -> None:
    """Assert that the output `file` is `source` after one of the `wanted` TURNS, and no other."""
    actual = read(case, file)
    wanted = list(wanted)
    found = nearest_turn(actual, source)
    case.demand(
        "how the picture was turned",
        found in wanted,
        expected=" or ".join(wanted),
        actual=found or "nothing like the input",
        file=file,
        message=f"{file} is {article(found)}, it should be {' or '.join(map(article, wanted))}.",
    )
    expect_same_picture(case, actual, TURNS[found](source), file)


TURNS: dict[str, Any] = {
    "unchanged": lambda p: p,
    "turned left": lambda p: np.rot90(p, 1),
    "turned by half": lambda p: np.rot90(p, 2),
    "turned right": lambda p: np.rot90(p, 3),
    "mirrored left to right": lambda p: p[:, ::-1],
    "flipped upside down": lambda p: p[::-1],
    "transposed": lambda p: p.transpose(1, 0, 2),
    "transposed the other way": lambda p: np.rot90(p, 2).transpose(1, 0, 2),
}


def article(turn: str) -> str:
    """Phrase for a sentence saying that the input was turned so."""
    return f"the input {turn}" if turn else "not like the input however turned"


def nearest_turn(actual: Any, source: Any, least: float = 0.9) -> str:
    """Name of the entry of TURNS that makes `actual` from `source`, of any size; "" if none is
    near."""
    small = thumbnail(actual)
    scores = {name: images.likeness(small, thumbnail(turn(source))) for name, turn in TURNS.items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] >= least else ""


def thumbnail(pixels: Any, side: int = 64) -> Any:
    """The picture squeezed into a square."""
    return cv2.resize(np.ascontiguousarray(pixels), (side, side), interpolation=cv2.INTER_AREA)


def scaled(pixels: Any, width: int, height: int) -> Any:
    """The picture at another size, without aliasing."""
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    return np.asarray(picture.resize((width, height), Image.Resampling.BILINEAR))


def share_moved(actual: Any, source: Any, least: float = 3.0) -> tuple[float, float]:
    """Shares of the pixels that became darker and brighter by `least` levels or more.

    Pixels of the source too dark (too bright) to become more so by that much are left out.
    """
    before, after = brightness(source), brightness(actual)
    can_fall, can_rise = before >= least, before <= 255 - least
    darker = np.mean(before[can_fall] - after[can_fall] >= least) if can_fall.any() else 0.0
    brighter = np.mean(after[can_rise] - before[can_rise] >= least) if can_rise.any() else 0.0
    return float(darker), float(brighter)


def slope(actual: Any, source: Any) -> float:
    """By how many levels the brightness rises for one level of the source, where not clipped."""
    before, after = brightness(source), brightness(actual)
    free = (before > 3) & (before < 252) & (after > 3) & (after < 252)
    if free.sum() < 50 or before[free].std() == 0:
        return 0.0
    return float(np.polyfit(before[free], after[free], 1)[0])
