"""Writes a figure that was measured several times with its spread."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def spread(values: Sequence[float]) -> str:
    """The median, with the lowest and the highest: "12.3 [11.9–14.0]"."""
    middle, low, high = statistics.median(values), min(values), max(values)
    decimals = 0 if middle >= 100 else 1 if middle >= 10 else 2
    return f"{middle:.{decimals}f} [{low:.{decimals}f}–{high:.{decimals}f}]"
