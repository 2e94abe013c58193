"""Two runs of two accounts on worker processes of their own, with PostgreSQL and the real queue.

`bench.concurrency --queue` plays them; each worker is Celery's, with 64 places, on a Redis of its
own. The paces of the endpoint are found out in the run that warms up.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.engine.pipeline import serving
from bench.engine.recorded import ROOT
from bench.measuring.postgres import postgres
from bench.measuring.process_tree import below, read_all_times

WORKERS, RUNS, LANES = 2, 2, 64
TASKS = 4  # of the suite: the attempts of a run are TASKS × per task
DEADLINE_S = 1800.0
JOB_THREADS = 8  # that a worker of both queues keeps for jobs


@dataclass(frozen=True)
class Fleet:
    """Resources used to play all runs."""

    attempts: int
    passed: int
    wall_s: float
    worker_cpu_s: float
    sandbox_cpu_s: float
    database_cpu_s: float


def measure_fleet(latency_s: float, turns: int) -> Fleet:
    folder = Path(tempfile.mkdtemp(prefix="pb-"))
    try:
        with ExitStack() as stack:
            server = stack.enter_context(postgres())
            arguments = (str(latency_s), str(turns), "cells")
            base_url = stack.enter_context(serving("bench.engine.slow_server", *arguments))
            configure(folder, server.create("fleet"), base_url, stack.enter_context(broker(folder)))
            prepare(base_url)
            pids = [stack.enter_context(working(number)) for number in range(WORKERS)]
            await_workers()
            play(1)  # makes the inputs and starts what is forked from
            before = read_cpu(pids, server.postmaster)
            started_s = time.monotonic()
            attempts, passed = play(LANES // TASKS)
            wall_s = time.monotonic() - started_s
            after = read_cpu(pids, server.postmaster)
        worker, sandbox, database = (b - a for a, b in zip(before, after, strict=True))
        return Fleet(attempts, passed, wall_s, worker, sandbox, database)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def configure(folder: Path, database_url: str, base_url: str, broker_url: str) -> None:
    """Point this process and the workers at the site in `folder`."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "DATABASE_URL": database_url,
        "PYBENCH_VAR": str(folder),
        "PYBENCH_SUITES": str(folder / "suites"),
        "PYBENCH_LOOPBACK_PORTS": base_url.rsplit(":", 1)[1].partition("/")[0],
        "PYBENCH_BROKER_URL": broker_url,
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def prepare(base_url: str) -> None:
    """The suite, and an account with an entry for each run."""
    from django.conf import settings
    from django.contrib.auth.models import User

    from bench.concurrency import write_suite
    from leaderboard.submissions.run_actions import register
    from leaderboard.suites.install import install
    from runner.suite.reader import load_suite

    write_suite(settings.SUITES, TASKS)
    install(load_suite("waiting", settings.SUITES))
    for number in range(RUNS):
        entry = register(name=f"Model {number}", base_url=base_url, model="slow")
        entry.owner = User.objects.create_user(f"owner{number}")
        entry.save(update_fields=["owner"])


def play(per_task: int) -> tuple[int, int]:
    """A run of each account, started at once, to the end: attempts, and how many passed."""
    from leaderboard.models import Attempt, Entry, Run, Suite
    from leaderboard.submissions.run_actions import start

    suite = Suite.objects.get()
    entries = Entry.objects.order_by("pk")
    runs = [start(e, suite, attempts_per_task=per_task, concurrency=LANES).pk for e in entries]
    left = Run.objects.filter(pk__in=runs).exclude(status="done")
    deadline = time.monotonic() + DEADLINE_S
    while left.exists():
        if time.monotonic() > deadline:
            raise SystemExit(f"Not all runs ended in {DEADLINE_S:.0f} s.")
        time.sleep(0.1)
    attempts = Attempt.objects.filter(run__in=runs)
    return attempts.count(), attempts.filter(passed=True).count()


@contextmanager
def broker(folder: Path) -> Iterator[str]:
    """A Redis, by its address for Celery."""
    path = folder / "redis.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", str(path), "--save", ""]
    with ended(subprocess.Popen([*command, "--dir", str(folder)], stdout=subprocess.DEVNULL)):
        while not path.exists():
            time.sleep(0.05)
        yield f"redis+socket://{path}"


@contextmanager
def working(number: int) -> Iterator[int]:
    """A worker, by its process number."""
    celery = [sys.executable, "-m", "celery", "-A", "pybench_site", "--quiet", "worker"]
    pool = ["-P", "threads", "-c", str(LANES + JOB_THREADS), "-n", f"bench{number}@%h"]
    command = [*celery, "-Q", "attempts,jobs", *pool, "--without-gossip", "--without-mingle"]
    with ended(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)) as process:
        yield process.pid


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


def await_workers() -> None:
    from leaderboard.models import Worker

    deadline = time.monotonic() + DEADLINE_S
    while Worker.objects.count() < WORKERS and time.monotonic() < deadline:
        time.sleep(0.1)


def read_cpu(pids: list[int], postmaster: int) -> tuple[float, float, float]:
    """Seconds so far of the workers, of what they started, and of PostgreSQL."""
    times = read_all_times()
    workers = sum(times[pid].cpu_s for pid in pids)
    trees = sum(times[found].cpu_s for pid in pids for found in below(pid, times))
    database = sum(t.cpu_s for pid, t in times.items() if postmaster in (pid, t.parent))
    return workers, trees - workers, database
