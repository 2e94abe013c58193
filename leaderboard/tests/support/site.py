"""A whole installation in a folder of its own: database, suite, worker and sweeper processes."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from conftest import migrated_database, wait_until
from leaderboard.models import unpack
from leaderboard.tests.support.servers import fill_with_tables
from leaderboard.tests.support.warm import ROOT, Process, run_python, start_program, start_python
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.host.memory_budget import find_groups
from runner.sandbox.zygote.service_client import _own, find_daemon
from runner.sandbox.zygote.support import find_lack_of_second_wall

LEASE_S = 6.0  # a busy machine holds a renewal up for seconds

SUITE = """
name = "lines"
version = "1"
title = "Lines"
seed = 7
[limits]
max_turns = 5
reply_timeout_s = 600.0
[[categories]]
key = "text"
title = "Text"
"""
TASK = '''
"""Write two lines, one after the other."""

TITLE = "Two lines"
CATEGORY = "text"
QUERY = "Write two lines to ./output/lines.txt."
INPUTS = []
OUTPUTS = ["lines.txt"]
REFERENCE = {"cells": [], "answer": ""}
WRONG = {
    "one": {"why": "one line", "cells": [], "answer": ""},
    "none": {"why": "no line", "cells": [], "answer": ""},
}


def make_inputs(seed, data):
    return {}


def check(case):
    lines = (case.output / "lines.txt").read_text().split("\\n")
    case.expect("lines", lines == ["line 1", "line 2", ""], "two lines", lines, "lines.txt")
'''


@dataclass(frozen=True)
class Site:
    """An installation whose processes are started and killed by a test."""

    folder: Path
    environment: dict[str, str]
    started: list[Process] = field(default_factory=list, repr=False)

    def with_environment(self, **environment: str) -> Site:
        """The site whose processes find this in their environment too."""
        return replace(self, environment={**self.environment, **environment})

    def manage(self, *arguments: str) -> str:
        """Run a management command and return what it printed."""
        done = run_python(["manage.py", *arguments], self.environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, *arguments: str) -> str:
        """Run a command that fails and return its plain sentence."""
        done = run_python(["manage.py", *arguments], self.environment)
        assert done.returncode == 1, done.stdout + done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr

    def start_run(
        self, base_url: str, *options: str, concurrency: int = 3, **environment: str
    ) -> int:
        """Queue a run on the suite of lines; its number. `environment` may hold the key."""
        site = self.with_environment(**environment)
        key = [f"--api-key-env={name}" for name in environment]
        run = ["--suite", "lines", "--base-url", base_url, "--model", "m"]
        said = site.manage("start_run", *run, "--concurrency", str(concurrency), *key, *options)
        return int(said.split()[1])

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Ask the site's database, whatever it is."""
        url = self.environment["DATABASE_URL"]
        if url.startswith("sqlite"):
            path = url.removeprefix("sqlite:///")
            with contextlib.closing(sqlite3.connect(path, timeout=20)) as file:
                return file.execute(query).fetchall()
        folder, _, name = url.removeprefix("postgres://postgres@/").rpartition("/")
        with psycopg.connect(host=folder, user="postgres", dbname=name) as connection:
            return connection.execute(query.encode()).fetchall()

    def one(self, query: str) -> Any:
        return self.rows(query)[0][0]

    def run_status(self, run: int) -> str:
        return str(self.one(f"SELECT status FROM leaderboard_run WHERE id = {run}"))

    def count(self, run: int, status: str) -> int:
        return int(
            self.one(
                "SELECT count(*) FROM leaderboard_attempt "
                f"WHERE run_id = {run} AND status = '{status}'"
            )
        )

    def answer(self, attempt: int) -> str:
        body = self.one(f"SELECT closing FROM leaderboard_attempt WHERE id = {attempt}")
        return str(unpack(body)["answer"])

    def broker(self) -> redis.Redis:
        path = self.environment["PYBENCH_BROKER_URL"].removeprefix("redis+socket://")
        return redis.Redis(unix_socket_path=path)

    def log(self) -> str:
        return (self.folder / "log").read_text()

    def describe(self) -> str:
        """The end of its log, the states of its processes, and the sandbox service's exit code."""
        states = [f"{process.pid} {read_state(process.pid)}" for process in self.started]
        service = [f"{own.path}: {own.process and own.process.poll()}" for own in _own.values()]
        log = self.log().splitlines()[-60:] if (self.folder / "log").exists() else []
        return "\n".join([*log, "-- processes:", *states, "-- sandbox service:", *service])

    def wait_for_end(self, run: int, timeout_s: float = 480.0) -> None:
        over = ("done", "cancelled")
        wait_until(lambda: self.run_status(run) in over, f"run {run} is over", timeout_s)

    def worker(self, program: str = "celery") -> AbstractContextManager[Process]:
        """A worker as `make run` starts it; `program` may be another of the kind."""
        options = ["-Q", "attempts,jobs", "-P", "threads", "-c", "72"]
        options += ["--without-gossip", "--without-mingle"]
        return self.celery("worker", *options, "--loglevel", "INFO", program=program)

    def sweeper(self) -> AbstractContextManager[Process]:
        return self.celery("beat", "--pidfile", "")

    def celery(self, *words: str, program: str = "celery") -> AbstractContextManager[Process]:
        arguments = ["-m", program, "-A", "pybench_site", "--quiet", *words]
        self.started.append(start_python(arguments, self.environment, self.folder / "log"))
        return ended(self.started[-1])

    def stop_between_writes(self, process: Process) -> None:
        """Stop a process at a moment when it does not hold the database against all others.

        Whoever is stopped while it writes to SQLite holds up every writer until it goes on.
        """
        for _ in range(50):
            process.send_signal(signal.SIGSTOP)
            wait_until(lambda: read_state(process.pid).startswith("T"), "it stands still")
            if self.takes_writes():
                return
            process.send_signal(signal.SIGCONT)
            time.sleep(0.1)
        pytest.fail(f"process {process.pid} is never seen without the database's lock")

    def takes_writes(self) -> bool:
        url = self.environment["DATABASE_URL"]
        if not url.startswith("sqlite"):
            return True
        file = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=2)
        with contextlib.closing(file), contextlib.suppress(sqlite3.OperationalError):
            file.execute("BEGIN IMMEDIATE")
            return True
        return False

    def process(self, *command: str) -> AbstractContextManager[Process]:
        """Another program of the site."""
        return ended(start_program(command, self.environment, self.folder / "web-log"))


