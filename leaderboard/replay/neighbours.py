"""Previous and next links of a replay, within its run or within a failure search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import Subquery
from django.db.models.functions import Coalesce
from django.http import QueryDict
from django.urls import reverse

from leaderboard.models import NOT_MODELS, Attempt, Run
from leaderboard.search import filters
from leaderboard.search.filters import Filter
from leaderboard.search.results import look
from runner.contract import Status

MAX_SIBLINGS = 5000


@dataclass(frozen=True)
class NeighbourReplay:
    """Another attempt's replay."""

    address: str
    title: str
    run_and_number: str = ""


@dataclass(frozen=True)
class Neighbours:
    """Targets of the keys n, p, N, P and m."""

    previous: NeighbourReplay | None
    next: NeighbourReplay | None
    previous_failed: NeighbourReplay | None
    next_failed: NeighbourReplay | None
    position: int  # from 1; 0 when the attempt is no longer among what was found
    total: int
    same_task: list[Attempt]  # every attempt at this task, when there are several
    back: str = ""  # the address of what was found, "" on a walk through the run
    next_model: NeighbourReplay | None = None  # at the same task; its title names the model


def walk_query(wanted: Filter) -> str:
    """Query that a replay's address carries, so that n and p walk through the search results."""
    return urlencode({"in": wanted.query() or "all"})


def address_in(attempt: Attempt, wanted: Filter) -> str:
    url = attempt.get_absolute_url()
    return f"{url}{'&' if '?' in url else '?'}{walk_query(wanted)}"


def find_neighbours(attempt: Attempt, user: Any, carried: str) -> Neighbours:
    """The attempts around this one. `carried` is what the address has from /failures/, or ""."""
    if not carried:
        near = in_run(attempt)
    else:
        near = in_found(attempt, user, filters.read_filter(QueryDict(carried[:2000]).dict()))
    return replace(near, next_model=find_next_model(attempt, user))


def find_next_model(attempt: Attempt, user: Any) -> NeighbourReplay | None:
    """Another model's newest finished attempt at the task, from this run back and round again.

    Scripted baselines and people are no models. One query.
    """
    others = (
        Attempt.objects.filter(
            task=attempt.task_id,
            status=Status.DONE,
            run__in=Run.objects.visible_to(user).filter(withdrawn_at=None),
        )
        .exclude(run__entry=attempt.run.entry_id)
        .exclude(run__entry__provenance__in=NOT_MODELS)
        .order_by("-run_id", "number")
        .values("pk")
    )
    older = others.filter(run__lt=attempt.run_id)
    chosen = Coalesce(Subquery(older[:1]), Subquery(others[:1]))
    found = (
        Attempt.objects.select_related("task", "run__entry")
        .only("number", "task__key", "run__entry__name")
        .filter(pk=chosen)
        .first()
    )
    if found is None:
        return None
    return NeighbourReplay(found.get_absolute_url(), found.run.entry.name, found.run_and_number)


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


def stop(attempt: Attempt | None, wanted: Filter | None = None) -> NeighbourReplay | None:
    if attempt is None:
        return None
    address = address_in(attempt, wanted) if wanted else attempt.get_absolute_url()
    return NeighbourReplay(address, attempt.task.title)


def at_the_same_task(attempt: Attempt, siblings: list[Attempt]) -> list[Attempt]:
    found = [sibling for sibling in siblings if sibling.task_id == attempt.task_id]
    return found if len(found) > 1 else []
