"""Where n and p lead from a replay: through its run, or through what was found on /failures/."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from leaderboard import search
from leaderboard.facets import look
from leaderboard.models import Attempt
from leaderboard.search import Filter

MAX_SIBLINGS = 5000


@dataclass(frozen=True)
class Stop:
    """Another attempt's replay."""

    address: str
    title: str


@dataclass(frozen=True)
class Neighbours:
    """Where n, p, N and P lead."""

    previous: Stop | None
    next: Stop | None
    previous_failed: Stop | None
    next_failed: Stop | None
    position: int  # from 1; 0 when the attempt is no longer among what was found
    total: int
    same_task: list[Attempt]  # every attempt at this task, when there are several
    back: str = ""  # the address of what was found, "" on a walk through the run


def walk_query(wanted: Filter) -> str:
    """What a replay's address carries, so that n and p walk through what was found."""
    return urlencode({"in": wanted.query() or "all"})


def address_in(attempt: Attempt, wanted: Filter) -> str:
    url = attempt.get_absolute_url()
    return f"{url}{'&' if '?' in url else '?'}{walk_query(wanted)}"


def find_neighbours(attempt: Attempt, user: Any, carried: str) -> Neighbours:
    """The attempts around this one. `carried` is what the address has from /failures/, or ""."""
    if not carried:
        return in_run(attempt)
    return in_found(attempt, user, search.read_filter(QueryDict(carried[:2000]).dict()))


def in_run(attempt: Attempt) -> Neighbours:
    """In the order of the suite: one query."""
    siblings = list(
        Attempt.objects.filter(run_id=attempt.run_id)
        .select_related("task")
        .only("run_id", "number", "status", "outcome", "passed", "task__key", "task__title")
        .order_by("task__position", "number")[:MAX_SIBLINGS]
    )
    at = next((i for i, sibling in enumerate(siblings) if sibling.pk == attempt.pk), 0)
    before, after = siblings[:at][::-1], siblings[at + 1 :]
    return Neighbours(
        previous=stop(next(iter(before), None)),
        next=stop(next(iter(after), None)),
        previous_failed=stop(next((a for a in before if a.state == "failed"), None)),
        next_failed=stop(next((a for a in after if a.state == "failed"), None)),
        position=at + 1,
        total=len(siblings),
        same_task=at_the_same_task(attempt, siblings),
    )


def in_found(attempt: Attempt, user: Any, wanted: Filter) -> Neighbours:
    around = look(wanted, user).look_around(attempt.run_id, attempt.pk)
    light = Attempt.objects.select_related("task").only(
        "run_id", "number", "task__key", "task__title"
    )
    beside = light.in_bulk([pk for pk in (around.previous, around.next) if pk])
    previous = stop(beside.get(around.previous or 0), wanted)
    following = stop(beside.get(around.next or 0), wanted)
    several = attempt.run.attempts_per_task > 1
    siblings = list(attempt.run.attempts.filter(task=attempt.task_id)[:100]) if several else []
    query = wanted.query()
    return Neighbours(
        previous=previous,
        next=following,
        previous_failed=previous,
        next_failed=following,
        position=around.position,
        total=around.total,
        same_task=at_the_same_task(attempt, siblings),
        back=reverse("failures") + (f"?{query}" if query else ""),
    )


def stop(attempt: Attempt | None, wanted: Filter | None = None) -> Stop | None:
    if attempt is None:
        return None
    address = address_in(attempt, wanted) if wanted else attempt.get_absolute_url()
    return Stop(address, attempt.task.title)


def at_the_same_task(attempt: Attempt, siblings: list[Attempt]) -> list[Attempt]:
    found = [sibling for sibling in siblings if sibling.task_id == attempt.task_id]
    return found if len(found) > 1 else []