def read_state(pid: int) -> str:
    """As in "S (sleeping)"; "gone" without a process of that number."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next(line.split("\t")[1] for line in lines if line.startswith("State"))
    return "gone"


@contextlib.contextmanager
def ended(process: Process) -> Iterator[Process]:
    """End the process and its group with the block: politely, then not."""
    try:
        yield process
    finally:
        for sign in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, sign)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)


def make_site(folder: Path, database_url: str, broker_url: str, tasks: int) -> Site:
    """A fresh installation with the suite of lines. `database_url` "" is SQLite in `folder`."""
    folder.chmod(0o755)  # the sandbox's user reads the suite
    write_suite(folder / "suites", tasks)
    site = Site(
        folder,
        {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
            "DATABASE_URL": database_url or f"sqlite:///{folder}/site.sqlite3",
            "PYBENCH_VAR": str(folder / "var"),
            "PYBENCH_SUITES": str(folder / "suites"),
            "PYBENCH_KERNEL_ENV": os.environ.get(
                "PYBENCH_KERNEL_ENV", str(ROOT / "var" / "kernel-env")
            ),
            "PYBENCH_BROKER_URL": broker_url,
            "PYBENCH_LEASE_S": str(LEASE_S),
            "PYBENCH_SWEEP_EVERY_S": "1",
            "PYBENCH_BACKOFF_S": "0.5",
            "PYBENCH_LOOPBACK_PORTS": "32768-60999",  # where the tests' endpoints listen
            "PYTHONUNBUFFERED": "1",
            **sandbox_service(),
        },
    )
    site.broker().flushall()
    migrate(site)
    site.manage("install_suite", "lines")
    return site


def sandbox_service() -> dict[str, str]:
    """The service of this process, for the workers of all its sites; {} where none can run."""
    if find_lack_of_second_wall():
        return {}
    return {"PYBENCH_SANDBOXD": str(find_daemon(find_kernel_environment(), find_groups()).path)}


def migrate(site: Site) -> None:
    """Make the site's empty database: a copy of one that was migrated."""
    address = site.environment["DATABASE_URL"]
    kind, _, path = address.partition("///")
    if kind == "sqlite:":
        Path("/" + path.lstrip("/")).write_bytes(migrated_database().read_bytes())
    else:
        fill_with_tables(address)


def write_suite(root: Path, tasks: int) -> None:
    folder = root / "lines" / "tasks"
    folder.mkdir(parents=True)
    (root / "lines" / "suite.toml").write_text(SUITE)
    for number in range(1, tasks + 1):
        (folder / f"lines_{number}.py").write_text(TASK.lstrip())
