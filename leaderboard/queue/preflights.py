"""Preflights that drafts and runs wait for: a worker is asked; a run asks again, or it ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from leaderboard.models import Draft, Run
from leaderboard.queue import clock
from leaderboard.queue.messages import send_preflight_draft, send_preflight_run
from leaderboard.queue.transitions import move_run, touch
from runner.contract import Fault, Problem, ProblemError, Status

PATIENCE = timedelta(seconds=30)  # then no worker has taken it up
AGAIN_AFTER = timedelta(seconds=5)  # a draft, whose owner asks
GIVE_UP = timedelta(minutes=10)  # from the submission on
MAX_WAITING = 3  # of one account

NEVER_CHECKED = Problem(
    Fault.US,
    "preflight_lost",
    "The preflight of this run was started several times and never finished: the fault is ours.",
    "Submit the endpoint again; if it happens again, tell the maintainers.",
)


def require_room(owner: AbstractBaseUser) -> None:
    """ProblemError while as many runs of `owner` wait for their preflight as may."""
    waiting = Run.objects.filter(entry__owner_id=owner.pk, status=Status.CHECKING).count()
    if waiting >= MAX_WAITING:
        raise ProblemError(
            Problem(
                Fault.SUBMITTER,
                "checks_under_way",
                f"{waiting} of your runs are waiting for their preflight.",
                "Submit this one when those are checked, about ten seconds each.",
            )
        )


def ask_for_draft(draft: Draft) -> bool:
    """Ask a worker for a draft's preflight once the transaction is committed.

    False while the owner waits for one, or just got one.
    """
    now = clock.now()
    if draft.asked_at and now - draft.asked_at < AGAIN_AFTER:
        return False
    awaited = Draft.objects.filter(report={}, asked_at__gt=now - PATIENCE)
    if draft.is_complete:  # a list of models that is under way stands in no check's way
        # A fact that is absent is NULL, which `exclude` would take for a list as well.
        awaited = awaited.filter(Q(facts__is_partial__isnull=True) | Q(facts__is_partial=False))
    if awaited.filter(owner_id=draft.owner_id).exists():
        return False
    draft.report, draft.asked_at, draft.answered_at = {}, now, None
    draft.save(update_fields=["report", "asked_at", "answered_at"])
    transaction.on_commit(lambda: send_preflight_draft(draft.pk))
    return True


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
