"""Celery's part: a message comes in, rows are read, the driver is notified. May import Django."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from leaderboard.handoff import attempts, file_previews, judgings, notices, preflights, rescoring
from leaderboard.handoff.sweep import NoDatabase, sweep_queue
from pybench_site.celery import app
from runner.contract import EndpointSpec, Fault, Problem, ProblemError, SandboxUnavailable
from runner.endpoint.guarded_transport import GuardedTransport
from runner.failure_log import logged
from runner.judge.desk import JudgeDesk
from runner.preflight.probe import preflight
from runner.preflight.report import as_json
from runner.previews.contents import MAX_FILE_BYTES, read_contents
from runner.rejudging import judge_waiting
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host_tools import TOOLS
from runner.webhooks.courier import Courier
from runner.worker.process import driver

log = logging.getLogger(__name__)

RESCORE_SLICE_S = 60.0  # then the sweep asks again

PREFLIGHT_CRASHED = Problem(
    Fault.US,
    "preflight_crashed",
    "The preflight failed on our side.",
    "Check again; if it fails again, tell the maintainers.",
)
_lock = threading.Lock()
_swept_s = float("-inf")  # time.monotonic() of this process's last sweep


@app.task(name="runner.run_slice", ignore_result=True)
def run_slice(run_id: int) -> None:
    """Play the run's attempts, as many at once as it allows."""
    if run := attempts.waiting_run(run_id):
        driver().wake(run.run_id, run.lanes, run.endpoint, run.account)


@app.task(name="runner.preflight", ignore_result=True)
def preflight_draft(draft_id: int) -> None:
    """Look at a draft's endpoint, for its owner."""
    answer(preflights.DraftPreflight(draft_id))


@app.task(name="runner.preflight_run", ignore_result=True)
def preflight_run(run_id: int) -> None:
    """Look at the endpoint of a run that waits for it, then queue the run or end it."""
    answer(preflights.RunPreflight(run_id))


def answer(asked: preflights.Preflight) -> None:
    """Look at the endpoint, in this thread: it is over within some ten seconds."""
    try:
        if endpoint := asked.endpoint():
            with looking_at(endpoint) as report:
                asked.record(report)
    except ProblemError as error:
        asked.record_problem(error.problem)
    except Exception:  # our own failure is an answer too: somebody waits for one
        log.exception("%s the preflight failed", asked)
        asked.record_problem(PREFLIGHT_CRASHED)


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
            guarded = GuardedTransport(preflights.submission_policy())
            yield as_json(loop.run(preflight(spec, sandbox, guarded)))
        finally:
            if sandbox is not None:
                loop.run(sandbox.close())


@app.task(name="runner.draw_pages", ignore_result=True)
def draw_pages(attempt_id: int) -> None:
    """Make the previews of an attempt that is over: pages of PDFs, contents of documents."""
    with logged(log, "attempt=%s its previews could not be made", attempt_id):
        blobs = file_previews.missing_of(attempt_id)
        if not blobs:
            return
        sandbox = open_sandbox()
        try:
            for blob in blobs:
                make_preview(sandbox, blob)
        finally:
            asyncio.run(sandbox.close())


def make_preview(sandbox: Sandbox, blob: file_previews.Blob) -> None:
    """Try one file; a failure is counted and leaves the others alone."""
    if not file_previews.take(blob):
        return
    with logged(log, "blob=%s no preview could be made", blob):
        content = file_previews.read_whole(blob, MAX_FILE_BYTES)
        if not content or not open_file(sandbox, blob, content):
            log.warning("blob=%s no preview could be made", blob)


def open_file(sandbox: Sandbox, blob: file_previews.Blob, content: bytes) -> bool:
    """Open `content` in the sandbox and keep what came out; False when nothing could be kept."""
    kind, name = file_previews.kind_inside(blob), file_previews.name_of(blob)
    report = asyncio.run(read_contents(sandbox, kind, name, content))
    return bool(report and file_previews.keep_contents(blob, report))


@app.task(name="runner.judge", ignore_result=True)
def judge(judging_id: int) -> None:
    """Have this process's judge desk take up what waits, whichever judging the message names."""
    log.info("judging=%s waits", judging_id)
    judge_desk().round()


@cache
def judge_desk() -> JudgeDesk:
    """This process's thread for judges."""
    return JudgeDesk(judgings, preflights.run_policy, driver)


@app.task(name="runner.rescore", ignore_result=True)
def rescore(erratum_id: int) -> None:
    """Judge an erratum's stored results again for a while, as long as no attempt waits."""
    if not rescoring.drive(erratum_id):
        return
    try:
        with logged(log, "erratum=%s stored results wait for the next sweep", erratum_id):
            jobs = max(1, os.cpu_count() or 1)
            suites = Path(settings.SUITES)
            judge_waiting(rescoring, erratum_id, suites, RESCORE_SLICE_S, jobs)
    finally:
        rescoring.leave(erratum_id)


@app.task(name="runner.sweep", ignore_result=True)
def sweep() -> None:
    """Send again what was lost, take back what dead workers held, close what is over."""
    if not is_sweep_due():
        return
    swept = None
    with logged(log, "a sweep did not do everything; the next one tries again"):
        try:
            attempts.release_waiting(tool.key for tool in TOOLS if tool.find())
            swept = sweep_queue()
        except NoDatabase as error:  # a line each time, and no traceback of forty
            log.warning("no sweep, the next one makes up for it: %s", " ".join(str(error).split()))
            return
    with logged(log, "notices were not looked for; the next sweep does"):
        courier().round()
    with logged(log, "judgings were not looked for; the next sweep does"):
        judge_desk().round()
    if swept and (swept.taken_back or swept.closed):
        log.info("sweep: %s taken back, %s runs closed", swept.taken_back, swept.closed)


@cache
def courier() -> Courier:
    """This process's sender of notices."""
    return Courier(notices, preflights.webhook_policy)


def is_sweep_due() -> bool:
    """True if this process swept long enough ago: messages pile up while no worker runs."""
    global _swept_s
    now_s = time.monotonic()
    with _lock:
        is_due: bool = now_s - _swept_s >= settings.QUEUE_SWEEP_EVERY_S / 2
        _swept_s = now_s if is_due else _swept_s
    return is_due
