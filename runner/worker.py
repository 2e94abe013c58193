"""The driver of this worker process, from Celery's start to its end. May import Django."""

from __future__ import annotations

import logging
import os
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
from django.db import InterfaceError, OperationalError, connection

from leaderboard import handoff, readiness
from leaderboard.outgoing import open_policy
from pybench_site.probes import Probes, serve
from runner import metrics
from runner.driver import GRACE_S, Driver, Settings
from runner.fitness import is_unfit, look_round
from runner.patience import PatientDoor
from runner.player import SandboxPlayer
from runner.room import MB, Room
from runner.sandbox import doctor
from runner.sandbox.slots import runtime_folder

log = logging.getLogger(__name__)

NAME = f"{socket.gethostname()}:{os.getpid()}"

_lock = threading.Lock()
_driver: Driver | None = None
_door: PatientDoor | None = None


def driver() -> Driver:
    """This process's driver, started at first use and again should it ever end by itself."""
    global _driver, _door
    with _lock:
        if _driver is None or not (_driver.is_alive or _driver.is_stopping):
            _door = PatientDoor(handoff, is_passing, connection.close, make_room().is_enough)
            _driver = make_driver(_door)
            _driver.start()
    return _driver


def make_driver(door: PatientDoor) -> Driver:
    how = Settings(
        worker=NAME,
        places=settings.QUEUE_PLACES,
        renew_every_s=settings.QUEUE_LEASE_S / 4,
        scratch=settings.VAR / "scratch",
    )
    return Driver(door, make_player, how, mend_connection, close_connection)


def make_player() -> SandboxPlayer:
    cache = settings.VAR / "instances"
    return SandboxPlayer(suites=settings.SUITES, cache=cache, policy=open_policy())


def make_room() -> Room:
    """On the disks of attempts in flight and, where they are files of ours, of artifacts."""
    folders = [settings.VAR, settings.VAR / "scratch", settings.VAR / "instances", runtime_folder()]
    if isinstance(default_storage, FileSystemStorage):
        folders.append(Path(default_storage.location))
    return Room(folders, settings.LEAST_FREE_MB * MB)


def is_passing(error: Exception) -> bool:
    """Whether the database is only away: it restarts, or another process holds it."""
    return isinstance(error, (OperationalError, InterfaceError))


def mend_connection() -> None:
    """Drop the rows' connection when the act before failed on it: the next act opens another."""
    if connection.errors_occurred:
        connection.close()


def close_connection() -> None:
    connection.close()  # of the thread that calls


@cache
def probes() -> Probes:
    """What this process answers on its own port, and to web processes through the broker."""
    checks = {**readiness.CHECKS, "sandbox": check_sandbox, "driver": check_driver}
    return Probes(checks, metrics.render, settings.METRICS_TOKEN)


def check_driver() -> str:
    is_fine = _driver is not None and _driver.is_alive and not _driver.is_stopping
    return "" if is_fine else "no driver is at work"


def check_sandbox() -> str:
    """What this host lacks for sandboxes, with the remedy; "" when it is all there."""
    findings = [*look_round(), doctor.look_at_service()]
    return doctor.render([f for f in findings if f.is_vital and not f.is_fine])


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
    """Without what the sandbox needs no worker starts, and it says what to do about it."""
    findings = look_round()
    if is_unfit(findings):
        words = "This host cannot run the sandbox, so no worker starts."
        print(f"{words}\n{doctor.render(findings)}", file=sys.stderr, flush=True)
        os._exit(1)  # sys.exit would wait for threads of Celery's that were never started
    for finding in findings:
        log.warning("degraded: %s: %s. %s", finding.name, finding.fact, finding.remedy)


@signals.worker_ready.connect
def begin(**_: Any) -> None:
    """What a worker that died held is taken up as soon as its leases allow."""
    if settings.WORKER_PORT:
        serve(probes(), settings.WORKER_HOST, settings.WORKER_PORT, close_connection)
    driver()
    handoff.sweep()
    connection.close()


@signals.worker_shutting_down.connect
def ask_to_stop(**_: Any) -> None:
    if _driver is not None and _door is not None:
        _door.hurry()
        _driver.stop()


@signals.worker_shutdown.connect
def wait_for_stop(**_: Any) -> None:
    """Let the attempts in flight go back to the queue before the process ends."""
    if _driver is None:
        return
    ask_to_stop()
    if not _driver.join(GRACE_S + 4):
        log.warning("the driver did not stop in time; leases will expire")
