"""A whole installation in a folder of its own: database, suite, worker and sweeper processes."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import redis

from conftest import wait_until
from leaderboard.models import unpack

ROOT = Path(__file__).resolve().parents[2]
CELERY = [str(Path(sys.executable).with_name("celery")), "-A", "pybench_site", "--quiet"]

SUITE = """
name = "lines"
version = "1"
title = "Lines"
seed = 7
[limits]
max_turns = 5
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

    def manage(self, *arguments: str) -> str:
        """Run a management command and return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start_run(
        self, base_url: str, *options: str, concurrency: int = 3, **environment: str
    ) -> int:
        """Queue a run on the suite of lines; its number. `environment` may hold the key."""
        site = Site(self.folder, {**self.environment, **environment})
        key = [f"--api-key-env={name}" for name in environment]
        run = ["--suite", "lines", "--base-url", base_url, "--model", "m"]
        said = site.manage("start_run", *run, "--concurrency", str(concurrency), *key, *options)
        return int(said.split()[1])

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Ask the site's database, whatever it is."""
        url = self.environment["DATABASE_URL"]
        if url.startswith("sqlite"):
            return sqlite_rows(url.removeprefix("sqlite:///"), query)
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

    def wait_for_end(self, run: int, timeout_s: float = 240.0) -> None:
        over = ("done", "cancelled")
        wait_until(lambda: self.run_status(run) in over, f"run {run} is over", timeout_s)

    @contextlib.contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        """A worker as `make run` starts it."""
        command = ["worker", "-P", "threads", "-c", "2", "--loglevel", "INFO"]
        with self.process(*command, "--without-gossip", "--without-mingle") as process:
            yield process

    @contextlib.contextmanager
    def sweeper(self) -> Iterator[subprocess.Popen[bytes]]:
        with self.process("beat", "--pidfile", "") as process:
            yield process

    @contextlib.contextmanager
    def process(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A Celery process in a group of its own, ended with the block."""
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [*CELERY, *arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group: politely, then not."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)


def sqlite_rows(path: str, query: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(path, timeout=20)) as connection:
        return connection.execute(query).fetchall()


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
            "PYBENCH_LEASE_S": "4",
            "PYBENCH_SWEEP_EVERY_S": "1",
            "PYBENCH_WAKE_AGAIN_S": "3",
            "PYBENCH_BACKOFF_S": "0.5",
            "PYBENCH_LOOPBACK_PORTS": "32768-60999",  # where the tests' endpoints listen
            "PYTHONUNBUFFERED": "1",
        },
    )
    site.broker().flushall()
    site.manage("migrate", "--verbosity", "0")
    site.manage("install_suite", "lines")
    return site


def write_suite(root: Path, tasks: int) -> None:
    folder = root / "lines" / "tasks"
    folder.mkdir(parents=True)
    (root / "lines" / "suite.toml").write_text(SUITE)
    for number in range(1, tasks + 1):
        (folder / f"lines_{number}.py").write_text(TASK.lstrip())
