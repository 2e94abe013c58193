"""Commands of a site, run in forks of one process that has other people's libraries loaded.

A fork takes over the environment it is given, reads the settings and sets Django up itself: all
that it shares with the others are imports that ask for no settings.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

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


def become(words: list[str], environment: dict[str, str], output: Path, errors: Path) -> None:
    """Run the command as this process, up to what it does at its exit."""
    from django.conf import settings

    assert not settings.configured
    os.setsid()
    for number, path in enumerate((output, errors), start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644), number)
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = words[words[0] == "-m" :]
    try:
        if words[0] == "-m":
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(words[0], run_name="__main__")
    finally:
        atexit._run_exitfuncs()
