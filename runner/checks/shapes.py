"""The outline of a drawing: what stands out from the ground, filled, and its form.

A drawing in lines counts as what its lines enclose.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from runner.checks.clouds import ground_of

INK_LEVELS = 30


def silhouette(pixels: Any) -> Any:
    """The largest thing drawn, filled: a mask (height, width), cut to its box; None of nothing."""
    ink = (np.abs(pixels.astype(int) - ground_of(pixels)).max(axis=2) > INK_LEVELS).astype(np.uint8)
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


def top_profile(mask: Any) -> Any:
    """How far down the outline begins in each of 40 columns, as a share of the height."""
    wide = cv2.resize(mask.astype(np.uint8), (40, 200), interpolation=cv2.INTER_AREA) > 0
    return np.where(wide.any(axis=0), wide.argmax(axis=0) / 200, 1.0)


def symmetry(mask: Any) -> float:
    """How much of a mask and its mirror picture they share, 0 to 1."""
    both = (mask & mask[:, ::-1]).sum()
    return float(both / max(1, (mask | mask[:, ::-1]).sum()))


def width_at(mask: Any, height: float) -> float:
    """How wide the mask is at a share of its height from the top, as a share of its width."""
    row = mask[min(len(mask) - 1, int(height * len(mask)))]
    return float(row.sum() / mask.shape[1])
