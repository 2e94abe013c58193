"""Comparing two rows of figures by their ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def rank_correlation(some: Sequence[float], others: Sequence[float]) -> float:
    """Spearman's, equal figures sharing their mean rank; 0 where one row is all equal.

    That of scipy comes with a library that takes longer to import than most checks compute.
    """
    one, other = ranks(some), ranks(others)
    if not one.std() or not other.std():
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])


def ranks(figures: Sequence[float]) -> np.ndarray:
    _, places, counts = np.unique(np.asarray(figures), return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return (last - (counts - 1) / 2)[places]
