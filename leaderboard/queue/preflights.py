"""Preflights that drafts and runs wait for: a worker is asked; a run asks again, or it ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from leaderboard.models import Draft, Run
from leaderboard.queue import clock
from leaderboard.queue.messages import send_preflight_run
from leaderboard.queue.transitions import move_run, touch
from runner.contract import Fault, Problem, Status

PATIENCE = timedelta(seconds=30)  # then no worker has taken it up
GIVE_UP = timedelta(minutes=10)  # from the submission on

NEVER_CHECKED = Problem(
    Fault.US,
    "preflight_lost",
    "The preflight of this run was started several times and never finished: the fault is ours.",
    "Submit the endpoint again; if it happens again, tell the maintainers.",
)


def is_overdue(draft: Draft) -> bool:
    """True if no worker took the preflight up."""
    return bool(draft.asked_at and not draft.report and clock.now() - draft.asked_at > PATIENCE)


def awaiting_preflight(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Runs on their way into the queue, and paused ones that were given another key."""
    return runs.filter(Q(status=Status.CHECKING) | Q(status=Status.PAUSED, is_checking_key=True))


def ask_for_run(run_id: int) -> None:
    """Ask a worker for the run's preflight once the transaction is committed."""
    now = clock.now()  # not the clock of this host: the patience counts from here
    Run.objects.filter(pk=run_id).update(woken_at=now, created_at=now)
    transaction.on_commit(lambda: send_preflight_run(run_id))


def ask_again() -> None:
    """Send lost messages again; end what no worker got to the end of."""
    now = clock.now()
    waiting = awaiting_preflight(Run.objects.all())
    unplayed = Run.objects.filter(status=Status.CHECKING)
    for pk in list(unplayed.filter(created_at__lt=now - GIVE_UP).values_list("pk", flat=True)):
        refuse(pk, report_of(NEVER_CHECKED))
    # A moment far ahead was written by a clock since set back.
    is_due = ~Q(woken_at__gte=now - PATIENCE, woken_at__lte=now + PATIENCE)
    for pk in list(waiting.filter(is_due).values_list("pk", flat=True)):
        if waiting.filter(is_due, pk=pk).update(woken_at=now):
            send_preflight_run(pk)


def forget_old() -> None:
    """Delete drafts, with their keys, whose owners no longer come back to them."""
    long_ago = timezone.now() - timedelta(hours=settings.DRAFT_HOURS)
    Draft.objects.filter(created_at__lt=long_ago).delete()


@transaction.atomic
def refuse(run_id: int, report: Mapping[str, Any]) -> None:
    """End a run whose preflight found that it cannot succeed; nothing of it was played."""
    run = touch(run_id)
    if run.status != Status.CHECKING:
        return
    run.preflight, run.finished_at = dict(report), clock.now()
    run.save(update_fields=["preflight"])
    move_run(run, Status.REFUSED, "the preflight found it unusable")


def report_of(problem: Problem) -> dict[str, Any]:
    """A report that says why there is none."""
    check = {
        "name": "preflight",
        "title": "Preflight",
        "state": "failed",
        "said": problem.what,
        "next_step": problem.next_step,
    }
    return {"checks": [check], "measures": {}, "took_s": 0, "is_usable": False}
