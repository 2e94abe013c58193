"""Celery's part: a message comes in, the rows are asked, the driver is told. May import Django."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from leaderboard import admission, handoff, pdf_pages, preflights
from leaderboard.checking import report_of
from leaderboard.models import Blob
from leaderboard.outgoing import open_policy
from pybench_site.celery import app
from runner.contract import EndpointSpec, Fault, Problem, ProblemError
from runner.guard import GuardedTransport
from runner.pdf_pages import MAX_PDF_BYTES, draw_first_page
from runner.preflight import preflight as look
from runner.preflight_report import as_json
from runner.sandbox.base import Sandbox, SandboxUnavailable
from runner.sandbox.factory import open_sandbox
from runner.worker import driver

log = logging.getLogger(__name__)

PREFLIGHT_CRASHED = Problem(
    Fault.US,
    "preflight_crashed",
    "The preflight broke on our side.",
    "Check again; if it breaks again, tell the maintainers.",
)
_lock = threading.Lock()
_swept_s = float("-inf")  # time.monotonic() of this process's last sweep


@app.task(name="runner.run_slice", ignore_result=True)
def run_slice(run_id: int) -> None:
    """Play the run's attempts, as many at once as it allows."""
    if lanes := handoff.concurrency_of(run_id):
        driver().wake(run_id, lanes, handoff.endpoint_of_run(run_id))


@app.task(name="runner.preflight", ignore_result=True)
def preflight(draft_id: int) -> None:
    """Look at a draft's endpoint, in this thread: it is over within some ten seconds."""
    try:
        if asked := preflights.asked_of(draft_id):
            with looking_at(asked.spec) as report:
                preflights.record(draft_id, report, asked.at)
    except ProblemError as error:
        preflights.record_problem(draft_id, error.problem)
    except Exception:
        log.exception("draft=%s the preflight failed", draft_id)
        preflights.record_problem(draft_id, PREFLIGHT_CRASHED)


@app.task(name="runner.preflight_run", ignore_result=True)
def preflight_run(run_id: int) -> None:
    """Look at the endpoint of a run that waits for it, then queue the run or end it."""
    try:
        if spec := admission.spec_of(run_id):
            with looking_at(spec) as report:
                admission.record(run_id, report)
    except ProblemError as error:
        admission.record(run_id, report_of(error.problem))
    except Exception:
        log.exception("run=%s the preflight failed", run_id)
        admission.record(run_id, report_of(PREFLIGHT_CRASHED))


@contextmanager
def looking_at(spec: EndpointSpec) -> Iterator[dict[str, Any]]:
    """The report on an endpoint, which is reached through the guard.

    Whoever waits for the report does not wait for the kernel to end: that is after it was taken.
    """
    try:
        sandbox: Sandbox | None = open_sandbox()
    except SandboxUnavailable as error:
        log.warning("a preflight without a kernel: %s", error)
        sandbox = None
    with asyncio.Runner() as loop:
        try:
            yield as_json(loop.run(look(spec, sandbox, GuardedTransport(open_policy()))))
        finally:
            if sandbox is not None:
                loop.run(sandbox.close())


@app.task(name="runner.draw_pages", ignore_result=True)
def draw_pages(attempt_id: int) -> None:
    """Draw the first pages of the PDFs of an attempt that is over."""
    try:
        blobs = pdf_pages.missing_of(attempt_id)
        if not blobs:
            return
        sandbox = open_sandbox()
        try:
            for blob in blobs:
                draw_page(sandbox, blob)
        finally:
            asyncio.run(sandbox.close())
    except Exception:
        log.exception("attempt=%s its PDF pages could not be drawn", attempt_id)


def draw_page(sandbox: Sandbox, blob: Blob) -> None:
    """Try one PDF; a failure is counted and leaves the others alone."""
    if not pdf_pages.take(blob):
        return
    try:
        pdf = pdf_pages.read_pdf(blob, MAX_PDF_BYTES)
        png = asyncio.run(draw_first_page(sandbox, pdf)) if pdf else None
        if not png or not pdf_pages.keep_page(blob, png):
            log.warning("blob=%s its first page could not be drawn", blob)
    except Exception:
        log.exception("blob=%s its first page could not be drawn", blob)


@app.task(name="runner.sweep", ignore_result=True)
def sweep() -> None:
    """Send again what was lost, take back what dead workers held, close what is over."""
    if not is_sweep_due():
        return
    swept = handoff.sweep()
    if swept.taken_back or swept.closed:
        log.info("sweep: %s taken back, %s runs closed", swept.taken_back, swept.closed)


def is_sweep_due() -> bool:
    """Whether this process swept long enough ago: messages pile up while no worker runs."""
    global _swept_s
    now_s = time.monotonic()
    with _lock:
        is_due: bool = now_s - _swept_s >= settings.QUEUE_SWEEP_EVERY_S / 2
        _swept_s = now_s if is_due else _swept_s
    return is_due
