"""Judging a chart that holds no note by its pixels alone: another library drew it, or saved it
again.

What is seen are coloured marks: bars, wedges, dots, lines. Values and names are not read, and the
verdict says that the attempt was judged in part.

    if figure.note is None:
        return unnoted.expect_marks(case, figure, 4, "a bar for each product")
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.charts.figures import Figure
from runner.checks.pictures.images import commonest

MOST_COLOURS = 14
LEAST_PIXELS = 60  # of a colour
LEAST_AREA = 8  # pixels of a mark
NEAR = 26  # levels a channel of one colour
GREY = 24  # between the channels of a grey, as axes and texts are


def expect_marks(case: Case, figure: Figure, least: int, what: str) -> bool:
    """The picture shows `least` coloured marks or more: `what` says of what."""
    case.weaken(
        f"{figure.file} holds no note of what was drawn, so it is judged by its pixels, "
        "and its names and values are not",
        figure.file,
    )
    found = sum(number_of_marks(mask) for mask in masks(figure.pixels))
    return case.expect(
        "marks seen in the picture",
        found >= least,
        f"{what}: {least} coloured marks or more",
        f"{found} marks",
        figure.file,
        f"{figure.file} does not show {what}: it has {found} coloured marks, "
        f"and {figure.why_none}.",
    )


def masks(pixels: Any) -> list[Any]:
    """A mask for each of the commonest colours but the ground and greys."""
    ground = commonest(pixels)
    coarse = (pixels >> 3).astype(np.uint32)
    codes = (coarse[..., 0] << 10 | coarse[..., 1] << 5 | coarse[..., 2]).ravel()
    counts = np.bincount(codes, minlength=1 << 15)
    chosen: list[Any] = []
    for code in np.argsort(counts)[::-1][:400]:
        if counts[code] < LEAST_PIXELS or len(chosen) == MOST_COLOURS:
            break
        colour = np.median(pixels.reshape(-1, 3)[codes == code], axis=0)
        is_grey = float(np.ptp(colour)) < GREY
        if not is_grey and all(np.abs(colour - c).max() > NEAR for c in (ground, *chosen)):
            chosen.append(colour)
    return [np.abs(pixels.astype(np.int16) - c).max(axis=2) <= NEAR for c in chosen]


def number_of_marks(mask: Any) -> int:
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    stats = cv2.connectedComponentsWithStats(closed, connectivity=8)[2]
    return int((stats[1:, cv2.CC_STAT_AREA] >= LEAST_AREA).sum())
