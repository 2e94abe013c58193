"""Figures of a run, for the site and the command line, and their interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

Z_95 = 1.959963984540054  # the 97.5th percentile of the standard normal distribution


@dataclass(frozen=True)
class Figures:
    """A run's figures, overall or for one category; named as the columns of RunSummary."""

    tasks: int  # the denominator
    attempts: int
    passed: int
    failed: int
    void: int
    open: int
    rate: float  # mean over tasks of the share of attempts that passed
    low: float  # Wilson 95 %
    high: float
    turns: float | None  # mean; a failed attempt counts the turn limit
    turns_solved: float | None  # mean over passed attempts
    prompt_tokens: int | None
    completion_tokens: int | None
    model_s: float
    cell_s: float
    wall_s: float

    @property
    def is_complete(self) -> bool:
        """Every attempt has a verdict: only then may the row be ranked."""
        return self.tasks > 0 and self.void == 0 and self.open == 0


def wilson(rate: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a share `rate` of `n` tasks; (0, 1) when n is 0.

    E. B. Wilson, JASA 22 (1927), 209-212. With several attempts per task `rate` is the mean over
    tasks and `n` stays the number of tasks, so the interval is, if anything, too wide.
    """
    if n == 0:
        return 0.0, 1.0
    z2 = Z_95 * Z_95
    centre = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    low = 0.0 if rate <= 0 else max(0.0, centre - half)
    high = 1.0 if rate >= 1 else min(1.0, centre + half)
    return low, high
