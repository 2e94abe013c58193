"""Figures of the board's rows with several attempts per task, counted in two queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Count, Q

from leaderboard.board.rows import BoardRow
from leaderboard.models import Attempt
from leaderboard.scoring.repeats import Repeats, measure_repeats


def add_repeats(rows: Sequence[BoardRow]) -> list[BoardRow]:
    """The rows with pass@k and pass^k where they have several attempts per task, each with a
    verdict. No query where none has, else two."""
    several = [row.run.pk for row in rows if row.run.attempts_per_task > 1 and row.is_rated]
    found = load_repeats(several) if several else {}
    return [replace(row, repeats=found.get(row.run.pk)) for row in rows] if found else [*rows]


def load_repeats(run_ids: Sequence[int]) -> dict[int, Repeats]:
    """Figures of runs whose attempts all have a verdict."""
    solved = count_passed(run_ids, "task_id")
    by_number = count_passed(run_ids, "number")
    measured = ((pk, measure_repeats(solved[pk], by_number[pk])) for pk in run_ids)
    return {pk: found for pk, found in measured if found}


def count_passed(run_ids: Sequence[int], key: str) -> dict[int, list[int]]:
    """Count each run's passed attempts by task or by number."""
    counts = (
        Attempt.objects.filter(run__in=run_ids)
        .values_list("run_id", key)
        .annotate(passed=Count("pk", Q(passed=True)))
        .order_by("run_id", key)
    )
    found: dict[int, list[int]] = defaultdict(list)
    for run_id, _, passed in counts:
        found[run_id].append(passed)
    return found
