"""The tasks of workers: each reads rows by their number, does its work and stores it.

May import Django.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

from leaderboard.handoff import attempts, file_previews, judgings, notices, preflights, rescoring
from leaderboard.handoff.sweep import NoDatabase, sweep_queue
from pybench_site.celery import app
from runner.contract import EndpointSpec, Fault, Problem, ProblemError, SandboxUnavailable
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.guarded_transport import GuardedTransport
from runner.failure_log import logged
from runner.judge.playing import play_judging
from runner.preflight.probe import preflight
from runner.preflight.report import as_json
from runner.previews.contents import MAX_FILE_BYTES, read_contents
from runner.rejudging import judge_waiting
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.webhooks.post import headers_of, now_s, post_in_time
from runner.worker.process import event_loop, player

log = logging.getLogger(__name__)

RESCORE_SLICE_S = 60.0  # then the sweep asks again

_swept_s = float("-inf")  # time.monotonic() of this process's last sweep

PREFLIGHT_CRASHED = Problem(
    Fault.US,
    "preflight_crashed",
    "The preflight failed on our side.",
    "Check again; if it fails again, tell the maintainers.",
)


@app.task(name="runner.play_attempt")
def play_attempt(attempt_id: int, token: str) -> None:
    """Play one attempt in this process's event loop and store its result."""
    try:
        player().play(attempt_id, token)
    except CancelledError:  # the worker stops: what it had claimed is given back already
        attempts.unsend(attempt_id, token)


@app.task(name="runner.dispatch")
def dispatch() -> None:
    """Send attempts to the workers that have free places."""
    player().ask()


@app.task(name="runner.preflight")
def preflight_draft(draft_id: int) -> None:
    """Look at a draft's endpoint, for its owner."""
    answer(preflights.DraftPreflight(draft_id))


@app.task(name="runner.preflight_run")
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
    try:
        guarded = GuardedTransport(preflights.submission_policy())
        yield as_json(event_loop().run(preflight(spec, sandbox, guarded)))
    finally:
        if sandbox is not None:
            event_loop().run(sandbox.close())


@app.task(name="runner.draw_pages")
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
            event_loop().run(sandbox.close())


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
    report = event_loop().run(read_contents(sandbox, kind, name, content))
    return bool(report and file_previews.keep_contents(blob, report))


@app.task(name="runner.judge")
def judge() -> None:
    """Play the next judging that is due to its end."""
    if job := judgings.take_due():
        with logged(log, "judging=%s goes on when its lease is over", job.judging_id):
            event_loop().run(play_judging(job, judgings, preflights.run_policy()))


@app.task(name="runner.send_notice")
def send_notice(notice_id: int) -> None:
    """Send a webhook or a mail."""
    deliver(notice_id, preflights.webhook_policy())


def deliver(notice_id: int, policy: AddressPolicy) -> None:
    if delivery := notices.delivery_of(notice_id):
        said = mail(delivery) if delivery.is_mail else post(delivery, policy)
        if said:
            log.info("notice=%s not sent: %s", notice_id, said)
            notices.note_failed(notice_id, said)
        else:
            notices.note_sent(notice_id)


def mail(delivery: notices.Delivery) -> str:
    """Why the mail could not be sent, in words; "" once it is."""
    try:
        notices.mail(delivery.notice_id)
    except OSError as error:  # of the mail server, or on the way to it
        return f"The mail server failed: {type(error).__name__}."
    return ""


def post(delivery: notices.Delivery, policy: AddressPolicy) -> str:
    """Why the webhook was not taken, in words; "" once it was."""
    number, body = delivery.notice_id, delivery.body
    headers = headers_of(delivery.secret, delivery.event, number, body, now_s())
    return event_loop().run(post_in_time(delivery.url, headers, body, policy))


@app.task(name="runner.rescore")
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


@app.task(name="runner.sweep")
def sweep() -> None:
    """Take back what dead workers held, close what is over, send what is due."""
    global _swept_s
    now_s = time.monotonic()
    if now_s - _swept_s < settings.QUEUE_SWEEP_EVERY_S / 2:
        return  # messages pile up while no worker runs
    _swept_s = now_s
    swept = None
    with logged(log, "a sweep did not do everything; the next one tries again"):
        try:
            swept = sweep_queue()
        except NoDatabase as error:  # a line each time, and no traceback of forty
            said = " ".join(str(error).split())
            log.warning("no sweep, the next one makes up for it: %s", said)
    if swept and (swept.taken_back or swept.closed):
        log.info("sweep: %s taken back, %s runs closed", swept.taken_back, swept.closed)
