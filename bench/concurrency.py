"""Plays many attempts at once against a slow endpoint: how close they come to waiting alone.

`python -m bench.concurrency` drives `--attempts` attempts with the worker's own event loop,
gate, player and sandbox, rows in memory, against a server that takes `--latency` seconds for every
reply. The ideal is the time of one attempt that only waits: turns × latency. It is played twice in
one process: at an endpoint that is new to the worker, whose pace must be found out first, and at
one that is known. And twice over: with replies that hold no code, and with a cell in each but the
last.

`--queue` plays two runs of two accounts instead, 64 attempts each, on two worker processes with 64
places, through the queue's rows on a PostgreSQL of its own (`bench.queue.fleet`).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from bench.engine.pipeline import serving
from bench.measuring.spread import spread
from bench.queue.carrier import Carrier
from bench.queue.fleet import Fleet, measure_fleet
from runner.contract import (
    AttemptResult,
    EndpointSpec,
    Job,
    LimitReason,
    Limits,
    Opening,
    Outcome,
    ReplyProgress,
    Step,
    TypedReply,
)
from runner.endpoint.address_policy import AddressPolicy
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import load_suite
from runner.worker.attempt_player import Settings
from runner.worker.sandbox_player import SandboxPlayer

DEADLINE_S = 1800.0
NAMES = ("new endpoint", "known endpoint")
SUITE = """
name = "waiting"
version = "1"
title = "Waiting"
seed = 7
[limits]
max_turns = 30
[[categories]]
key = "maths"
title = "Maths"
"""
TASK = '''
"""A task that takes no thought."""

TITLE = "Wait"
CATEGORY = "maths"
QUERY = "Say when you are done."
INPUTS = []
OUTPUTS = []
REFERENCE = {"cells": [], "answer": "Done."}
WRONG = {"a": {"why": "a", "cells": [], "answer": ""}, "b": {"why": "b", "cells": [], "answer": ""}}


def make_inputs(seed, data):
    return {}


def check(case):
    case.expect("answer", case.answer == "Done.", "Done.", case.answer)
'''


@dataclass(frozen=True)
class Figures:
    """One run of all attempts."""

    attempts: int
    finished: int
    wall_s: float
    cpu_s: float  # of the worker's process alone
    cell_s: float  # in cells, summed over the attempts
    most_at_once: int  # requests that the pace allowed


@dataclass
class Rows:
    """A run's attempts in memory; `results` fills as they end."""

    spec: EndpointSpec
    digest: str
    left: int
    run_id: int = 0
    lanes: int = 1
    pace: str = "slow"
    claimed: int = 0
    results: list[AttemptResult] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def claim(self, attempt_id: int, token: str, worker: str) -> Job | None:
        self.left -= 1
        self.claimed += 1
        limits = Limits(max_turns=30, attempt_timeout_s=DEADLINE_S, reply_timeout_s=120)
        return Job(
            attempt_id=attempt_id,
            token=token,
            suite="waiting",
            task_key="wait",
            seed=7,
            number=1,
            endpoint=self.spec,
            limits=limits,
            run_id=self.run_id,
            suite_digest=self.digest,
            lanes=self.lanes,
            pace=self.pace,
        )

    def unsend(self, attempt_id: int, token: str) -> None: ...

    def note_worker(self, name: str, places: int) -> None: ...

    def forget_worker(self, name: str) -> None: ...

    def release_of_dead(self, workers: Collection[str]) -> None: ...

    def renew(self, jobs: Iterable[Job]) -> set[tuple[int, str]]:
        return {job.claim for job in jobs}

    def look(self, run_ids: Iterable[int]) -> tuple[set[int], set[int]]:
        return set(), set(run_ids)

    def opened(self, job: Job, opening: Opening) -> None: ...

    def step(self, job: Job, step: Step, charge: int = 0, reserved: int = 0) -> None: ...

    def reserve(self, job: Job, amount: int, reply_s: float) -> str:
        return "granted"

    def settle(self, job: Job, charge: int, reserved: int) -> None: ...

    def record_result(self, job: Job, result: AttemptResult) -> None:
        self.results.append(result)
        if not self.left and len(self.results) == self.claimed:
            self.over.set()

    def release(self, job: Job) -> None: ...

    def dispatch(self) -> bool:
        return True

    def paced(
        self, run_id: int, worker: str, limit: int, highest: int, reason: LimitReason | None
    ) -> None: ...

    def typed_reply(self, job: Job, index: int) -> TypedReply | None:
        return None

    def heard(self, progress: Mapping[tuple[int, str], ReplyProgress]) -> None: ...


@dataclass(frozen=True)
class Server:
    """The endpoint, which runs as a process of its own."""

    base_url: str

    @property
    def spec(self) -> EndpointSpec:
        return EndpointSpec(self.base_url, "slow")

    @property
    def policy(self) -> AddressPolicy:
        url = urlsplit(self.base_url)
        return AddressPolicy(loopback=frozenset({(url.hostname or "", url.port or 0)}))


