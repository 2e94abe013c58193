"""Attempts that wait until a machine that plays attempts has a tool that their checks need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from leaderboard.models import Attempt


@dataclass(frozen=True)
class HostWait:
    """One tool that is missing, in sentences, and how many tasks wait for it."""

    problem: str
    next_step: str
    tasks: int


def list_waits_of_run(attempts: Iterable[Attempt]) -> list[HostWait]:
    waiting = (attempt for attempt in attempts if attempt.waits_for_host)
    return group_waits((a.problem, a.next_step, a.task_id) for a in waiting)


def list_waits_of_site() -> list[HostWait]:
    """Of all runs. One query, over queued attempts."""
    waiting = Attempt.objects.waiting_for_host().order_by()
    return group_waits(waiting.values_list("problem", "next_step", "task_id").distinct())


def group_waits(rows: Iterable[tuple[str, str, int]]) -> list[HostWait]:
    """`rows`: (problem, next step, id of a task)."""
    tasks: dict[tuple[str, str], set[int]] = defaultdict(set)
    for problem, next_step, task_id in rows:
        tasks[problem, next_step].add(task_id)
    return [HostWait(*said, len(ids)) for said, ids in sorted(tasks.items())]
