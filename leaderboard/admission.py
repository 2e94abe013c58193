"""A run's way from its preflight into the queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from leaderboard import clock, handoff
from leaderboard.checking import refuse
from leaderboard.models import Attempt, Run
from leaderboard.submissions import attempts_of
from leaderboard.summaries import summarise
from leaderboard.transitions import move_run, touch
from runner.contract import EndpointSpec, Status


def spec_of(run_id: int) -> EndpointSpec | None:
    """The endpoint to look at; None when the run no longer waits for that.

    ProblemError when its key can no longer be read.
    """
    waiting = Run.objects.select_related("entry__endpoint").filter(status=Status.CHECKING)
    run = waiting.filter(pk=run_id).first()
    return handoff.endpoint_of(run) if run else None


def record(run_id: int, report: Mapping[str, Any]) -> None:
    """Queue the run if its preflight passed, else end it; a report that comes late says nothing."""
    if report.get("is_usable"):
        admit(run_id, report)
    else:
        refuse(run_id, report)


@transaction.atomic
def admit(run_id: int, report: Mapping[str, Any]) -> None:
    run = touch(run_id)
    if run.status != Status.CHECKING:
        return
    run.preflight = dict(report)
    if run.is_public_later:
        run.is_public, run.published_at = True, clock.now()
    run.save(update_fields=["preflight", "is_public", "published_at"])
    Attempt.objects.bulk_create(attempts_of(run, set()))
    move_run(run, Status.QUEUED, "the preflight passed")
    summarise(run)
    handoff.enqueue(run.pk)