@contextmanager
def slow_server(latency_s: float, turns: int, has_cells: bool) -> Iterator[Server]:
    kind = "cells" if has_cells else "words"
    with serving("bench.engine.slow_server", str(latency_s), str(turns), kind) as base_url:
        yield Server(base_url)


def write_suite(folder: Path, tasks: int = 1) -> str:
    """The suite, of one task unless more are wanted; its digest."""
    (folder / "waiting" / "tasks").mkdir(parents=True)
    (folder / "waiting" / "suite.toml").write_text(SUITE)
    for number in range(tasks):
        (folder / "waiting" / "tasks" / f"wait{number or ''}.py").write_text(TASK)
    return load_suite("waiting", folder).digest


def measure(options: argparse.Namespace, has_cells: bool) -> dict[str, Figures]:
    """A run at an endpoint that is new to the worker, and one at the same when it is known."""
    folder = Path(tempfile.mkdtemp(prefix="pybench-bench-"))
    try:
        digest = write_suite(folder)
        with slow_server(options.latency, options.turns, has_cells) as server:
            carrier = Carrier(
                Rows(server.spec, digest, 0),
                lambda: SandboxPlayer(folder, folder / "cache", server.policy, open_sandbox),
                Settings("bench", options.attempts, 60.0, folder / "scratch"),
            )
            most = options.attempts
            try:
                run(carrier, Rows(server.spec, digest, 1, run_id=9, pace="warming up"))
                return {
                    name: play(carrier, Rows(server.spec, digest, most, number, most))
                    for number, name in enumerate(NAMES, 1)
                }
            finally:
                carrier.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(carrier: Carrier, rows: Rows) -> None:
    carrier.player.door = rows
    for number in range(rows.left):
        carrier.send(number, str(rows.run_id))
    if not rows.over.wait(DEADLINE_S):
        raise SystemExit(f"Only {len(rows.results)} attempts ended in {DEADLINE_S:.0f} s.")


def play(carrier: Carrier, rows: Rows) -> Figures:
    attempts, started_s, cpu_s = rows.left, time.monotonic(), time.process_time()
    run(carrier, rows)
    return Figures(
        attempts=attempts,
        finished=sum(result.outcome is Outcome.FINISHED for result in rows.results),
        wall_s=time.monotonic() - started_s,
        cpu_s=time.process_time() - cpu_s,
        cell_s=sum(result.cell_s for result in rows.results),
        most_at_once=carrier.player.gates.gates["slow"].pace.highest,
    )


def print_table(rounds: Mapping[str, Sequence[Figures]], ideal_s: float) -> None:
    print(f"{'':32} {'wall s':>20} {'÷ ideal':>17} {'CPU s':>20} {'finished':>9} {'at once':>8}")
    for name, each in rounds.items():
        walls, ratios = [f.wall_s for f in each], [f.wall_s / ideal_s for f in each]
        finished, most = min(f.finished for f in each), max(f.most_at_once for f in each)
        cpu = spread([f.cpu_s for f in each])
        print(f"{name:32} {spread(walls):>20} {spread(ratios):>17} {cpu:>20} {finished:9} {most:8}")


def print_fleet(fleet: Fleet, ideal_s: float) -> None:
    each_ms = 1e3 / fleet.attempts
    print(
        f"{fleet.passed} of {fleet.attempts} attempts passed in {fleet.wall_s:.1f} s, "
        f"{fleet.wall_s / ideal_s:.2f} × the ideal; load {os.getloadavg()[0]:.1f}\n"
        f"CPU ms per attempt: workers {fleet.worker_cpu_s * each_ms:.0f}, "
        f"sandboxes {fleet.sandbox_cpu_s * each_ms:.0f}, "
        f"PostgreSQL {fleet.database_cpu_s * each_ms:.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.concurrency", description=__doc__)
    parser.add_argument("--attempts", type=int, default=64, help="all of them at once")
    parser.add_argument("--turns", type=int, default=10, help="replies of each attempt")
    parser.add_argument("--latency", type=float, default=2.0, metavar="S", help="of each reply")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the figures there")
    parser.add_argument("--queue", action="store_true", help="two runs, two workers, PostgreSQL")
    options = parser.parse_args()
    ideal_s = options.turns * options.latency
    if options.queue:
        print_fleet(measure_fleet(options.latency, options.turns), ideal_s)
        return
    rounds: dict[str, list[Figures]] = {}
    for number in range(options.rounds):
        for has_cells, content in ((False, "no code"), (True, "a cell a reply")):
            for name, figures in measure(options, has_cells).items():
                rounds.setdefault(f"{content}, {name}", []).append(figures)
                print(f"round {number + 1}: {content}, {name}: {figures}", file=sys.stderr)
    print(
        f"{options.attempts} attempts at once, {options.turns} replies of {options.latency:g} s "
        f"each: ideal {ideal_s:g} s; medians of {options.rounds} rounds with their range"
    )
    print_table(rounds, ideal_s)
    if options.json:
        told = {name: [asdict(f) for f in each] for name, each in rounds.items()}
        options.json.write_text(json.dumps({"ideal_s": ideal_s, "rounds": told}, indent=1))


if __name__ == "__main__":
    main()
