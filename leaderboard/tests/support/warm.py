"""Commands of a site, run in forks of one process that has other people's libraries loaded.

A fork takes over the environment it is given, reads the settings and sets Django up itself: all
that it shares with the others are imports that ask for no settings. The management commands of one
environment are forks of a fork that has done so.
"""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[3]
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "pytest", "celery.app.base", "cryptography.x509", "django.contrib.admin.filters",
        "django.contrib.postgres.search", "django.core.management.commands.migrate",
        "django.db.backends.sqlite3.base", "django.test", "fido2.server", "nbformat", "PIL.Image",
        "kombu.transport.redis", "openai", "plotly.graph_objects", "psycopg_pool", "requests",
        "rich.traceback", "structlog.stdlib",
    ]
)  # fmt: skip


def run_python(
    arguments: Sequence[str], environment: Mapping[str, str], timeout_s: float = 240.0
) -> subprocess.CompletedProcess[str]:
    """As `python` with these arguments, which begin with a file's name or with `-m`."""
    with tempfile.TemporaryDirectory() as folder:
        logs = [Path(folder, name) for name in ("output", "errors")]
        if arguments[0] == "manage.py" and "LD_PRELOAD" not in environment:
            status = prepared_for(frozenset(environment.items())).run(arguments, logs, timeout_s)
        else:
            process = start_python(arguments, environment, *logs)
            try:
                status = process.wait(timeout_s)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
        return subprocess.CompletedProcess(arguments, status, *(log.read_text() for log in logs))


def start_python(
    arguments: Sequence[str], environment: Mapping[str, str], log: Path, errors: Path | None = None
) -> Process:
    """A process in a group of its own that writes to the ends of these files."""
    log.touch()
    if "LD_PRELOAD" in environment:  # it takes effect where a program begins
        return start_program([sys.executable, *arguments], environment, log, errors)
    return Fork([*arguments], dict(environment), log, errors or log)


def start_program(
    command: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    errors: Path | None = None,
    folder: Path = ROOT,
) -> subprocess.Popen[bytes]:
    with log.open("ab") as output, (errors or log).open("ab") as told:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=told,
            start_new_session=True,
        )


class Fork:
    """Held as a `Popen` is."""

    def __init__(self, *order: object) -> None:
        self.process = FORKS.Process(target=become, args=order)
        self.process.start()
        self.pid = self.process.pid or 0

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout_s: float) -> int:
        self.process.join(timeout_s)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired(self.process.name, timeout_s)
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


Process = subprocess.Popen[bytes] | Fork


class Prepared:
    """A process with Django set up, which runs one command after the other in forks of its own."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.lock = threading.Lock()
        self.line, other = multiprocessing.Pipe()
        FORKS.Process(target=serve_commands, args=(environment, other), daemon=True).start()
        other.close()

    def run(self, words: Sequence[str], logs: Sequence[Path], timeout_s: float) -> int:
        with self.lock:
            self.line.send((list(words), *logs))
            pid = self.line.recv()
            is_over = self.line.poll(timeout_s)
            if not is_over:
                os.killpg(pid, signal.SIGKILL)
            status = int(self.line.recv())
        if not is_over:
            raise subprocess.TimeoutExpired(list(words), timeout_s)
        return status


@lru_cache(maxsize=3)
def prepared_for(environment: frozenset[tuple[str, str]]) -> Prepared:
    """It ends once nobody holds its line."""
    return Prepared(dict(environment))


def serve_commands(environment: dict[str, str], line: Connection) -> None:
    """Fork for each command that comes; send its number, and its status when it has ended."""
    take_over(environment)
    import django
    from django.db import connections
    from django.urls import get_resolver

    django.setup()
    assert get_resolver().url_patterns  # most commands check them
    connections.close_all()
    with contextlib.suppress(EOFError):
        while True:
            words, *logs = line.recv()
            pid = os.fork()
            if pid == 0:
                run_as(words, logs)
            line.send(pid)
            line.send(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def become(words: list[str], environment: dict[str, str], *logs: Path) -> None:
    """Run the command as this process, up to what it does at its exit."""
    from django.conf import settings

    assert not settings.configured
    take_over(environment)
    run_as(words, logs)


def take_over(environment: dict[str, str]) -> None:
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)


def run_as(words: list[str], logs: Sequence[Path]) -> NoReturn:
    """Run the command as the head of a group of its own that writes to the ends of these files."""
    os.setsid()
    for number, path in enumerate(logs, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644), number)
    sys.argv = words[words[0] == "-m" :]
    status: object = 0
    try:
        if words[0] == "-m":
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        print(status, file=sys.stderr)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))
