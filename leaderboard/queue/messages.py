"""Sends tasks to workers: ids only, by the task's name."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from django.db import transaction
from kombu import pools
from kombu.exceptions import OperationalError

from pybench_site.celery import SILENCE_S, app, quick_connection

log = logging.getLogger(__name__)

PLAY_ATTEMPT = "runner.play_attempt"
DISPATCH = "runner.dispatch"
PREFLIGHT_DRAFT = "runner.preflight"
PREFLIGHT_RUN = "runner.preflight_run"
DRAW_PAGES = "runner.draw_pages"
RESCORE = "runner.rescore"
JUDGE = "runner.judge"
SEND_NOTICE = "runner.send_notice"
REST_S = 5.0  # of a broker that was silent: those who send meanwhile do not wait for it

_rests_until_s = float("-inf")


def ask_for_dispatch() -> None:
    """Have attempts sent to workers once the transaction is committed; the sweep does too."""
    transaction.on_commit(send_dispatch)


def send_dispatch() -> None:
    send(DISPATCH, [], "nothing is sent to workers before the sweep: %s")


def send_attempt(attempt_id: int, token: str) -> bool:
    """Send an attempt to a worker with a free place; False when no broker takes it."""
    words = f"attempt {attempt_id}: not sent to a worker: %s"
    return send(PLAY_ATTEMPT, [attempt_id, token], words)


def send_preflight_run(run_id: int) -> None:
    """Ask a worker for the run's preflight; the sweep asks again for what is lost."""
    send(PREFLIGHT_RUN, [run_id], f"run {run_id}: its preflight was not requested: %s")


def send_preflight_draft(draft_id: int) -> None:
    """The message holds an id only. It is not sent again: whoever waits can ask again.

    Nor does it expire: that would depend on the clocks of two hosts. The row says whether
    somebody still waits.
    """
    send(PREFLIGHT_DRAFT, [draft_id], f"draft {draft_id}: its preflight was not requested: %s")


def send_rescore(erratum_id: int) -> None:
    """Have a worker judge an erratum's stored results again; the sweep asks again."""
    send(RESCORE, [erratum_id], f"erratum {erratum_id}: its results were not requested: %s")


def send_draw_pages(attempt_id: int) -> None:
    """Ask a worker for the pages of the attempt's PDFs; the sweep asks again for what is lost."""
    send(DRAW_PAGES, [attempt_id], f"attempt {attempt_id}: its pages were not requested: %s")


def send_judge() -> None:
    """Have a worker take up the next judging that waits; the sweep asks too."""
    send(JUDGE, [], "no judging was requested, the sweep will: %s")


def send_notice(notice_id: int) -> bool:
    """Have a worker send a notice; False when no broker takes the message."""
    return send(SEND_NOTICE, [notice_id], f"notice {notice_id}: not requested: %s")


def send(task: str, arguments: Sequence[object], loss: str) -> bool:
    """Send a message; False, with `loss` and the error in the log, when no broker takes it.

    A broker that hangs holds its sender up for a second, and those after it not at all.
    """
    global _rests_until_s
    began_s = time.monotonic()
    if began_s < _rests_until_s:
        log.warning(loss, "the broker was silent a moment ago")
        return False
    try:
        with pools.producers[quick_connection(app)].acquire(block=True) as producer:
            app.send_task(task, arguments, producer=producer)
    except OperationalError as error:
        ended_s = time.monotonic()
        if ended_s - began_s >= SILENCE_S:
            _rests_until_s = ended_s + REST_S
        log.warning(loss, error)
        return False
    return True
