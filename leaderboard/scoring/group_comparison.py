"""Three to six runs on the tasks all have: every pair, by the rule of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from leaderboard.scoring.comparison import (
    ComparedTask,
    count_attempts,
    critical_value,
    weigh_shares,
)
from runner.run_figures import LEAST_TASKS


@dataclass(frozen=True)
class GroupGap:
    """Lead of one run over another, in shares, with its 95 % interval."""

    a: int  # places among the runs
    b: int
    difference: float
    low: float | None  # None of few tasks, as p
    high: float | None
    p_value: float | None
    is_difference: bool  # beyond chance among so many models as are compared, or ranked


@dataclass(frozen=True)
class GroupResult:
    """All pairs of several runs, over the tasks on which each has a verdict."""

    tasks: int
    rates: tuple[float, ...]
    gaps: Mapping[tuple[int, int], GroupGap]

    @property
    def is_small(self) -> bool:
        """True if there are too few tasks to say anything of chance."""
        return self.tasks < LEAST_TASKS

    @property
    def different(self) -> int:
        return sum(gap.is_difference for gap in self.gaps.values())


def compare_group(tasks: Sequence[ComparedTask], runs: int, models: int = 0) -> GroupResult | None:
    """The comparison of all pairs; None without a task on which every run has a verdict.

    `models` is how many are ranked on their board, if two of these runs are: no pair is then
    called different that the board does not.
    """
    judged = [task for task in tasks if task.is_judged]
    if not judged:
        return None
    columns = [tuple(task.shares[i].share or 0.0 for task in judged) for i in range(runs)]
    pairs = list(combinations(range(runs), 2))
    attempts = count_attempts(judged)
    tests = [weigh_shares(columns[a], columns[b], (attempts[a], attempts[b])) for a, b in pairs]
    needed, is_told = critical_value(max(runs, models)), len(judged) >= LEAST_TASKS
    gaps = {
        (a, b): GroupGap(
            a,
            b,
            test.difference.estimate,
            test.difference.low if is_told else None,
            test.difference.high if is_told else None,
            test.p_value if is_told else None,
            is_told and abs(test.z) > needed,
        )
        for (a, b), test in zip(pairs, tests, strict=True)
    }
    rates = tuple(sum(column) / len(column) for column in columns)
    return GroupResult(len(judged), rates, gaps)
