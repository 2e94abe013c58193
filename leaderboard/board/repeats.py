"""Figures of the board's rows with several attempts per task, counted in one query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db.models import Count, Q

from leaderboard.board.rows import BoardRow
from leaderboard.models import Attempt
from leaderboard.scoring.repeats import Repeats, measure_repeats


def add_repeats(rows: Sequence[BoardRow]) -> list[BoardRow]:
    """The rows with pass@k and pass^k where they have several attempts per task, each with a
    verdict. No query where none has, else one."""
    several = {
        row.run.pk: row.run.attempts_per_task
        for row in rows
        if row.run.attempts_per_task > 1 and row.is_rated
    }
    found = load_repeats(several) if several else {}
    return [replace(row, repeats=found.get(row.run.pk)) for row in rows] if found else [*rows]


def load_repeats(attempts: Mapping[int, int]) -> dict[int, Repeats]:
    """Figures of runs, with so many attempts per task, whose attempts all have a verdict."""
    counts = (
        Attempt.objects.filter(run__in=attempts)
        .values_list("run_id", "task_id")
        .annotate(passed=Count("pk", Q(passed=True)))
        .order_by("run_id", "task_id")
    )
    solved: dict[int, list[int]] = defaultdict(list)
    for run_id, _, passed in counts:
        solved[run_id].append(passed)
    measured = ((pk, measure_repeats(solved[pk], k)) for pk, k in attempts.items())
    return {pk: found for pk, found in measured if found}
