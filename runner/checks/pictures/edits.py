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
MOST_COARSER = 0.5  # share of pixels like their neighbour, above what is expected
MOST_WANDERING = 3.0  # levels; a confetti of 30 levels either way has 3.8
FAR_LEVELS, MOST_FAR = 32, 0.01  # levels of brightness; share of the pixels
KEY_BITS, KEY_ZERO = 10, 512  # of a value in a key that is sorted
SAME_LEVELS, MOST_UNLIKE = 10, 0.004  # of a picture that was only moved; share of the pixels
LAID_LEVELS = 5.0  # smoothed, so that decoders' differences average out
LOOSE_LEVELS, MOST_LOOSE = 8.0, 0.04  # of a picture resampled: by the nearest pixel too
TINT_SIGMA, TINT_LEVELS, MOST_TINTED = 6, 9.0, 0.01  # of the colours: JPEG has them coarser
FIGURE_LEVELS, FIGURE_SHARE, MOST_FIGURES = 6.0, 0.12, 0.1  # of the contrast; of the pixels
BROAD_PX = 16  # to which sigma is brought where a blur is broad
LEAST_SHARP = 0.5  # of the input's detail for its contrast: a steep gamma curve leaves 0.7
LEAST_TONES = 20  # of brightness, below which a photograph is a poster
MOST_SIDE = 3000  # of a drawing whose size is free
SPOT_PX, MOST_SPOT = 8, 12.0  # a side of a spot; levels of brightness, where nothing is resampled
MOST_DETAIL = 1.3  # of the nearest pixel's, which is the sharpest way to resample


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


def expect_no_figures(case: Case, actual: Any, source: Any, file: str) -> None:
    """Assert that no lettering lies over a picture whose tones were edited, however pale.

    That is where pixels of about one colour in `source` have become lighter or darker than
    elsewhere, over more than a few pixels and less than a twelfth of the picture: 10 % of it and
    more under letters of 12 levels, 6 % at most where tones are equalised by parts or by channel.
    """
    codes = (source >> 2).astype(np.int32) @ np.array([4096, 64, 1], np.int32)
    seen = brightness(actual)
    off = seen - medians_by(codes, np.rint(seen).astype(np.int32))
    off = images.smooth(off, 2) - broad(off, max(3, min(off.shape) / 12))
    levels = min(FIGURE_LEVELS, max(2.0, FIGURE_SHARE * contrast(actual)))
    share = float((np.abs(off) > levels).mean())
    case.expect(
        "nothing laid over it",
        share <= MOST_FIGURES,
        expected=f"{MOST_FIGURES:.0%} of it at most {levels:.1f} levels from what became of its "
        "colour elsewhere",
        actual=f"{share:.0%}",
        file=file,
        message=f"Lettering or spots lie over the picture in {file}.",
    )


def broad(values: Any, sigma: float) -> Any:
    """`values` after a Gaussian blur of many pixels, computed in a picture made smaller."""
    factor = max(1.0, sigma / BROAD_PX)
    size = [max(1, round(side / factor)) for side in values.shape[1::-1]]
    small = cv2.resize(values, size, interpolation=cv2.INTER_AREA)
    return cv2.resize(images.smooth(small, sigma / factor), values.shape[1::-1])


