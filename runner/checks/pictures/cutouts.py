"""Pictures whose background was taken out: what was kept of them, and what is gone."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.pictures import images

GONE_ALPHA, SOLID_ALPHA = 40, 200
FILL_LEVELS = 5  # how near to the fill colour a pixel must be
LEAST_CHANGE = 15  # levels from the background to the colour that it is filled with
KEPT_LEVELS = 25  # how far from the input a kept pixel may be


def read(case: Case, name: str, source: Any, least_change: float = LEAST_CHANGE) -> tuple[Any, Any]:
    """Masks of the pixels of `source` that the output `name` keeps, and that it took out.

    Taken out is what is transparent, or filled with the one colour that is commonest where the
    picture was changed, `least_change` levels from what was there or more.
    """
    pixels = images.read(case, name, "PNG", alpha=True)
    images.require_size(case, pixels, source.shape[1], source.shape[0], name)
    alpha, rgb = pixels[..., 3], pixels[..., :3]
    off = np.abs(rgb.astype(np.int16) - source).max(axis=-1)
    kept = (alpha >= SOLID_ALPHA) & (off <= KEPT_LEVELS)
    gone = alpha <= GONE_ALPHA
    changed = (alpha >= SOLID_ALPHA) & (off > FILL_LEVELS)
    if changed.any():
        fill = images.commonest(rgb[changed])
        filled = changed & (np.abs(rgb.astype(np.int16) - fill).max(axis=-1) <= FILL_LEVELS)
        if np.median(off[filled]) >= least_change:
            gone |= filled
    return kept & ~gone, gone


def largest(mask: Any) -> Any:
    """The largest connected area of a mask, as a mask."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    if len(stats) < 2:
        return mask & False
    return labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))


def at_the_border(mask: Any) -> Any:
    """The part of a mask that is connected with the picture's border."""
    labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)[1]
    border = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return np.isin(labels, np.setdiff1d(np.unique(border), [0]))


def hull(mask: Any) -> Any:
    """The least convex area around a mask that is not empty, as a mask."""
    outline = cv2.convexHull(cv2.findNonZero(mask.astype(np.uint8)))
    return cv2.fillConvexPoly(np.zeros(mask.shape, np.uint8), outline, 1) > 0


def box_of(mask: Any) -> Any:
    """The upright rectangle around a mask that is not empty, as a mask."""
    left, top, width, height = cv2.boundingRect(mask.astype(np.uint8))
    found = np.zeros(mask.shape, bool)
    found[top : top + height, left : left + width] = True
    return found


def grown(mask: Any, by: int) -> Any:
    """The mask with everything within `by` pixels of it; negative: without its rim."""
    change = cv2.dilate if by > 0 else cv2.erode
    side = 2 * abs(by) + 1
    return change(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0


def expect_cut_out(
    case: Case,
    name: str,
    source: Any,
    front: Any,
    back: Any,
    least_kept: float = 0.8,
    least_gone: float = 0.8,
    least_change: float = LEAST_CHANGE,
) -> None:
    """Assert that the output `name` keeps the mask `front` of `source` and takes out `back`."""
    kept, gone = read(case, name, source, least_change)
    for what, found, least in (
        ("foreground kept", float(kept[front].mean()), least_kept),
        ("background removed", float(gone[back].mean()), least_gone),
    ):
        case.expect(what, found >= least, f"{least:.0%} or more", f"{found:.0%}", name)
