"""Attempts through the queue: what their rows cost beside the same attempts without rows.

`bench.runner --parts queue` starts it once per measurement, as `python -m bench.queue.attempts
ORDER`, with a database, a folder and an endpoint of its own in the environment. It plays the
attempts of one run with the worker's own event loop, player, sandbox and, unless they are kept in
memory, rows, and prints its figures as JSON. No message is sent and nothing is swept.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.engine.recorded import ROOT
from bench.measuring.process_tree import read_all_times
from bench.queue.rows_in_memory import Carrier, Rows, write_suite
from runner.contract import AttemptResult, EndpointSpec, Job
from runner.sandbox.factory import open_sandbox
from runner.worker.attempt_player import Door, Settings
from runner.worker.sandbox_player import SandboxPlayer

DEADLINE_S = 900.0
TASKS = 6  # each played once to warm up, which also makes its inputs
LEASE_S = 60.0


@dataclass(frozen=True)
class Order:
    """One measurement."""

    base_url: str
    per_task: int  # attempts of each task
    places: int
    is_streamed: bool
    has_rows: bool
    postmaster: int = 0  # the process whose children are PostgreSQL's; 0 for none


@dataclass(frozen=True)
class Figures:
    """Per attempt: milliseconds of CPU, and commits; None where there is no PostgreSQL."""

    worker_ms: float
    database_ms: float | None
    commits: float | None


class Counting:
    """A door that says when so many results were taken."""

    def __init__(self, door: Any) -> None:
        self.door = door
        self.left = 0
        self.over = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.door, name)

    def expect(self, results: int) -> None:
        self.left = results
        self.over.clear()

    def record_result(self, job: Job, result: AttemptResult) -> None:
        self.door.record_result(job, result)
        if result.verdict is None or not result.verdict.passed:
            print(f"attempt {job.attempt_id}: {result.problem or result.verdict}", file=sys.stderr)
        self.left -= 1
        if not self.left:
            self.over.set()


def run_child(order: Order, folder: Path, database_url: str) -> Figures:
    """Measure in a process of its own."""
    port = order.base_url.rsplit(":", 1)[1].partition("/")[0]
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "DATABASE_URL": database_url,
        "PYBENCH_VAR": str(folder),
        "PYBENCH_SUITES": str(folder / "suites"),
        "PYBENCH_LOOPBACK_PORTS": port,
        "PYBENCH_BROKER_URL": "memory://",
    }
    done = subprocess.run(
        [sys.executable, "-m", "bench.queue.attempts", json.dumps(asdict(order))],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        check=True,
        timeout=DEADLINE_S,
    )
    return Figures(**json.loads(done.stdout.splitlines()[-1]))


def measure(order: Order) -> Figures:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from django.conf import settings

    digest = write_suite(settings.SUITES, TASKS)
    door = Counting(Rows(EndpointSpec("", ""), ""))
    carrier = make_carrier(door, order)
    try:
        play(door, carrier, order, digest, 1)
        before = snapshot(order)
        play(door, carrier, order, digest, order.per_task)
        after = snapshot(order)
    finally:
        carrier.end()
    costs = [(b - a) / (TASKS * order.per_task) for a, b in zip(before, after, strict=True)]
    has_server = order.has_rows and bool(order.postmaster)
    return Figures(costs[0], costs[1] if has_server else None, costs[2] if has_server else None)


def make_carrier(door: Any, order: Order) -> Carrier:
    from django.conf import settings

    from leaderboard.submissions.endpoint_policy import run_policy
    from runner.worker import process

    how = Settings(
        "bench",
        order.places,
        LEASE_S / 4,
        settings.VAR / "scratch",
        before_rows=process.mend_connection,
        after_rows=process.close_connection,
    )
    cache = settings.VAR / "instances"
    return Carrier(
        door,
        lambda: SandboxPlayer(settings.SUITES, cache, run_policy(), open_sandbox),
        how,
        process.make_retrying(),
    )


def play(door: Counting, carrier: Carrier, order: Order, digest: str, per_task: int) -> None:
    """One run from its first claim to its last result."""
    door.door, run_id = make_run(order, digest, per_task)
    door.expect(TASKS * per_task)
    if order.has_rows:
        from leaderboard.handoff import dispatch

        vars(dispatch)["send_attempt"] = carrier.send
        carrier.loop.run(carrier.player.renew())
        carrier.player.ask()
    else:
        for number in range(TASKS * per_task):
            carrier.send(number, str(run_id))
    if not door.over.wait(DEADLINE_S):
        raise SystemExit(f"{door.left} attempts did not end in {DEADLINE_S:.0f} s.")


def make_run(order: Order, digest: str, per_task: int) -> tuple[Door, int]:
    """The door to a new run's rows, and its number."""
    if not order.has_rows:
        spec = EndpointSpec(order.base_url, "slow", stream=order.is_streamed)
        return Rows(spec, digest, per_task, order.places), per_task
    from django.conf import settings

    from leaderboard.handoff import attempts
    from leaderboard.submissions import run_actions
    from leaderboard.suites.install import install
    from runner.suite.reader import load_suite

    suite = install(load_suite("waiting", settings.SUITES)).suite
    entry = run_actions.register(
        name="bench",
        base_url=order.base_url,
        model="slow",
        sampling={"stream": order.is_streamed},
    )
    run = run_actions.start(entry, suite, attempts_per_task=per_task, concurrency=order.places)
    return attempts, run.pk


def snapshot(order: Order) -> tuple[float, float, float]:
    """CPU of this process and of PostgreSQL in ms, and commits so far."""
    worker_ms = time.process_time() * 1e3
    if not (order.has_rows and order.postmaster):
        return worker_ms, 0.0, 0.0
    times = read_all_times()
    server = (t.cpu_s for pid, t in times.items() if order.postmaster in (pid, t.parent))
    return worker_ms, sum(server) * 1e3, float(count_commits())


def count_commits() -> int:
    """Commits of this database, once its sessions have reported theirs to the statistics."""
    from django.db import connection

    time.sleep(1.5)  # a session reports at most once a second
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        )
        return int(cursor.fetchone()[0])


def medians(each: Iterable[Figures]) -> dict[str, list[float]]:
    """By column the values of all rounds."""
    rounds = [asdict(figures) for figures in each]
    return {
        name: [values[name] for values in rounds if values[name] is not None] for name in rounds[0]
    }


def main() -> None:
    print(json.dumps(asdict(measure(Order(**json.loads(sys.argv[1]))))))


if __name__ == "__main__":
    main()
