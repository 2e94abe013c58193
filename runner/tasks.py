"""Celery's part: a message comes in, the rows are asked, the driver is told. May import Django."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
from typing import Any

from celery import signals
from django.conf import settings
from django.db import connection

from leaderboard import handoff, pdf_pages, preflights
from leaderboard.models import Blob
from leaderboard.outgoing import open_policy
from pybench_site.celery import app
from runner.contract import EndpointSpec, Fault, Problem, ProblemError
from runner.driver import GRACE_S, Driver, Settings
from runner.guard import GuardedTransport
from runner.pdf_pages import MAX_PDF_BYTES, draw_first_page
from runner.player import SandboxPlayer
from runner.preflight import as_json
from runner.preflight import preflight as look
from runner.sandbox.base import Sandbox, SandboxUnavailable
from runner.sandbox.factory import open_sandbox

log = logging.getLogger(__name__)

PREFLIGHT_CRASHED = Problem(
    Fault.US,
    "preflight_crashed",
    "The preflight broke on our side.",
    "Check again; if it breaks again, tell the maintainers.",
)
WORKER = f"{socket.gethostname()}:{os.getpid()}"

_lock = threading.Lock()
_driver: Driver | None = None


@app.task(name="runner.run_slice", ignore_result=True)
def run_slice(run_id: int) -> None:
    """Play the run's attempts, as many at once as it allows."""
    if lanes := handoff.concurrency_of(run_id):
        driver().wake(run_id, lanes)


@app.task(name="runner.preflight", ignore_result=True)
def preflight(draft_id: int) -> None:
    """Look at a draft's endpoint, in this thread: it is over within some ten seconds."""
    try:
        if asked := preflights.asked_of(draft_id):
            report = asyncio.run(look_at(asked.spec))
            preflights.record(draft_id, report, asked.at)
    except ProblemError as error:
        preflights.record_problem(draft_id, error.problem)
    except Exception:
        log.exception("draft=%s the preflight failed", draft_id)
        preflights.record_problem(draft_id, PREFLIGHT_CRASHED)


async def look_at(spec: EndpointSpec) -> dict[str, Any]:
    """The report on an endpoint, which is reached through the guard."""
    try:
        sandbox: Sandbox | None = open_sandbox()
    except SandboxUnavailable as error:
        log.warning("a preflight without a kernel: %s", error)
        sandbox = None
    try:
        return as_json(await look(spec, sandbox, GuardedTransport(open_policy())))
    finally:
        if sandbox is not None:
            await sandbox.close()


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
    swept = handoff.sweep()
    if swept.taken_back or swept.closed:
        log.info("sweep: %s taken back, %s runs closed", swept.taken_back, swept.closed)


def driver() -> Driver:
    """This process's driver, started at first use and again should it ever end by itself."""
    global _driver
    with _lock:
        if _driver is None or not (_driver.is_alive or _driver.is_stopping):
            _driver = make_driver()
            _driver.start()
    return _driver


def make_driver() -> Driver:
    how = Settings(
        worker=WORKER,
        places=settings.QUEUE_PLACES,
        renew_every_s=settings.QUEUE_LEASE_S / 4,
        scratch=settings.VAR / "scratch",
    )
    return Driver(handoff, make_player, how, mend_connection, close_connection)


def make_player() -> SandboxPlayer:
    cache = settings.VAR / "instances"
    return SandboxPlayer(suites=settings.SUITES, cache=cache, policy=open_policy())


def mend_connection() -> None:
    """Drop the rows' connection when the act before failed on it: the next act opens another."""
    if connection.errors_occurred:
        connection.close()


def close_connection() -> None:
    connection.close()  # of the thread that calls


@signals.after_setup_logger.connect
def quieten(**_: Any) -> None:
    """Leave out the lines that come with every message and every request to an endpoint."""
    for name in ("celery.worker.strategy", "celery.app.trace", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)


@signals.worker_ready.connect
def begin(**_: Any) -> None:
    """What a worker that died held is taken up as soon as its leases allow."""
    driver()
    sweep()
    connection.close()


@signals.worker_shutting_down.connect
def ask_to_stop(**_: Any) -> None:
    if _driver is not None:
        _driver.stop()


@signals.worker_shutdown.connect
def wait_for_stop(**_: Any) -> None:
    """Let the attempts in flight go back to the queue before the process ends."""
    if _driver is not None:
        _driver.stop()
        if not _driver.join(GRACE_S + 4):
            log.warning("the driver did not stop in time; leases will expire")
