"""Three to six runs on the tasks all have: every pair tested, p-values corrected by Holm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from leaderboard.scoring.comparison import CERTAIN, Share, weigh_shares


@dataclass(frozen=True)
class GroupTask:
    """One task, and each run's share of it in the order of the runs."""

    key: str
    title: str
    category: str
    shares: tuple[Share, ...]
    english: str = ""  # title, if its own is foreign

    @property
    def is_judged(self) -> bool:
        return all(share.share is not None for share in self.shares)

    @property
    def is_split(self) -> bool:
        """True if the runs do not all pass it equally often."""
        return self.is_judged and len({share.share for share in self.shares}) > 1


@dataclass(frozen=True)
class GroupGap:
    """Lead of one run over another, in shares, with its 95 % interval and corrected p-value."""

    a: int  # places among the runs
    b: int
    difference: float
    low: float
    high: float
    p_value: float
    p_holm: float

    @property
    def is_difference(self) -> bool:
        return self.p_holm < CERTAIN


@dataclass(frozen=True)
class GroupResult:
    """All pairs of several runs, over the tasks on which each has a verdict."""

    tasks: int
    rates: tuple[float, ...]
    gaps: Mapping[tuple[int, int], GroupGap]

    @property
    def different(self) -> int:
        return sum(gap.is_difference for gap in self.gaps.values())


def compare_group(tasks: Sequence[GroupTask], runs: int) -> GroupResult | None:
    """The comparison of all pairs; None without a task on which every run has a verdict."""
    from leaderboard.scoring.inference import holm  # numpy: only when runs are compared

    judged = [task for task in tasks if task.is_judged]
    if not judged:
        return None
    columns = [tuple(task.shares[i].share or 0.0 for task in judged) for i in range(runs)]
    pairs = list(combinations(range(runs), 2))
    tests = [weigh_shares(columns[a], columns[b]) for a, b in pairs]
    corrected = holm([test.p_value for test in tests])
    gaps = {
        (a, b): GroupGap(
            a,
            b,
            test.difference.estimate,
            test.difference.low,
            test.difference.high,
            test.p_value,
            p_holm,
        )
        for (a, b), test, p_holm in zip(pairs, tests, corrected, strict=True)
    }
    rates = tuple(sum(column) / len(column) for column in columns)
    return GroupResult(len(judged), rates, gaps)
