"""Mends what dead workers and lost messages left, and sends what is due to workers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import Q

from leaderboard.accounts import kept_answers, quotas
from leaderboard.evidence.manifests import keep_statements
from leaderboard.failures.tagging import conclude_missed
from leaderboard.handoff import file_previews, notices
from leaderboard.handoff.dispatch import dispatch, is_anyone_waiting
from leaderboard.handoff.judgings import find_due
from leaderboard.judge.actions import judge_next_baseline
from leaderboard.ledger.entries import number_acts
from leaderboard.ledger.sealed_runs import seal_runs
from leaderboard.models import Attempt, Erratum, Run, Worker
from leaderboard.notices.ends import note_ends
from leaderboard.queue import clock, preflights
from leaderboard.queue.messages import send_judge, send_notice, send_rescore
from leaderboard.queue.transitions import (
    HOST_WAIT,
    cancel_queued,
    close_if_over,
    end_void,
    is_free,
    settle,
    touch,
)
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.snapshots.facet_ranks import keep_facet_ranks
from leaderboard.snapshots.keep import keep_snapshots
from leaderboard.uploads.delete import delete_old
from runner.contract import HOST_LACKS, Fault, Outcome, Problem, Status

log = logging.getLogger(__name__)

FORGETTING = (preflights.forget_old, kept_answers.forget_old, quotas.forget_old, delete_old)
# Each needs what the one before wrote.
LAST = (
    file_runs,
    refresh_changed,
    seal_runs,
    number_acts,
    keep_snapshots,
    keep_facet_ranks,
    keep_statements,
)

LOCK_NOT_AVAILABLE, QUERY_CANCELED = "55P03", "57014"  # SQLSTATE
NoDatabase = OperationalError  # as workers know it, which know no Django

WORKER_LOST = Problem(
    Fault.US,
    "worker_lost",
    "The worker that played this attempt stopped without reporting.",
    "It is tried again by itself, up to three times.",
)
SLACK = timedelta(minutes=1)  # for acts that take place while we look


@dataclass(frozen=True)
class Swept:
    """Findings of a sweep that need work."""

    taken_back: int
    closed: int


def sweep_queue() -> Swept:
    """Take back what dead workers held, close what is over, send what is ready to workers.

    Runs whose row somebody holds are left to the next sweep. Boards whose runs changed are placed
    again, last of all: that may take seconds. Raises an ExceptionGroup of the parts that failed,
    after all others are done; OperationalError at once where the database is away.
    """
    parts = SweepParts()
    parts.do(lambda: mend_times(clock.now()))
    expired = Attempt.objects.expired(clock.now()).values_list("pk", "run_id")
    taken_back = sum(parts.do(take_back, pk, run_id) for pk, run_id in list(expired))
    for pk in list(Run.objects.half_cancelled().values_list("pk", flat=True)):
        parts.do(if_free, pk, cancel_queued)
    unclosed = list(Run.objects.without_open_attempt().values_list("pk", flat=True))
    closed = sum(parts.do(if_free, pk, settle) for pk in unclosed)
    parts.do(dispatch)
    for duty in (
        preflights.ask_again,
        *FORGETTING,
        conclude_missed,
        ask_safely,
        note_ends,
        *LAST,
        ask_for_rescoring,
        judge_baselines,
        ask_for_judging,
        ask_for_notices,
    ):
        parts.do(duty)
    if parts.failed:
        raise ExceptionGroup("Parts of a sweep failed, all others are done", parts.failed)
    return Swept(taken_back, closed)


@dataclass
class SweepParts:
    """Acts of one sweep: what fails, or takes too long, stands in no other's way."""

    failed: list[Exception] = field(default_factory=list)

    def do(self, act: Callable[..., Any], *arguments: object) -> Any:
        """Its result; False if it failed, or is left to the next sweep for somebody's lock."""
        try:
            return act(*arguments)
        except OperationalError as error:
            state = getattr(error.__cause__, "sqlstate", None)
            if state == LOCK_NOT_AVAILABLE:
                log.warning("a part of the sweep waits for the next one: %s", error)
            elif state == QUERY_CANCELED:  # one statement took too long
                self.failed.append(error)
            else:
                raise
        except Exception as error:
            self.failed.append(error)
        return False


@transaction.atomic
def if_free(run_id: int, act: Callable[[Run], None]) -> bool:
    """Do this to a run unless somebody else holds its row."""
    if not is_free(run_id):
        return False
    act(touch(run_id))
    return True


def ask_safely() -> None:
    """Ask for pages that are to be drawn. A picture that fails never costs a result."""
    try:
        for pk in file_previews.attempts_missing():
            file_previews.ask_for_pages(pk)
    except Exception:
        log.exception("pages of PDF files could not be asked for")


def ask_for_rescoring() -> None:
    """Wake a worker for an erratum that nobody drives, unless an attempt waits."""
    undriven = Q(driven_until=None) | Q(driven_until__lt=clock.now())
    erratum = Erratum.objects.filter(undriven, finished_at=None).order_by("pk").first()
    if erratum is not None and not is_anyone_waiting():
        send_rescore(erratum.pk)


def ask_for_judging() -> None:
    if find_due().exists():
        send_judge()


def ask_for_notices() -> None:
    for pk in notices.take_due():
        if not send_notice(pk):
            notices.give_back(pk)


def judge_baselines() -> None:
    """Have a scripted baseline judged, unless an attempt waits."""
    if not is_anyone_waiting():
        judge_next_baseline()


@transaction.atomic
def take_back(attempt_id: int, run_id: int) -> bool:
    """Take an attempt from a worker that let its lease expire; False when it did not after all."""
    expired = Attempt.objects.expired(clock.now()).filter(pk=attempt_id)
    attempt = expired.select_for_update(skip_locked=True).first()
    if attempt is None or not is_free(run_id):
        return False
    run = touch(run_id)
    end_void(run, attempt, Outcome.WORKER_LOST, WORKER_LOST)
    close_if_over(run)
    return True


def mend_times(now: datetime) -> int:
    """Bring what lies too far ahead back to what an honest clock would say; how many rows.

    Leases and pauses end in the near future. After the clock is set back they lie far ahead, and
    whatever waits for them would wait for as long as the clock was wrong.
    """
    lease = timedelta(seconds=settings.QUEUE_LEASE_S)
    pause = timedelta(seconds=max(settings.QUEUE_BACKOFF_S))
    leases = Attempt.objects.filter(
        status=Status.RUNNING, lease_until__gt=now + lease + min(lease, SLACK)
    )
    queued = Attempt.objects.filter(status=Status.QUEUED)
    pauses = queued.filter(not_before__gt=now + pause + SLACK).exclude(
        problem_code__startswith=HOST_LACKS, not_before__lte=now + HOST_WAIT + SLACK
    )
    sent = queued.filter(lease_until__gt=now + SLACK)
    workers = Worker.objects.filter(seen_at__gt=now + SLACK)
    return (
        leases.update(lease_until=now + lease)  # a living worker renews it long before
        + pauses.update(not_before=now)
        + sent.update(lease_until=now)
        + workers.delete()[0]  # one that lives renews its row
    )
