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
BELLS = (0.0, 0.25, 0.33, 0.45)  # sigma over side of kernels that cut the bell off; 0: by OpenCV
MOST_PIXELS = 12_000_000  # of a picture whose size is asked for
MOST_COARSER = 0.5  # share of pixels like their neighbour, above what is expected
MOST_WANDERING = 3.0  # levels; a confetti of 30 levels either way has 3.8
MOST_MISSED = 4.0  # levels by which a part may differ from the picture that it was cut from
FAR_LEVELS, MOST_FAR = 32, 0.01  # levels of brightness; share of the pixels
KEY_BITS, KEY_ZERO = 10, 512  # of a value in a key that is sorted
SAME_LEVELS, MOST_UNLIKE = 10, 0.004  # of a picture that was only moved; share of the pixels
LEAST_TONES = 20  # of brightness, below which a photograph is a poster
MOST_SIDE = 3000  # of a drawing whose size is free


def original(case: Case, name: str) -> Any:
    """The pixels of the pristine input `name`."""
    return images.load(case.data / name)[1]


def read(case: Case, name: str, kind: str = "PNG") -> Any:
    """The output `name`, opaque and of Pillow's format `kind`.

    Pictures are measured in memory: one far larger than any that is asked for ends the check.
    """
    pixels = images.read(case, name, kind, alpha=True, must_be_opaque=True)
    height, width = pixels.shape[:2]
    case.demand(
        "size in pixels",
        height * width <= MOST_PIXELS,
        expected=f"{MOST_PIXELS:,} pixels at most",
        actual=f"{width} × {height}",
        file=name,
    )
    return images.on_white(pixels)


def read_drawing(case: Case, name: str) -> Any:
    """The output `name`, a PNG of any size: made smaller where it is larger than needed."""
    pixels = images.read(case, name, "PNG", alpha=True)
    factor = MOST_SIDE / max(pixels.shape[:2])
    if factor < 1:
        size = [max(1, round(n * factor)) for n in pixels.shape[1::-1]]
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return images.on_white(pixels)


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


