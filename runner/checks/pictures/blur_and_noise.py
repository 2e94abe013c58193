"""The nearest Gaussian blur of a picture, and the noise that was added to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from runner.checks.pictures.edits import brightness

BELLS = (0.0, 0.25, 0.33, 0.45)  # sigma over side of kernels that cut the bell off; 0: by OpenCV


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
