"""Scores of a run from its attempts: pure, so that page, API, export and recompute agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt

Z_95 = 1.959963984540054  # the 97.5th percentile of the standard normal distribution

OVERALL = ""  # the category under which a run's own figures stand


@dataclass(frozen=True)
class Scored:
    """What scoring needs to know of one attempt."""

    task_id: int
    category: str
    passed: bool | None  # None: open or void
    is_void: bool
    turns: int
    prompt_tokens: int | None
    completion_tokens: int | None
    model_s: float
    cell_s: float
    wall_s: float

    @property
    def is_decided(self) -> bool:
        return self.passed is not None


@dataclass(frozen=True)
class Figures:
    """A run's figures, overall or for one category; named as the columns of RunSummary."""

    tasks: int  # the denominator
    attempts: int
    passed: int
    failed: int
    void: int
    open: int
    rate: float
    low: float
    high: float
    turns: float | None
    turns_solved: float | None
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


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Chance that one of k attempts drawn from n, of which c passed, passes; None when n < k.

    M. Chen et al., arXiv 2107.03374, equation 1.
    """
    return None if n < k else 1 - comb(n - c, k) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """Chance that all k attempts drawn from n, of which c passed, pass; None when n < k."""
    return None if n < k else comb(c, k) / comb(n, k)


def summarise(attempts: Iterable[Scored], max_turns: int) -> dict[str, Figures]:
    """Figures by category, and over all of them under OVERALL.

    The denominator is every task that has an attempt row: an open or void attempt counts as not
    passed, and makes the figures incomplete.
    """
    groups: dict[str, list[Scored]] = defaultdict(list)
    for attempt in attempts:
        groups[OVERALL].append(attempt)
        groups[attempt.category].append(attempt)
    return {category: figures(group, max_turns) for category, group in groups.items()}


def figures(attempts: Sequence[Scored], max_turns: int) -> Figures:
    decided = [a for a in attempts if a.is_decided]
    solved = [a for a in decided if a.passed]
    void = sum(a.is_void for a in attempts)
    tasks = len({a.task_id for a in attempts})
    rate = mean_over_tasks(attempts)
    low, high = wilson(rate, tasks)
    return Figures(
        tasks=tasks,
        attempts=len(attempts),
        passed=len(solved),
        failed=len(decided) - len(solved),
        void=void,
        open=len(attempts) - len(decided) - void,
        rate=rate,
        low=low,
        high=high,
        turns=mean([a.turns if a.passed else max_turns for a in decided]),
        turns_solved=mean([a.turns for a in solved]),
        prompt_tokens=total_known([a.prompt_tokens for a in decided if a.turns]),
        completion_tokens=total_known([a.completion_tokens for a in decided if a.turns]),
        model_s=sum(a.model_s for a in decided),
        cell_s=sum(a.cell_s for a in decided),
        wall_s=sum(a.wall_s for a in decided),
    )


def mean_over_tasks(attempts: Sequence[Scored]) -> float:
    """The mean over tasks of the share of each task's attempts that passed."""
    by_task: dict[int, list[bool]] = defaultdict(list)
    for attempt in attempts:
        by_task[attempt.task_id].append(attempt.passed is True)
    shares = [sum(passes) / len(passes) for passes in by_task.values()]
    return sum(shares) / len(shares) if shares else 0.0


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def total_known(values: Sequence[int | None]) -> int | None:
    """The sum; None when there is nothing to add or one of them is unknown."""
    known = [v for v in values if v is not None]
    return sum(known) if known and len(known) == len(values) else None
