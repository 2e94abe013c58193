"""Figures of a run, for the site and the command line, and their interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt

Z_95 = 1.959963984540054  # the 97.5th percentile of the standard normal distribution
LEAST_TASKS = 20  # fewer say too little of chance: counts alone, no interval, rank or p

Interval = tuple[float, float] | tuple[None, None]  # None of fewer than LEAST_TASKS


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
    low: float | None  # 95 %: `pass_interval`
    high: float | None
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


def pass_interval(
    shares: Sequence[float], attempts: float, families: Sequence[Hashable] | None = None
) -> Interval:
    """95 % interval of the mean of `shares`, one per task: of its attempts those that passed.

    `attempts` is the number of them all. `families` names the family of each task where tasks
    belong together. None of fewer than LEAST_TASKS.
    """
    if families is None:
        squares = sum(share * share for share in shares)
        return interval_of_sums(sum(shares), squares, len(shares), attempts)
    tasks = len(shares)
    if tasks < LEAST_TASKS:
        return None, None
    rate = sum(shares) / tasks
    sums: dict[Hashable, float] = defaultdict(float)
    for share, family in zip(shares, families, strict=True):
        sums[family] += share - rate
    deviations = sum(value * value for value in sums.values())
    n = effective_tasks(rate, deviations, len(sums), tasks, attempts)
    return wilson(rate, n, student_t(len(sums) - 1) if len(sums) < tasks else Z_95)


def interval_of_sums(total: float, squares: float, tasks: int, attempts: float) -> Interval:
    """The same from the sum of the shares and that of their squares."""
    if tasks < LEAST_TASKS:
        return None, None
    rate = total / tasks
    deviations = squares - tasks * rate * rate
    return wilson(rate, effective_tasks(rate, deviations, tasks, tasks, attempts))


def effective_tasks(
    rate: float, deviations: float, units: int, tasks: int, attempts: float
) -> float:
    """Number of independent tasks, with one attempt each, that tell as much about the rate.

    `deviations` is the sum of (U - n · rate)² over units of n tasks with U passes in the mean: the
    tasks themselves, or families of them. The rate's variance is found from these sums, and the
    number is rate · (1 - rate) / variance (as in L. Kish, Survey Sampling, 1965, chapter 8), not
    below the number of units nor above that of attempts. It is `tasks` with one attempt per task,
    and where the rate is 0 or 1.
    """
    if units < 2 or not 0 < rate < 1:
        return tasks
    variance = units / (units - 1) * deviations / tasks**2
    most = max(units, attempts)
    return most if variance <= 0 else min(max(rate * (1 - rate) / variance, units), most)


def student_t(freedom: int) -> float:
    """The 97.5th percentile of Student's t, within 0.01 from 4 degrees of freedom on.

    M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.7.5.
    """
    z, f = Z_95, max(freedom, 1)
    return (
        z
        + (z**3 + z) / (4 * f)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * f**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * f**3)
    )


def wilson(rate: float, n: float, z: float = Z_95) -> tuple[float, float]:
    """Wilson's 95 % score interval of a share `rate` of `n` tasks; (0, 1) when n is 0.

    E. B. Wilson, JASA 22 (1927), 209-212. `z` is another quantile than the normal one.
    """
    if n == 0:
        return 0.0, 1.0
    z2 = z * z
    centre = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = z * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    low = 0.0 if rate <= 0 else max(0.0, centre - half)
    high = 1.0 if rate >= 1 else min(1.0, centre + half)
    return low, high
