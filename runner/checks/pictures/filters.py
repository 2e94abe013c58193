"""Results of filters: edges found in a picture, its nearest Gaussian blur, and added noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.pictures import edits, images
from runner.checks.pictures.cutouts import grown

LEAST_AGREEMENT = 0.45  # correlation of drawn lines with the picture's own edges
SAME_PICTURE = 0.6  # correlation from which lines count as drawn over the picture
PAGE_LEVELS = 30
DRAWN_LEVELS = 40
OUTLINE_PX = 8
BELLS = (0.0, 0.25, 0.33, 0.45)  # sigma over side of kernels that cut the bell off; 0: by OpenCV
BOX_PX = 6  # to which the lines of a rectangle are thick

Points = Sequence[tuple[int, int]]


def expect_edges_of(case: Case, name: str, source: Any, outline: Points, what: str) -> None:
    """Assert that the output `name` shows the edges of the thing within `outline` in `source`.

    Either its edges as any detector gives them (on a plain ground, or drawn over the picture, as
    large as the picture or inside a figure), or the line around it.
    """
    canvas = edits.read_drawing(case, name)
    views = as_large(canvas, source)
    case.demand(
        "form of the picture",
        views,
        expected=f"{source.shape[1]} × {source.shape[0]}, or that shape inside a figure",
        actual=f"{canvas.shape[1]} × {canvas.shape[0]}",
        file=name,
    )
    inside = np.zeros(source.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.array(outline)], 1)
    inside = inside > 0
    best = max(agreement(view, source, grown(inside, 6)) for view in views)
    around = 0.0 if best >= LEAST_AGREEMENT else max(follows(v, source, inside) for v in views)
    case.expect(
        f"edges of the {what}",
        best >= LEAST_AGREEMENT or around >= 0.6,
        expected=f"agreement of {LEAST_AGREEMENT:g} with the edges there, or a line around it",
        actual=f"agreement of {best:.2f}, {around:.0%} of the outline followed",
        file=name,
        message=f"{name} does not show the edges of the {what} (agreement {best:.2f} of 1).",
    )


def as_large(canvas: Any, source: Any) -> list[Any]:
    """The canvas, or what stands on it in the proportions of `source`, at the source's size."""
    if canvas.shape == source.shape:
        return [canvas]
    height, width = source.shape[:2]
    page = np.median(np.concatenate([canvas[0], canvas[-1]]), axis=0)
    is_drawn = np.abs(canvas - page).max(axis=-1) > PAGE_LEVELS
    solid = is_drawn.astype(np.uint8)
    boxes = [(0, 0, canvas.shape[1], canvas.shape[0])]
    for change in (cv2.MORPH_OPEN, cv2.MORPH_CLOSE):  # takes axis ticks off; joins a light map
        areas = cv2.morphologyEx(solid, change, np.ones((7, 7)))
        boxes += [(i.left, i.top, i.width, i.height) for i in images.islands(areas, 400)]
    views = []
    for left, top, across, down in boxes:
        fits = abs(across / down * height / width - 1) <= 0.05
        if fits and across >= 0.25 * canvas.shape[1]:
            part = np.ascontiguousarray(canvas[top : top + down, left : left + across])
            views.append(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA))
    return views


def lines_in(view: Any, source: Any) -> Any:
    """Strength with which each pixel belongs to a drawn line, 0 to 255.

    On the picture itself that is what was changed, when it was changed to one colour.
    """
    grey = edits.brightness(view)
    same = images.likeness(images.smooth(grey, 2), images.smooth(edits.brightness(source), 2))
    if abs(same) < SAME_PICTURE:
        return 255 - grey if np.median(grey) > 127 else grey
    change = np.abs(view.astype(np.float32) - source).max(axis=-1)
    is_drawn = change > DRAWN_LEVELS
    if not is_drawn.any():
        return np.zeros_like(grey)
    ink = images.commonest(view[is_drawn])
    is_ink = np.abs(view[is_drawn].astype(np.int16) - ink).max(axis=-1) <= DRAWN_LEVELS
    return np.where(is_drawn, 255.0, 0.0) if is_ink.mean() >= 0.5 else np.zeros_like(grey)


def agreement(view: Any, source: Any, where: Any) -> float:
    """Correlation of the drawn lines with the edges of `source` inside a mask."""
    lines = lines_in(view, source)
    lines = images.smooth(np.minimum(lines, np.percentile(lines, 99.5) + 1), 1.2)
    smooth = edits.brightness(images.smooth(source, 1))
    slopes = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    return images.likeness(lines[where], images.smooth(np.minimum(slopes, 150), 1)[where])


def is_box(is_line: Any) -> bool:
    """True if the lines are an upright rectangle: who draws one has found no edge."""
    left, top, width, height = cv2.boundingRect(is_line.astype(np.uint8))
    inner = is_line[top : top + height, left : left + width].copy()
    total = int(inner.sum())
    inner[:BOX_PX] = inner[-BOX_PX:] = False
    inner[:, :BOX_PX] = inner[:, -BOX_PX:] = False
    return int(inner.sum()) <= 0.1 * total


def follows(view: Any, source: Any, inside: Any) -> float:
    """The share of the rim of `inside` near a drawn line, 0 when most lines are elsewhere."""
    lines = lines_in(view, source)
    is_line = lines > max(60.0, 0.5 * float(lines.max()))
    if not is_line.any() or is_box(is_line):
        return 0.0
    rim = inside & ~grown(inside, -1)
    if is_line[grown(rim, OUTLINE_PX)].sum() < 0.6 * is_line.sum() or is_line.mean() > 0.1:
        return 0.0
    return float(grown(is_line, OUTLINE_PX)[rim].mean())


def gaussian_fit(actual: Any, source: Any) -> tuple[float, float]:
    """Nearest Gaussian blur of `source`: its sigma in pixels, and what is left to explain.

    What is left is the mean difference from that blur as a share of the difference from the
    unblurred source: to 0.06 for a Gaussian blur of any library, more than 0.07 for other blurs.
    """
    before, after = edits.brightness(source), edits.brightness(actual)
    change = float(np.abs(after - before).mean())
    if change == 0:
        return 0.0, 1.0
    kernels = [(0, 0.5 * 1.15**step) for step in range(32)]  # whole bells to 38 px
    kernels += [(side, side * share) for side in (3, 5, 7, 9, 11, 15, 21, 31) for share in BELLS]
    misses = []
    for side, sigma in kernels:
        blur = cv2.GaussianBlur(before, (side, side), sigma)
        misses.append((float(np.abs(after - blur).mean()) / change, sigma))
    miss, sigma = min(misses)
    return sigma, miss


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
