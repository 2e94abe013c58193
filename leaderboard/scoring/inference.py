"""Certainty of an order of runs: paired comparisons over the tasks that the runs share.

The unit is the task, never the step. A run is a row of *pass means*: per task the share of its
attempts that passed, so 0 or 1 with one attempt per task. All rows name the same tasks in the
same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Means = Sequence[float] | Floats  # one run: a pass mean per task
MeansTable = Sequence[Sequence[float]] | Floats  # runs × tasks

RESAMPLES = 10_000
SEED = 2407
ALPHA = 0.05
POWER = 0.8
TAILS = (0.025, 0.975)

CHUNK_CELLS = 1 << 20  # numbers held at once per array while resampling: 8 MB each
TIE_DECIMALS = 9  # sums of shares that differ by less are the same sum in another order
MAX_ATTEMPTS = 64  # per task: the largest denominator of a pass mean


@dataclass(frozen=True)
class RankRange:
    """The places a run takes in 95 % of the resamples, and always the place it has."""

    low: int
    high: int


@dataclass(frozen=True)
class Difference:
    """A mean difference of two runs over the same tasks, in shares, with its 95 % interval."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Two runs on the tasks both have."""

    tasks: int
    better_a: int  # tasks on which a did better; with one attempt each, those only a solved
    better_b: int
    p_value: float  # two-sided, exact
    difference: Difference  # a minus b
    detectable: float | None  # smallest true difference found with 80 % power; None: none is


def rank_ranges(
    means: MeansTable, *, seed: int = SEED, resamples: int = RESAMPLES
) -> list[RankRange]:
    """Per run the 2.5–97.5 percentile of its rank over paired bootstrap resamples of the tasks.

    Every resample draws the same tasks for all runs. Rank is the competition rank of the board
    (equal scores share a place), and a range is widened where needed to hold the rank on the
    tasks themselves.
    """
    table = read_means(means)
    runs, tasks = table.shape
    counts = np.zeros((runs, runs), dtype=np.int64)  # run × how often it had place 1, 2, …
    for weights in resample_weights(tasks, resamples, seed, width=max(runs, tasks)):
        count_ranks(counts, rank_rows(weights @ table.T))
    low, high = (places_at(counts, tail * resamples) for tail in TAILS)
    actual = rank_rows(table.sum(axis=1)[None, :])[0]
    return [
        RankRange(int(min(one, own)), int(max(two, own)))
        for one, two, own in zip(low, high, actual, strict=True)
    ]


