"""Two runs of two accounts on worker processes of their own, with PostgreSQL and the real queue.

`bench.concurrency --queue` plays them; each worker is `python -m bench.queue.fleet worker`, which
drives 64 places until its standard input is closed. The endpoint is known to take what the runs
allow.
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
LEASE_S = 60.0


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
            configure(folder, server.create("fleet"), base_url)
            prepare(base_url)
            pids = [stack.enter_context(working()) for _ in range(WORKERS)]
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


def configure(folder: Path, database_url: str, base_url: str) -> None:
    """Point this process and the workers at the site in `folder`."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "DATABASE_URL": database_url,
        "PYBENCH_VAR": str(folder),
        "PYBENCH_SUITES": str(folder / "suites"),
        "PYBENCH_LOOPBACK_PORTS": base_url.rsplit(":", 1)[1].partition("/")[0],
        "PYBENCH_BROKER_URL": "memory://",
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
def working() -> Iterator[int]:
    """A worker, by its process number."""
    command = [sys.executable, "-m", "bench.queue.fleet", "worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdout.readline()
            yield process.pid
        finally:
            process.stdin.close()
            process.wait(60)


def work() -> None:
    """Drive 64 places with the queue's own door until standard input ends."""
    import django

    django.setup()
    from django.conf import settings

    from leaderboard.handoff import attempts
    from runner.worker import process as worker
    from runner.worker.driver import Driver, Settings

    how = Settings(worker.NAME, LANES, LEASE_S / 4, settings.VAR / "scratch")
    rows = (worker.mend_connection, worker.close_connection, worker.make_retrying())
    driver = Driver(attempts, worker.make_player, how, *rows)
    driver.start()
    from leaderboard.models import Entry

    for entry in Entry.objects.select_related("endpoint"):
        endpoint = f"{entry.owner_id} {entry.endpoint.base_url}"
        driver.call(driver.gates.join, endpoint, 0, 4 * LANES)  # begins with a quarter: known
    print("ready", flush=True)
    sys.stdin.read()
    driver.stop()
    driver.join(60)


def read_cpu(pids: list[int], postmaster: int) -> tuple[float, float, float]:
    """Seconds so far of the workers, of what they started, and of PostgreSQL."""
    times = read_all_times()
    workers = sum(times[pid].cpu_s for pid in pids)
    trees = sum(times[found].cpu_s for pid in pids for found in below(pid, times))
    database = sum(t.cpu_s for pid, t in times.items() if postmaster in (pid, t.parent))
    return workers, trees - workers, database


if __name__ == "__main__":
    work()
