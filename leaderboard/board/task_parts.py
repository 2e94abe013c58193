"""Rates of the board's rows on a part of their tasks, counted from attempts in one query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Q, QuerySet

from leaderboard.board.rows import Board, BoardRow, Cell
from leaderboard.models import Attempt, Standing, Suite, Task
from leaderboard.suites.task_facets import find_tasks
from runner.run_figures import wilson


@dataclass(frozen=True)
class TaskPart:
    """Attempts of one run at some tasks."""

    attempts: int = 0
    passed: int = 0


def add_unguessed(rows: Sequence[BoardRow], suite: Suite) -> list[BoardRow]:
    """The rows with their rate without tasks that a guess can pass, if the suite marks any.

    No query if `suite` comes with its `guessable_count` and that is zero, else one.
    """
    if getattr(suite, "guessable_count", None) == 0 or not rows:
        return [*rows]
    guessable = suite.tasks.exclude(guessable="")
    parts = count_parts([row.run.pk for row in rows], guessable)
    if not parts and not guessable.exists():
        return [*rows]
    return [
        replace(row, unguessed=leave_out(row, parts.get(row.run.pk, TaskPart()), "No guess"))
        for row in rows
    ]


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
    parts = count_parts([row.run.pk for row in rows], [task.pk for task in tasks])
    return [
        replace(
            row,
            part=rate_part(row, parts.get(row.run.pk, TaskPart()), title),
            part_standing=places.get(row.run.pk),
        )
        for row in rows
    ]


def count_parts(
    run_ids: Iterable[int], tasks: QuerySet[Task] | Sequence[int]
) -> dict[int, TaskPart]:
    """Count each run's attempts at `tasks`, and those that passed."""
    counts = (
        Attempt.objects.filter(run__in=list(run_ids), task__in=tasks)
        .values_list("run_id")
        .annotate(attempts=Count("pk"), passed=Count("pk", Q(passed=True)))
        .order_by()
    )
    return {run_id: TaskPart(attempts, passed) for run_id, attempts, passed in counts}


def leave_out(row: BoardRow, part: TaskPart, title: str) -> Cell:
    """The row's rate on all its tasks but those of `part`."""
    rest = TaskPart(row.tally.total - part.attempts, row.tally.passed - part.passed)
    return rate_part(row, rest, title)


def rate_part(row: BoardRow, part: TaskPart, title: str) -> Cell:
    """The row's rate on a part: each task has as many attempts as the run gives it."""
    tasks = part.attempts // row.run.attempts_per_task
    if not tasks:
        return Cell(0, title, 0, None)
    rate = part.passed / part.attempts
    return Cell(0, title, tasks, rate, *wilson(rate, tasks))
