"""This worker process, from Celery's start to its end: its event loop and its player of attempts.

May import Django.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

from celery import signals
from celery.worker.control import inspect_command
from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    close_old_connections,
    connection,
)

from leaderboard.handoff import attempts
from leaderboard.handoff.dispatch import RENEWALS
from leaderboard.handoff.preflights import run_policy
from pybench_site.monitoring import readiness
from pybench_site.monitoring.probes import Probes, serve
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host.runtime_folders import runtime_folder
from runner.sandbox.host_findings import CHECKS, SERVICE, find_lacks, is_safe, render
from runner.sandbox.host_tools import TOOLS
from runner.worker import metrics
from runner.worker.attempt_player import AttemptPlayer, Settings
from runner.worker.database_retries import Retrying
from runner.worker.disk_space import MB, DiskRoom
from runner.worker.event_loop import EventLoop
from runner.worker.sandbox_player import SandboxPlayer, has_suite

log = logging.getLogger(__name__)

ENDS_WITHIN_S = 8.0  # of being asked to; what is not given back by then comes back by its lease
LONGEST_ACT_S = 10.0  # of the rows' thread; then the database is away
DATABASE_FAILURES = (DatabaseError, InterfaceError)
IDLE_IN_TRANSACTION = "25P03"  # SQLSTATE of a session that PostgreSQL ended while we stood still
ATTEMPTS, JOBS = "attempts", "jobs"  # the queues
JOB_THREADS = 8  # kept for jobs by a worker that takes both

NAME = f"{socket.gethostname()}:{os.getpid()}"

_lock = threading.Lock()
_loop: EventLoop | None = None
_player: AttemptPlayer | None = None  # of a worker that plays attempts, once it is ready


def event_loop() -> EventLoop:
    """This process's event loop, started at first use."""
    global _loop
    with _lock:
        _loop = _loop or EventLoop()
    return _loop


def player() -> AttemptPlayer:
    """This process's player of attempts. A message may come before the worker said it is ready."""
    assert is_ready.wait(60)
    assert _player is not None
    return _player


is_ready = threading.Event()


def make_retrying() -> Retrying:
    """For the rows' thread, which alone may close its connection."""
    return Retrying(DATABASE_FAILURES, is_passing, close_connection)


def start_player(places: int) -> None:
    global _player
    how = Settings(
        worker=NAME,
        places=places,
        renew_every_s=settings.QUEUE_LEASE_S / RENEWALS,
        scratch=settings.VAR / "scratch",
        may_claim=make_room().is_enough,
        before_rows=mend_connection,
        after_rows=close_connection,
        release_for_host=release_for_host,
    )
    _player = AttemptPlayer(attempts, make_player, how, event_loop(), make_retrying())
    is_ready.set()


def release_for_host() -> None:
    """Let attempts go on that waited for tools or suites which this machine has."""
    attempts.release_waiting(tool.key for tool in TOOLS if tool.find())
    for name, digest in attempts.list_suites_waited_for():
        if has_suite(name, digest, settings.SUITES):
            attempts.release_waiting_for_suite(digest)


def make_player() -> SandboxPlayer:
    cache = settings.VAR / "instances"
    return SandboxPlayer(settings.SUITES, cache, run_policy(), open_sandbox)


def make_room() -> DiskRoom:
    """On the disks of attempts in flight and, where those are local files, of artifacts."""
    folders = [settings.VAR, settings.VAR / "scratch", settings.VAR / "instances", runtime_folder()]
    if isinstance(default_storage, FileSystemStorage):
        folders.append(Path(default_storage.location))
    return DiskRoom(folders, settings.LEAST_FREE_MB * MB)


def is_passing(error: Exception) -> bool:
    """True if the database is only away: it restarts, or another process keeps it locked."""
    if isinstance(error, (OperationalError, InterfaceError)):
        return True
    sqlstate = getattr(error.__cause__, "sqlstate", None)
    return isinstance(error, DatabaseError) and sqlstate == IDLE_IN_TRANSACTION


