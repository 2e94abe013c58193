"""Sends the messages that wake workers: ids only, by the task's name."""

from __future__ import annotations

import logging

from kombu.exceptions import OperationalError

from pybench_site.celery import app

log = logging.getLogger(__name__)

RUN_SLICE = "runner.run_slice"
PREFLIGHT_RUN = "runner.preflight_run"
DRAW_PAGES = "runner.draw_pages"


def send_wake_up(run_id: int) -> None:
    """Tell a worker of the run. Nothing is lost when no broker answers: the sweep sends again."""
    try:
        app.send_task(RUN_SLICE, [run_id])
    except OperationalError as error:
        log.warning("run %s: no wake-up sent, the sweep will: %s", run_id, error)


def send_preflight_run(run_id: int, expires_s: float) -> None:
    """Ask a worker for the run's preflight; the sweep asks again for what is lost."""
    try:
        app.send_task(PREFLIGHT_RUN, [run_id], expires=expires_s)
    except OperationalError as error:
        log.warning("run %s: its preflight was not asked for: %s", run_id, error)


def send_draw_pages(attempt_id: int) -> None:
    """Ask a worker for the pages of the attempt's PDFs; the sweep asks again for what is lost."""
    try:
        app.send_task(DRAW_PAGES, [attempt_id])
    except OperationalError as error:
        log.warning("attempt %s: its pages were not asked for: %s", attempt_id, error)
