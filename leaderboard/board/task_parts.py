"""Rates of the board's rows on a part of their tasks, counted from attempts in one query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Q

from leaderboard.board.repeats import rate_shares
from leaderboard.board.rows import Board, BoardRow, Cell, TaskShare
from leaderboard.models import Attempt, Standing, Suite, Task
from leaderboard.suites.task_facets import find_tasks
from runner.run_figures import interval_of_sums


@dataclass(frozen=True)
class TaskPart:
    """Attempts of one run at some tasks."""

    attempts: int = 0
    passed: int = 0


def add_unguessed(rows: Sequence[BoardRow], suite: Suite) -> list[BoardRow]:
    """The rows with their rate without tasks that a guess can pass, if the suite marks any.

    No query if `suite` comes with its `guessable_count` and that is zero, else at most two.
    """
    if getattr(suite, "guessable_count", None) == 0 or not rows:
        return [*rows]
    guessable = set(suite.tasks.exclude(guessable="").values_list("pk", flat=True))
    if not guessable:
        return [*rows]
    parts = count_parts(rows, guessable)
    return [replace(row, unguessed=leave_out(row, guessable, parts, "No guess")) for row in rows]


def read_by(
    whole: Board,
    suite: Suite,
    chosen: Mapping[str, str],
    title: str,
    places: Mapping[int, Standing],
) -> Board:
    """The board's rows with their rate and kept place on the tasks that have each chosen value.

    Two queries.
    """
    tasks = find_tasks(suite, chosen)
    groups = (whole.ranked, whole.scripted, whole.unranked)
    rows = add_parts([row for group in groups for row in group], tasks, title, places)
    first, second = len(whole.ranked), len(whole.ranked) + len(whole.scripted)
    return replace(whole, ranked=rows[:first], scripted=rows[first:second], unranked=rows[second:])


def add_parts(
    rows: Sequence[BoardRow], tasks: Sequence[Task], title: str, places: Mapping[int, Standing]
) -> list[BoardRow]:
    """The rows with their rate on `tasks` and their place in `places`. One query."""
    wanted = {task.pk for task in tasks}
    parts = count_parts(rows, wanted)
    return [
        replace(
            row,
            part=rate_part(row, wanted, parts, title),
            part_standing=places.get(row.run.pk),
        )
        for row in rows
    ]


def count_parts(rows: Iterable[BoardRow], tasks: Collection[int]) -> dict[int, TaskPart]:
    """Count each run's attempts at `tasks`, and those that passed, where it has one at each task:
    the others have their shares at hand."""
    once = [row.run.pk for row in rows if not row.shares]
    counts = (
        Attempt.objects.filter(run__in=once, task__in=tasks)
        .values_list("run_id")
        .annotate(attempts=Count("pk"), passed=Count("pk", Q(passed=True)))
        .order_by()
    )
    return {run_id: TaskPart(attempts, passed) for run_id, attempts, passed in counts}


def leave_out(
    row: BoardRow, tasks: Collection[int], parts: Mapping[int, TaskPart], title: str
) -> Cell:
    """The row's rate on all its tasks but these."""
    if row.shares:
        return rate_shared([share for share in row.shares if share.task not in tasks], title)
    part = parts.get(row.run.pk, TaskPart())
    rest = TaskPart(row.tally.total - part.attempts, row.tally.passed - part.passed)
    return rate_counted(row, rest, title)


def rate_part(
    row: BoardRow, tasks: Collection[int], parts: Mapping[int, TaskPart], title: str
) -> Cell:
    """The row's rate on these of its tasks."""
    if row.shares:
        return rate_shared([share for share in row.shares if share.task in tasks], title)
    return rate_counted(row, parts.get(row.run.pk, TaskPart()), title)


def rate_shared(shares: Sequence[TaskShare], title: str) -> Cell:
    return Cell(0, title, len(shares), *(rate_shares(shares) if shares else (None,)))


def rate_counted(row: BoardRow, part: TaskPart, title: str) -> Cell:
    tasks = part.attempts // row.run.attempts_per_task
    if not tasks:
        return Cell(0, title, 0, None)
    rate = part.passed / part.attempts
    return Cell(0, title, tasks, rate, *interval_of_sums(rate * tasks, rate * tasks, tasks, tasks))
