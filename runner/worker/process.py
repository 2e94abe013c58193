"""The driver of this worker process, from Celery's start to its end. May import Django."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

from celery import signals
from celery.worker import state as tasks
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
from leaderboard.handoff.preflights import run_policy
from leaderboard.handoff.sweep import sweep_queue
from pybench_site.monitoring import readiness
from pybench_site.monitoring.probes import Probes, serve
from pybench_site.monitoring.watch import Intake, Pulse, RunningTasks, watch
from pybench_site.postgresql import bounded
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host.runtime_folders import runtime_folder
from runner.sandbox.host_findings import look_at_service, render
from runner.worker import metrics
from runner.worker.database_retries import Retrying
from runner.worker.disk_space import MB, DiskRoom
from runner.worker.driver import Driver, Settings
from runner.worker.host_check import is_unfit, look_round
from runner.worker.sandbox_player import SandboxPlayer

log = logging.getLogger(__name__)

ENDS_WITHIN_S = 8.0  # of being asked to; what is not given back by then comes back by its lease
LONGEST_ACT_S = 10.0  # of the rows' thread; then the database is away
DATABASE_FAILURES = (DatabaseError, InterfaceError)
IDLE_IN_TRANSACTION = "25P03"  # SQLSTATE of a session that PostgreSQL ended while we stood still

NAME = f"{socket.gethostname()}:{os.getpid()}"

_lock = threading.Lock()
_driver: Driver | None = None
_intake: Intake | None = None  # once this worker takes messages
_tasks: RunningTasks | None = None


def driver() -> Driver:
    """This process's driver, started at first use and again should it ever end by itself."""
    global _driver
    with _lock:
        if _driver is None or not (_driver.is_alive or _driver.is_stopping):
            _driver = make_driver()
            _driver.start()
    return _driver


driver_pulse = Pulse("the driver", lambda answer: driver().call(answer))


def make_retrying() -> Retrying:
    """For the rows' thread, which alone may close its connection."""
    return Retrying(DATABASE_FAILURES, is_passing, close_connection)


def make_driver() -> Driver:
    how = Settings(
        worker=NAME,
        places=settings.QUEUE_PLACES,
        renew_every_s=settings.QUEUE_LEASE_S / 4,
        scratch=settings.VAR / "scratch",
        may_claim=make_room().is_enough,
    )
    rows = (mend_connection, close_connection, make_retrying())
    return Driver(attempts, make_player, how, *rows)


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
    own = {"sandbox": check_sandbox, "driver": check_driver, "messages": check_messages}
    checks = {**readiness.CHECKS, **own}
    return Probes(checks, metrics.render, settings.METRICS_TOKEN)


def check_driver() -> str:
    if _driver is None or not _driver.is_alive or _driver.is_stopping:
        return "no driver is at work"
    if trouble := driver_pulse.trouble():
        return trouble
    busy_s = _driver.row_thread.busy_s()
    return f"waits for the database since {busy_s:.0f} s" if busy_s > LONGEST_ACT_S else ""


def check_messages() -> str:
    watched = [one for one in (_intake, _tasks) if one is not None]
    return next((trouble for one in watched if (trouble := one.trouble())), "")


def check_sandbox() -> str:
    """Report what this host lacks for sandboxes, with the remedy; "" if nothing is missing."""
    findings = [*look_round(), look_at_service()]
    return render([f for f in findings if f.is_vital and not f.is_fine])


@inspect_command()
def pybench_ready(state: Any) -> str:
    """For web processes, which have no sandbox: what keeps this worker from playing, or ""."""
    try:
        troubles = probes().look()
    finally:
        connection.close()
    return troubles["sandbox"] or troubles["driver"]


@signals.after_setup_logger.connect
def quieten(**_: Any) -> None:
    """Leave out the lines that come with every message and every request to an endpoint."""
    for name in ("celery.worker.strategy", "celery.app.trace", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)


@signals.worker_init.connect
def refuse_half_safe(**_: Any) -> None:
    """Refuse to start if the host cannot run the sandbox, and say how to fix it."""
    findings = look_round()
    if is_unfit(findings):
        words = "This host cannot run the sandbox, so no worker starts."
        print(f"{words}\n{render(findings)}", file=sys.stderr, flush=True)
        os._exit(1)  # sys.exit would wait for threads of Celery's that were never started
    for finding in findings:
        log.warning("degraded: %s: %s. %s", finding.name, finding.fact, finding.remedy)


@signals.task_prerun.connect
@signals.task_postrun.connect
def mend_connections(**_: Any) -> None:
    """Tasks keep their thread's connection; one that is old or broken makes room for another."""
    close_old_connections()


@signals.worker_ready.connect
def begin(sender: Any, **_: Any) -> None:
    """Start the probes, and take up the attempts of dead workers as soon as their leases allow."""
    if settings.WORKER_PORT:
        serve(probes(), settings.WORKER_HOST, settings.WORKER_PORT, close_connection)
    driver()
    stand_watch(sender)
    sweep_queue()
    connection.close()


def stand_watch(consumer: Any) -> None:
    """See to it that this process ends if its driver, Celery's consumer or a task hangs."""
    global _intake, _tasks
    loop = Pulse("the consumer of messages", consumer.call_soon)
    _intake = Intake(loop, readiness.count_messages, count_begun_tasks, is_at_a_task)
    _tasks = RunningTasks(tasks_under_way)
    watch([driver_pulse, _intake, _tasks], give_up)


def count_begun_tasks() -> int:
    return sum(tasks.total_count.values())


def is_at_a_task() -> bool:
    return bool(tasks.active_requests)


def tasks_under_way() -> dict[str, str]:
    """Their names by their ids."""
    return {request.id: request.name for request in tasks.active_requests}


def give_up(trouble: str) -> None:
    log.critical("%s: this process ends and gives back what it holds", trouble)
    ask_to_stop()


@signals.worker_shutting_down.connect
def ask_to_stop(**_: Any) -> None:
    bounded.hurry()
    end_soon()
    if _driver is not None:
        _driver.stop()


@cache
def end_soon() -> None:
    """From now on this process has so long, whatever a task of it waits for."""
    threading.Thread(target=end_late, name="end", daemon=True).start()


def end_late() -> None:
    time.sleep(ENDS_WITHIN_S)
    log.warning("the worker did not end in time; what it holds comes back when its leases expire")
    os._exit(0)


@signals.worker_shutdown.connect
def wait_for_stop(**_: Any) -> None:
    """Let the attempts in flight go back to the queue before the process ends."""
    if _driver is None:
        return
    ask_to_stop()
    if not _driver.join(ENDS_WITHIN_S):
        log.warning("the driver did not stop in time; leases will expire")
