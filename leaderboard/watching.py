"""What is worth watching of a run that goes on: its place in the queue, what it used so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum
from django.utils import timezone

from leaderboard.models import Attempt, Run, Step
from leaderboard.paces import Pace, pace_of
from runner.contract import Status


@dataclass(frozen=True)
class Watch:
    """A run that goes on, as it is now."""

    runs_ahead: int  # submitted earlier and not over
    tokens: int | None  # of every reply so far; None while no endpoint counted any
    under_way: list[Attempt]
    waiting: int  # attempts that nobody plays yet
    pace: Pace | None  # None until a worker found one
    elapsed_s: float  # since it was submitted
    next_try_at: datetime | None  # when an endpoint that failed is asked again


def watch(run: Run, attempts: Sequence[Attempt]) -> Watch:
    """Three queries; `attempts` are the run's, loaded already."""
    waiting = [attempt for attempt in attempts if attempt.status == Status.QUEUED]
    pauses = [a.not_before for a in waiting if a.not_before and a.not_before > timezone.now()]
    under_way = [attempt for attempt in attempts if attempt.status == Status.RUNNING]
    return Watch(
        runs_ahead=count_ahead(run),
        tokens=count_tokens(run),
        under_way=under_way,
        waiting=len(waiting),
        pace=pace_of(run, {attempt.worker for attempt in under_way}),
        elapsed_s=(timezone.now() - run.created_at).total_seconds(),
        next_try_at=min(pauses) if waiting and len(pauses) == len(waiting) else None,
    )


def count_ahead(run: Run) -> int:
    """How many runs that were submitted earlier are not over."""
    return Run.objects.open().filter(pk__lt=run.pk).count()


def count_tokens(run: Run) -> int | None:
    """Of every try, the void ones too: that is what the endpoint was asked for."""
    sums = Step.objects.filter(attempt__run=run).aggregate(
        said=Sum("completion_tokens"), sent=Sum("prompt_tokens")
    )
    known = [value for value in sums.values() if value is not None]
    return sum(known) if known else None
