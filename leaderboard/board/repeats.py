"""Figures of rows with several attempts per task, of one run or of more, counted in one query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Q

from leaderboard.board.rows import BoardRow, Cell, TaskShare
from leaderboard.models import Attempt
from leaderboard.scoring.repeats import measure_repeats
from runner.run_figures import pass_interval


@dataclass(frozen=True)
class TaskPasses:
    """Attempts of one run at one task."""

    task: int
    category: str
    attempts: int
    passed: int


def add_repeats(rows: Sequence[BoardRow]) -> list[BoardRow]:
    """The rows with the shares of each task where they have several attempts at it, each with a
    verdict; with pass@k and pass^k of the run; and with rates where they are means of runs.

    No query where none has, else one.
    """
    several = {
        pk
        for row in rows
        if row.is_rated and (row.runs or row.run.attempts_per_task > 1)
        for pk in row.rated_runs
    }
    if not several:
        return [*rows]
    found = load_passes(several)
    return [add_to(row, found) if row.run.pk in several else row for row in rows]


def load_passes(run_ids: Iterable[int]) -> dict[int, list[TaskPasses]]:
    counts = (
        Attempt.objects.filter(run__in=run_ids)
        .values_list("run_id", "task_id", "category")
        .annotate(attempts=Count("pk"), passed=Count("pk", Q(passed=True)))
        .order_by("run_id", "task_id")
    )
    passes: dict[int, list[TaskPasses]] = defaultdict(list)
    for run_id, *facts in counts:
        passes[run_id].append(TaskPasses(*facts))
    return passes


def add_to(row: BoardRow, found: dict[int, list[TaskPasses]]) -> BoardRow:
    solved = [task.passed for task in found[row.run.pk]]
    row = replace(
        row,
        shares=share_tasks([found[pk] for pk in row.rated_runs]),
        repeats=measure_repeats(solved, row.run.attempts_per_task),
    )
    if not row.runs:
        return row
    rate, low, high = rate_shares(row.shares)
    cells = []
    for category, cell in zip(row.run.suite.categories, row.cells, strict=True):
        mine = [share for share in row.shares if share.category == category["key"]]
        cells.append(rate_cell(cell, mine) if mine else cell)
    return replace(row, rate=rate, low=low, high=high, cells=tuple(cells))


def rate_cell(cell: Cell, shares: Sequence[TaskShare]) -> Cell:
    rate, low, high = rate_shares(shares)
    return replace(cell, rate=rate, low=low, high=high)


def share_tasks(runs: Sequence[Sequence[TaskPasses]]) -> tuple[TaskShare, ...]:
    """Each task's share as the mean over runs, all of which have all tasks, in their order."""
    return tuple(
        TaskShare(
            each[0].task,
            each[0].category,
            sum(one.passed / one.attempts for one in each) / len(each),
            sum(one.attempts for one in each),
        )
        for each in zip(*runs, strict=True)
    )


def rate_shares(shares: Sequence[TaskShare]) -> tuple[float, float, float]:
    """The rate over some tasks with its 95 % interval."""
    values = [share.share for share in shares]
    attempts = sum(share.attempts for share in shares)
    return sum(values) / len(values), *pass_interval(values, attempts)