def mend_connection() -> None:
    """Drop the rows' connection when the act before failed on it: the next act opens another."""
    if connection.errors_occurred:
        connection.close()


def close_connection() -> None:
    connection.close()  # of the thread that calls


@cache
def probes() -> Probes:
    """Probes that this process answers on its own port, and to web processes through the broker."""
    own = {"sandbox": check_sandbox, "event loop": check_loop}
    checks = {**readiness.CHECKS, **own}
    return Probes(checks, metrics.render, settings.METRICS_TOKEN)


def check_loop() -> str:
    if not event_loop().is_turning(within_s=2.0):
        return "stands still"
    busy_s = _player.rows_busy_s() if _player else 0.0
    return f"waits for the database since {busy_s:.0f} s" if busy_s > LONGEST_ACT_S else ""


def check_sandbox() -> str:
    """Report what this host lacks for sandboxes, with the remedy; "" if nothing is missing."""
    return render([lack for lack in find_lacks((*CHECKS, SERVICE)) if lack.is_vital])


@inspect_command()
def pybench_ready(state: Any) -> str:
    """For web processes, which have no sandbox: what keeps this worker from playing, or ""."""
    if _player is None:
        return "no worker plays attempts"
    try:
        troubles = probes().look()
    finally:
        connection.close()
    return troubles["sandbox"] or troubles["event loop"]


@signals.after_setup_logger.connect
def quieten(**_: Any) -> None:
    """Leave out the lines that come with every message and every request to an endpoint."""
    for name in ("celery.worker.strategy", "celery.app.trace", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)


@signals.celeryd_after_setup.connect
def refuse_half_safe(sender: str, instance: Any, **_: Any) -> None:
    """Refuse to play attempts if the host cannot run the sandbox, and say how to fix it."""
    if not takes(instance, ATTEMPTS):
        return
    findings = find_lacks()
    if not is_safe(findings):
        words = "This host cannot run the sandbox, so no worker for attempts starts."
        print(f"{words}\n{render(findings)}", file=sys.stderr, flush=True)
        os._exit(1)  # sys.exit would wait for threads of Celery's that were never started
    for finding in findings:
        log.warning("degraded: %s: %s. %s", finding.name, finding.fact, finding.remedy)


def takes(worker: Any, queue: str) -> bool:
    return queue in worker.app.amqp.queues.consume_from


@signals.task_prerun.connect
@signals.task_postrun.connect
def mend_connections(**_: Any) -> None:
    """Tasks keep their thread's connection; one that is old or broken makes room for another."""
    close_old_connections()


@signals.worker_ready.connect
def begin(sender: Any, **_: Any) -> None:
    """Start the probes and, with the queue of attempts, the player: a thread is a place."""
    if settings.WORKER_PORT:
        serve(probes(), settings.WORKER_HOST, settings.WORKER_PORT, close_connection)
    if takes(sender, ATTEMPTS):
        threads = sender.controller.concurrency
        start_player(threads - JOB_THREADS if takes(sender, JOBS) else threads)
    connection.close()


@signals.worker_shutting_down.connect
def stop(**_: Any) -> None:
    """End what the event loop does: attempts go back to the queue before the process ends."""
    signal.signal(signal.SIGALRM, end_late)
    signal.setitimer(signal.ITIMER_REAL, ENDS_WITHIN_S)
    if _player is not None:
        _player.retrying.hurry()
    if _loop is not None:
        _loop.stop()


def end_late(*_: Any) -> None:
    log.warning("the worker did not end in time; what it holds comes back when its leases expire")
    os._exit(0)


@signals.worker_shutdown.connect
def wait_for_end(**_: Any) -> None:
    if _loop is not None and not _loop.join(ENDS_WITHIN_S):
        log.warning("the event loop did not end in time; leases will expire")
