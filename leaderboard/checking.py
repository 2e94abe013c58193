"""Runs that wait for their preflight: a worker is asked, again where that is lost, or they end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q

from leaderboard import clock
from leaderboard.models import Run
from leaderboard.transitions import move_run, touch
from leaderboard.wake import send_preflight_run
from runner.contract import Fault, Problem, ProblemError, Status

PATIENCE = timedelta(seconds=30)  # then the worker that was asked is asked again
GIVE_UP = timedelta(minutes=10)  # from the submission on
MAX_WAITING = 3  # of one account

NEVER_CHECKED = Problem(
    Fault.US,
    "preflight_lost",
    "The preflight of this run was asked for again and again, and never came to an end.",
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
                f"{waiting} runs of yours wait for their preflight.",
                "Submit this one when they are checked; that takes ten seconds each.",
            )
        )


def ask(run_id: int) -> None:
    """Ask a worker for the run's preflight once the transaction is committed."""
    Run.objects.filter(pk=run_id).update(woken_at=clock.now())
    transaction.on_commit(lambda: send_preflight_run(run_id, PATIENCE.total_seconds()))


def ask_again() -> None:
    """Send lost messages again; end what no worker got to the end of."""
    now = clock.now()
    waiting = Run.objects.filter(status=Status.CHECKING)
    for pk in list(waiting.filter(created_at__lt=now - GIVE_UP).values_list("pk", flat=True)):
        refuse(pk, report_of(NEVER_CHECKED))
    # A moment far ahead was written by a clock since set back.
    is_due = ~Q(woken_at__gte=now - PATIENCE, woken_at__lte=now + PATIENCE)
    for pk in list(waiting.filter(is_due).values_list("pk", flat=True)):
        if waiting.filter(is_due, pk=pk).update(woken_at=now):
            send_preflight_run(pk, PATIENCE.total_seconds())


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