def unevenness(actual: Any, source: Any) -> tuple[float, float]:
    """Distance of pixels from what became of their colour elsewhere: the mean, and the worst part.

    Both are shares of the contrast. An edit of tone has 0.1 and 0.6 at most, where no part is
    treated by itself; colours out of the blue have a high mean, a box drawn over a part the other.
    """
    codes = (source >> 4).astype(np.int32) @ np.array([256, 16, 1], np.int32)
    off = np.zeros(codes.shape, np.float32)
    for channel in range(3):
        values = actual[..., channel]
        off += np.abs(values - medians_by(codes, values))
    off /= 3
    side = max(images.LEAST_PART_PX, min(off.shape) // images.PART_SHARE)
    worst = cv2.blur(off, (side, side), borderType=cv2.BORDER_REFLECT).max()
    scale = max(contrast(actual), 1.0)
    return float(off.mean()) / scale, float(worst) / scale


def medians_by(codes: Any, values: Any) -> Any:
    """For each pixel the median of `values` over all pixels of its code.

    Codes are below 2 ** 24 and values whole numbers between -512 and 511. One sort of both at once
    costs a third of sorting the codes and cutting the values into groups.
    """
    keys = np.sort(
        (codes.astype(np.int64).ravel() << KEY_BITS) + (values.ravel().astype(np.int64) + KEY_ZERO)
    )
    groups = keys >> KEY_BITS
    starts = np.flatnonzero(np.concatenate([[True], groups[1:] != groups[:-1]]))
    ends = np.append(starts[1:], len(keys)) - 1
    middles = ((starts + ends) // 2, (starts + ends + 1) // 2)
    low, high = ((keys[middle] & (2 * KEY_ZERO - 1)) - KEY_ZERO for middle in middles)
    known = np.empty(int(groups[-1]) + 1, np.float32)
    known[groups[starts]] = (low + high) / 2
    return known[codes]


def expect_even(
    case: Case, actual: Any, source: Any, file: str, mean: float = 0.3, worst: float = 0.9
) -> None:
    """Assert that each colour of `source` became the same everywhere in `actual`, or nearly so."""
    found = unevenness(actual, source)
    case.expect(
        "changed alike everywhere",
        found[0] <= mean and found[1] <= worst,
        expected=f"{mean:.0%} of its contrast off on average, {worst:.0%} in any part, at most",
        actual=f"{found[0]:.0%} on average, {found[1]:.0%} in the worst part",
        file=file,
        message=f"{file} is changed in another way in a part of it than elsewhere.",
    )


def wandering(actual: Any, source: Any) -> tuple[float, float]:
    """By how many levels colours differ, from pixel to pixel, where those of `source` are the same.

    An edit of tone has 0.7 at most, 1.6 where each channel is equalised by parts. The second
    number is the share of the pixels whose brightness differs by far: 0 where all are edited
    alike, 0.007 where the brightness is equalised by parts, 0.012 under snow on every fiftieth.
    """
    codes = source.astype(np.int32) @ np.array([65536, 256, 1], np.int32)
    seen = np.dstack([colour_differences(actual), brightness(actual)])
    off = np.empty_like(seen)
    for channel in range(3):
        values = np.rint(seen[..., channel]).astype(np.int32)
        off[..., channel] = seen[..., channel] - medians_by(codes, values)
    off = np.abs(off - images.smooth(off, 2))
    return float(off[..., :2].mean()), float((off[..., 2] > FAR_LEVELS).mean())


def expect_shaded(case: Case, actual: Any, file: str, least: int = LEAST_TONES) -> None:
    """Assert that a photograph has kept its shades: it was not cut down to a few levels."""
    counts = np.bincount(np.rint(brightness(actual)).astype(np.int64).ravel(), minlength=256)
    tones = int((counts > 1e-4 * counts.sum()).sum())
    case.expect(
        "shades kept",
        tones >= least,
        expected=f"{least} levels of brightness or more",
        actual=f"{tones}",
        file=file,
        message=f"{file} has {tones} levels of brightness left.",
    )


def expect_one_tone_each(case: Case, actual: Any, source: Any, file: str) -> None:
    """Assert that pixels of about one colour in `source` have one brightness in `actual`.

    So it is where each pixel's brightness follows from its colour alone, as in a grey picture.
    """
    codes = (source >> 2).astype(np.int32) @ np.array([4096, 64, 1], np.int32)
    seen = brightness(actual)
    off = np.abs(seen - medians_by(codes, np.rint(seen).astype(np.int32)))
    share = float((off > SAME_LEVELS).mean())
    case.expect(
        "the same brightness wherever the colour is the same",
        share <= MOST_UNLIKE,
        expected=f"{MOST_UNLIKE:.1%} of the pixels at most over {SAME_LEVELS} levels off",
        actual=f"{share:.1%}",
        file=file,
        message=f"Something lies over the picture in {file}.",
    )


def expect_steady_colours(
    case: Case, actual: Any, source: Any, file: str, most: float = MOST_WANDERING
) -> None:
    """Assert that pixels of one colour in `source` have not become a confetti, or snow."""
    found, far = wandering(actual, source)
    case.expect(
        "colours steady from pixel to pixel",
        found <= most,
        expected=f"{most:g} levels apart at most, where the input's are the same",
        actual=f"{found:.1f} levels",
        file=file,
    )
    case.expect(
        "nothing scattered over it",
        far <= MOST_FAR,
        expected=f"{MOST_FAR:.1%} of the pixels at most of another brightness than those around, "
        "where the input's are the same",
        actual=f"{far:.1%}",
        file=file,
        message=f"Lines, letters or spots lie over the picture in {file}.",
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
    source: Any = None,
) -> None:
    """Assert that `actual` shows `expected`: colours, detail and, when `exact`, position.

    Without `exact` it may have been resampled by any method, from `source`.
    """
    require_same_size(case, actual, expected, file)
    coarse = coarseness(actual)
    most = min(1.0, coarseness(expected) + MOST_COARSER)
    case.expect(
        "as fine as the input",
        coarse <= most,
        expected=f"{most:.0%} of the pixels like their neighbour at most",
        actual=f"{coarse:.0%}",
        file=file,
        message=f"{file} is in coarse blocks.",
    )
    blurred = images.smooth(expected, 1)
    is_same = np.array_equal(actual, expected)
    seen = blurred if is_same else images.smooth(actual, 1)
    images.expect_alike(case, "content", seen, blurred, tolerance, file)
    images.expect_no_strays(
        case, actual, expected if source is None else source, file, most=images.MOST_STRAY_RESIZED
    )
    if exact:
        expect_same_pixels(case, actual, expected, file)
    if exact and min(expected.shape[:2]) > 20:
        images.expect_in_place(case, "position", actual, expected, file)


def expect_same_pixels(case: Case, actual: Any, expected: Any, file: str) -> None:
    """Assert that hardly any pixel has another brightness: what was only moved is not resampled.

    Decoders of JPEG differ by a few levels, and by more in their colours.
    """
    off = np.abs(brightness(actual) - brightness(expected))
    share = float((off > SAME_LEVELS).mean())
    case.expect(
        "each pixel as it was",
        share <= MOST_UNLIKE,
        expected=f"{MOST_UNLIKE:.1%} of the pixels at most over {SAME_LEVELS} levels off",
        actual=f"{share:.1%}",
        file=file,
    )


def coarseness(pixels: Any) -> float:
    """Share of the pixels that equal their neighbour, on the right or below: whichever is less."""
    if min(pixels.shape[:2]) < 2:
        return 0.0
    same = [(np.diff(pixels, axis=axis) == 0).all(axis=-1).mean() for axis in (0, 1)]
    return float(min(same))


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


def place_of(part: Any, whole: Any) -> tuple[int, int, float]:
    """Find `part` in `whole`, unscaled: left, top, and mean difference in levels there.

    More when a small part of it is far off, infinite when it cannot lie there at all.
    """
    height, width = part.shape[:2]
    if height > whole.shape[0] or width > whole.shape[1] or not part.size:
        return 0, 0, float("inf")
    misses = cv2.matchTemplate(
        np.ascontiguousarray(whole), np.ascontiguousarray(part), cv2.TM_SQDIFF
    )
    top, left = (int(v) for v in np.unravel_index(np.argmin(misses), misses.shape))
    there = whole[top : top + height, left : left + width]
    worst = (images.worst_part(part, there) - images.PART_LEVELS) / images.PART_TIMES
    return left, top, max(images.difference(part, there), worst)


def require_cut_from(case: Case, actual: Any, source: Any, file: str) -> tuple[int, int]:
    """Assert that `actual` is a part of `source`, unscaled; its left and top there."""
    left, top, miss = place_of(actual, source)
    case.demand(
        "cut from the input, unscaled",
        miss <= MOST_MISSED,
        expected="every pixel as in the input",
        actual=f"{miss:.1f} levels off on average at its best place",
        file=file,
        message=f"{file} is not found in the input, not as a part of it at the input's own scale.",
    )
    height, width = actual.shape[:2]
    images.expect_no_strays(case, actual, source[top : top + height, left : left + width], file)
    return left, top


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


def gaussian_fit(actual: Any, source: Any) -> tuple[float, float, int]:
    """Nearest Gaussian blur of `source`: its sigma in pixels, what is left to explain, and the side
    of its kernel, 0 for a whole bell.

    What is left is the mean difference from that blur as a share of the difference from the
    unblurred source: to 0.06 for a Gaussian blur of any library, more than 0.07 for other blurs.
    """
    before, after = brightness(source), brightness(actual)
    change = float(np.abs(after - before).mean())
    if change == 0:
        return 0.0, 1.0, 0
    kernels = [(0, 0.5 * 1.15**step) for step in range(32)]  # whole bells to 38 px
    kernels += [(side, side * share) for side in (3, 5, 7, 9, 11, 15, 21, 31) for share in BELLS]
    misses = []
    for side, sigma in kernels:
        blur = cv2.GaussianBlur(before, (side, side), sigma)
        misses.append((float(np.abs(after - blur).mean()) / change, sigma, side))
    miss, sigma, side = min(misses)
    return sigma, miss, side


@dataclass(frozen=True)
class Noise:
    """Noise that was added to a picture, by the level that it was added to."""

    deviation: float  # in levels
    bias: float  # mean over the levels, as a share of the level
    growth: float  # exponent of the variance over the level: 1 Poisson, 0 Gaussian, 2 speckle
    wrapped: float  # share of the nearly white values that came out nearly black


def noise(actual: Any, source: Any) -> Noise:
    """The noise in `actual` against `source`, from levels far enough from black and white."""
    before = source.astype(np.float32)
    added = actual.astype(np.float32) - before
    levels, variances, biases = [], [], []
    for low in range(8, 216, 16):
        here = (before >= low) & (before < low + 16)
        if here.sum() >= 300:
            levels.append(float(before[here].mean()))
            variances.append(float(added[here].var()) + 1e-6)
            biases.append(float(added[here].mean()) / levels[-1])
    if len(levels) < 4:
        return Noise(0.0, 0.0, 0.0, 0.0)
    growth = float(np.polyfit(np.log(levels), np.log(variances), 1)[0])
    white = actual[before >= 224]
    wrapped = float(np.mean(white < 48)) if white.size else 0.0
    return Noise(float(np.sqrt(np.mean(variances))), float(np.mean(biases)), growth, wrapped)