def resample_weights(
    tasks: int, resamples: int, seed: int, *, width: int | None = None
) -> Iterator[Floats]:
    """Chunks of rows that say how often each task was drawn; each row adds up to `tasks`.

    The rows depend on the seed alone, not on where one chunk ends.
    """
    generator = np.random.default_rng(seed)
    chances = np.full(tasks, 1 / tasks)
    rows = max(1, CHUNK_CELLS // (width or tasks))
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        yield generator.multinomial(tasks, chances, size=size).astype(np.float64)


def rank_rows(scores: Floats) -> Integers:
    """Within each row the competition rank of each column, best (largest) first, from 1."""
    rounded = np.round(scores, TIE_DECIMALS)
    order = np.argsort(-rounded, axis=1, kind="stable")
    ordered = np.take_along_axis(rounded, order, axis=1)
    places = np.arange(1, scores.shape[1] + 1)
    is_new = np.ones(ordered.shape, dtype=bool)
    is_new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    shared = np.maximum.accumulate(np.where(is_new, places, 0), axis=1)
    ranks = np.empty_like(shared)
    np.put_along_axis(ranks, order, shared, axis=1)
    return ranks


def count_ranks(counts: Integers, ranks: Integers) -> None:
    """Add `ranks` (resamples × runs) to `counts` (runs × places)."""
    runs = counts.shape[0]
    cells = np.arange(runs) * runs + ranks - 1
    counts += np.bincount(cells.ravel(), minlength=runs * runs).reshape(runs, runs)


def places_at(counts: Integers, target: float) -> Integers:
    """Per run the first place at which `target` resamples are reached."""
    reached = np.cumsum(counts, axis=1) >= target
    return np.asarray(np.argmax(reached, axis=1) + 1, dtype=np.int64)


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p-value that tasks only one of two runs solved fall evenly to both.

    Q. McNemar, Psychometrika 12 (1947), 153-157, with the binomial instead of the chi-square.
    """
    discordant = only_a + only_b
    tail = sum(comb(discordant, i) for i in range(min(only_a, only_b) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**discordant)))


def paired_p_value(a: Means, b: Means) -> float:
    """Two-sided exact p-value that two runs do equally well on the tasks they share.

    The sign-flip test on the differences per task: with one attempt each this is `mcnemar`.
    """
    one, two = read_pair(a, b)
    return flip_signs(scale_to_integers(one, two))


def scale_to_integers(a: Floats, b: Floats) -> Integers:
    """The differences in the smallest unit in which all of them are whole."""
    parts = [[as_share(float(value)) for value in row] for row in (a, b)]
    unit = lcm(*(part.denominator for row in parts for part in row))
    return np.array([int((x - y) * unit) for x, y in zip(*parts, strict=True)], dtype=np.int64)


@lru_cache(maxsize=4096)  # a board has few different shares, each thousands of times
def as_share(value: float) -> Fraction:
    share = Fraction(value).limit_denominator(MAX_ATTEMPTS)
    if abs(float(share) - value) > 10**-TIE_DECIMALS:
        raise ValueError(f"{value} is no share of at most {MAX_ATTEMPTS} attempts")
    return share


def flip_signs(differences: Integers) -> float:
    """Chance that the sum is as far from 0 as it is, were every sign a fair coin: all counted."""
    observed = abs(int(differences.sum()))
    chances = np.ones(1)  # of the sums -total … total, in steps of one
    for size in np.abs(differences[differences != 0]).tolist():
        wider = np.zeros(len(chances) + 2 * size)
        wider[: len(chances)] += chances / 2
        wider[2 * size :] += chances / 2
        chances = wider
    total = len(chances) // 2
    far = np.abs(np.arange(-total, total + 1)) >= observed
    return min(1.0, float(chances[far].sum()))


def paired_difference(
    a: Means, b: Means, *, seed: int = SEED, resamples: int = RESAMPLES
) -> Difference:
    """The mean of a minus b with the 2.5–97.5 percentile of its paired bootstrap."""
    one, two = read_pair(a, b)
    differences = one - two
    means = np.concatenate(
        [weights @ differences for weights in resample_weights(len(one), resamples, seed)]
    )
    low, high = np.quantile(means / len(one), TAILS)
    return Difference(float(differences.mean()), float(low), float(high))


def minimum_detectable_difference(
    tasks: int, spread: float, reach: float | None = None
) -> float | None:
    """The smallest true difference found at 5 % with a chance of 80 %, or None when none is.

    `spread` is the mean squared and `reach` the mean absolute difference per task; with one
    attempt each both are the share of tasks that only one run solved. A difference cannot exceed
    `reach`. R. J. Connor, Biometrics 43 (1987), 207-211, solved for the difference.
    """
    z_alpha = NormalDist().inv_cdf(1 - ALPHA / 2)
    z_beta = NormalDist().inv_cdf(POWER)
    room = tasks + z_beta**2 - z_alpha**2
    if room < 0 or spread <= 0:
        return None
    numerator = sqrt(spread) * (z_alpha * sqrt(tasks) + z_beta * sqrt(room))
    difference = numerator / (tasks + z_beta**2)
    return difference if difference <= (spread if reach is None else reach) else None


def compare(a: Means, b: Means, *, seed: int = SEED, resamples: int = RESAMPLES) -> Comparison:
    """Everything the compare page says about two runs. Raises ValueError without a shared task."""
    one, two = read_pair(a, b)
    gaps = one - two
    return Comparison(
        tasks=len(one),
        better_a=int((one > two).sum()),
        better_b=int((two > one).sum()),
        p_value=paired_p_value(one, two),
        difference=paired_difference(one, two, seed=seed, resamples=resamples),
        detectable=minimum_detectable_difference(
            len(one), float(np.mean(gaps**2)), float(np.mean(np.abs(gaps)))
        ),
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for being that many (S. Holm, Scand. J. Statist. 6, 1979, 65-70)."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    ordered = sorted(range(len(p_values)), key=lambda i: p_values[i])
    for place, i in enumerate(ordered):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def tie_groups(means: MeansTable, *, alpha: float = ALPHA) -> list[int]:
    """Per run the number of its tie group, from 1 for the group of the best.

    From the best run down: a group's head is compared with every run below it, the p-values are
    corrected by Holm, and the first run that differs becomes the head of the next group.
    """
    table = read_means(means)
    order = np.argsort(-np.round(table.mean(axis=1), TIE_DECIMALS), kind="stable").tolist()
    groups = [0] * len(order)
    number = 0
    while order:
        number += 1
        size = count_tied(table[order], alpha)
        for run in order[:size]:
            groups[run] = number
        order = order[size:]
    return groups


def count_tied(table: Floats, alpha: float) -> int:
    """Number of rows, from the first on, before the first that differs from it."""
    p_values = holm([paired_p_value(table[0], row) for row in table[1:]])
    return 1 + next((i for i, p in enumerate(p_values) if p < alpha), len(p_values))


def read_pair(a: Means, b: Means) -> tuple[Floats, Floats]:
    """Both rows as arrays. Raises ValueError when they are no rows over the same tasks."""
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} tasks: two runs share their tasks")
    table = read_means([list(a), list(b)])
    return table[0], table[1]


def read_means(means: MeansTable) -> Floats:
    """The table as an array. Raises ValueError when a value is no share of 1 or no task is."""
    table = np.asarray(means, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise ValueError("a table of runs × tasks is needed, with a task and a run at least")
    if not ((table >= 0) & (table <= 1)).all():
        raise ValueError("a pass mean is a number from 0 to 1, and every task has one")
    return table