def expect_sharp(case: Case, actual: Any, source: Any, file: str) -> None:
    """Assert that a picture whose tones were edited is about as sharp as `source`."""
    found, before = (images.detail(p) / max(contrast(p), 0.5) for p in (actual, source))
    case.expect(
        "as sharp as the input",
        found >= LEAST_SHARP * before,
        expected=f"{LEAST_SHARP:.0%} of the input's detail or more, for its contrast",
        actual=f"{found / max(before, 1e-6):.0%}",
        file=file,
        message=f"The picture in {file} is smeared.",
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
    most_unlike: float = MOST_UNLIKE,
) -> None:
    """Assert that `actual` shows `expected`: colours, detail and, when `exact`, position.

    Without `exact` it may have been resampled by any method, from `source`. `most_unlike` is the
    share of pixels that may differ: more where it was saved as a JPEG.
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
    if not exact:
        expect_sharp(case, actual, expected, file)
        expect_not_hatched(case, actual, expected if source is None else source, file)
        expect_nothing_laid_over(case, actual, expected, file, resampled=True)
    if exact:
        expect_same_pixels(case, actual, expected, file, most_unlike)
    if exact and min(expected.shape[:2]) > 20:
        images.expect_in_place(case, "position", actual, expected, file)


def expect_not_hatched(case: Case, actual: Any, source: Any, file: str) -> None:
    """Assert that a picture was resampled from `source` and has no finer detail than that gives."""
    size = actual.shape[1::-1]
    sharpest = cv2.resize(np.ascontiguousarray(source), size, interpolation=cv2.INTER_NEAREST)
    most = MOST_DETAIL * images.detail(sharpest) + 1
    found = images.detail(actual)
    case.expect(
        "no detail of its own",
        found <= most,
        expected=f"{most:.1f} at most, about that of the nearest pixels",
        actual=f"{found:.1f}",
        file=file,
    )


def expect_same_pixels(
    case: Case, actual: Any, expected: Any, file: str, most: float = MOST_UNLIKE
) -> None:
    """Assert that hardly any pixel has another brightness: what was only moved is not resampled.

    Decoders of JPEG differ by a few levels, and by more in their colours.
    """
    expect_nothing_laid_over(case, actual, expected, file)
    off = np.abs(brightness(actual) - brightness(expected))
    share = float((off > SAME_LEVELS).mean())
    if most == MOST_UNLIKE:
        expect_no_spot(case, off, file)
    case.expect(
        "each pixel as it was",
        share <= most,
        expected=f"{most:.1%} of the pixels at most over {SAME_LEVELS} levels off",
        actual=f"{share:.1%}",
        file=file,
    )


def expect_no_spot(case: Case, off: Any, file: str, most: float = MOST_SPOT) -> None:
    """Assert that no small part of a picture, such as a face, differs by many levels."""
    worst = float(cv2.blur(off.astype(np.float32), (SPOT_PX, SPOT_PX)).max())
    case.expect(
        "no part blotted out",
        worst <= most,
        expected=f"{most:g} levels or less in any {SPOT_PX} × {SPOT_PX} pixels",
        actual=f"{worst:.1f}",
        file=file,
    )


def expect_nothing_laid_over(
    case: Case,
    actual: Any,
    expected: Any,
    file: str,
    most: float = MOST_UNLIKE,
    resampled: bool = False,
) -> None:
    """Assert that no pale lettering lies over a picture: other by some levels, or another hue."""
    levels, sigma, most = (LOOSE_LEVELS, 4, MOST_LOOSE) if resampled else (LAID_LEVELS, 2, most)
    light = smoothed_away(brightness(actual), brightness(expected), sigma, levels)
    hue = smoothed_away(
        colour_differences(actual), colour_differences(expected), TINT_SIGMA, TINT_LEVELS
    )
    most_tinted = max(most, MOST_TINTED)
    case.expect(
        "nothing laid over it",
        light <= most and hue <= most_tinted,
        expected=f"{most:.1%} of it at most over {levels:g} levels off, smoothed, and "
        f"{most_tinted:.1%} over {TINT_LEVELS:g} in colour",
        actual=f"{light:.1%} and {hue:.1%}",
        file=file,
        message=f"Something pale lies over the picture in {file}.",
    )


def smoothed_away(actual: Any, expected: Any, sigma: float, levels: float) -> float:
    """Share of the pixels in which two arrays differ by more than `levels`, once smoothed."""
    apart = actual - expected
    if not apart.any():
        return 0.0
    off = np.abs(images.smooth(apart, sigma))
    return float(((off if off.ndim < 3 else off.max(axis=-1)) > levels).mean())


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
