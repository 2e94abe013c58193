"""Sends the messages that wake workers: ids only, by the task's name."""

from __future__ import annotations

import logging
import time

from django.db import transaction
from kombu import pools
from kombu.exceptions import OperationalError

from leaderboard.models import Run
from leaderboard.queue import clock
from pybench_site.celery import SILENCE_S, app, quick_connection

log = logging.getLogger(__name__)

RUN_SLICE = "runner.run_slice"
PREFLIGHT_DRAFT = "runner.preflight"
PREFLIGHT_RUN = "runner.preflight_run"
DRAW_PAGES = "runner.draw_pages"
RESCORE = "runner.rescore"
JUDGE = "runner.judge"
REST_S = 5.0  # of a broker that was silent: those who send meanwhile do not wait for it

_rests_until_s = float("-inf")


def enqueue(run_id: int) -> None:
    """Wake a worker for this run once the transaction is committed."""
    Run.objects.filter(pk=run_id).update(woken_at=clock.now())
    transaction.on_commit(lambda: send_wake_up(run_id))


def send_wake_up(run_id: int) -> None:
    """Tell a worker of the run. Nothing is lost when no broker answers: the sweep sends again."""
    send(RUN_SLICE, run_id, "run %s: no wake-up sent, the sweep will: %s")


def send_preflight_run(run_id: int) -> None:
    """Ask a worker for the run's preflight; the sweep asks again for what is lost."""
    send(PREFLIGHT_RUN, run_id, "run %s: its preflight was not asked for: %s")


def send_preflight_draft(draft_id: int) -> None:
    """The message holds an id only. It is not sent again: whoever waits can ask again.

    Nor does it expire: that would depend on the clocks of two hosts. The row says whether
    somebody still waits.
    """
    send(PREFLIGHT_DRAFT, draft_id, "draft %s: its preflight was not asked for: %s")


def send_rescore(erratum_id: int) -> None:
    """Have a worker judge an erratum's stored results again; the sweep asks again."""
    send(RESCORE, erratum_id, "erratum %s: its results were not asked for: %s")


def send_draw_pages(attempt_id: int) -> None:
    """Ask a worker for the pages of the attempt's PDFs; the sweep asks again for what is lost."""
    send(DRAW_PAGES, attempt_id, "attempt %s: its pages were not asked for: %s")


def send_judge(judging_id: int) -> None:
    """Tell a worker that a judging waits; the sweep looks for it too."""
    send(JUDGE, judging_id, "judging %s: no wake-up sent, the sweep will: %s")


def send(task: str, row_id: int, loss: str) -> None:
    """Send a message, or log `loss` with the row and the error when no broker takes it.

    A broker that hangs holds its sender up for a second, and those after it not at all.
    """
    global _rests_until_s
    began_s = time.monotonic()
    if began_s < _rests_until_s:
        return log.warning(loss, row_id, "the broker was silent a moment ago")
    try:
        with pools.producers[quick_connection(app)].acquire(block=True) as producer:
            app.send_task(task, [row_id], producer=producer)
    except OperationalError as error:
        ended_s = time.monotonic()
        if ended_s - began_s >= SILENCE_S:
            _rests_until_s = ended_s + REST_S
        log.warning(loss, row_id, error)
    return None
