"""CPU cost of checks, next to that of the attempts they judge: CPU of the check phase, task by
task.

`python -m bench.checks` plays every task's reference solution, one after the other: session, cells
and harvest, then the check, as an attempt does, on instances that are there already. `--recorded`
plays the recorded conversations of an upstream checkout instead.

CPU is that of the whole process tree: this process, the sandbox service, the zygote and all that
it forked, counted by a cgroup (version 1, as root; elsewhere by looking at /proc, which misses
what lives for a moment). The share is the check phase's part of both. The model's turns and the
database are no part of it: with them it would be smaller.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.engine.recorded import find_upstream
from bench.measuring.process_tree import TreeMeter
from leaderboard.trajectories.readers.attempt_reading import Row
from leaderboard.trajectories.readers.pybench_jsonl import read
from runner.contract import KernelLost, ProblemError
from runner.proof.plays import observed
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host.cgroups import MOUNT, own_path
from runner.sandbox.zygote.service_client import end_own_daemons
from runner.suite.placeholders import filled_answer, filled_cells, visible_parameters
from runner.suite.reader import Suite, SuiteTask, load_suite
from runner.task_code.inputs import Instance, instantiate
from runner.task_code.verdict import CheckCrashed, check

QUIET_S, QUIET_CPU_S = 0.1, 0.003  # a pause in which next to nothing is used ends a phase
LONGEST_WAIT_S = 5.0

Meter = Callable[[], float]


@dataclass(frozen=True)
class Cost:
    """One task's two phases: CPU of the process tree and wall time, in seconds."""

    task: str
    run_cpu_s: float
    check_cpu_s: float
    run_s: float
    check_s: float
    verdict: str

    @property
    def share(self) -> float:
        """Share of the check phase, 0–1."""
        return self.check_cpu_s / (self.run_cpu_s + self.check_cpu_s)


@dataclass(frozen=True)
class Part:
    """The part of a task that is played: a recorded conversation, or its reference."""

    task: SuiteTask
    row: Row | None = None

    def cells(self, instance: Instance) -> Sequence[str]:
        if self.row:
            return [step.code for step in self.row.steps if step.code is not None]
        return filled_cells(self.task.reference, self.visible(instance))

    def answer(self, instance: Instance, printed: str) -> str | None:
        if self.row:
            return self.row.answer
        return filled_answer(self.task.reference, self.visible(instance), printed)

    def visible(self, instance: Instance) -> dict[str, object]:
        return visible_parameters(self.task.spec.query, instance.parameters)


@contextmanager
def counting() -> Iterator[Meter]:
    """CPU seconds so far of this process and all that it starts from here on."""
    base = MOUNT / "cpuacct" / own_path("cpuacct")
    group = base / f"pybench-bench-{secrets.token_hex(3)}"
    try:
        group.mkdir()
        (group / "cgroup.procs").write_text(str(os.getpid()))
    except OSError:
        with TreeMeter() as tree:
            yield lambda: tree.cpu_s
        return
    try:
        yield lambda: int((group / "cpuacct.usage").read_text()) / 1e9
    finally:
        (base / "cgroup.procs").write_text(str(os.getpid()))
        with suppress(OSError):  # something of the sandbox is still ending
            group.rmdir()


async def settled(meter: Meter) -> float:
    """The meter once what was begun is done: kernels are forked ahead after one was taken."""
    deadline, before = time.monotonic() + LONGEST_WAIT_S, meter()
    while True:
        await asyncio.sleep(QUIET_S)
        now = meter()
        if now - before < QUIET_CPU_S or time.monotonic() > deadline:
            return now
        before = now


async def measure(sandbox: Sandbox, suite: Suite, part: Part, scratch: Path, meter: Meter) -> Cost:
    """Play one task and check it. Raises ProblemError, KernelLost, CheckCrashed."""
    task, limits = part.task, suite.limits
    outputs = Path(tempfile.mkdtemp(prefix="outputs-", dir=scratch))
    await instantiate(sandbox, suite, task, suite.seed, scratch / "cache")
    begun, started_s = await settled(meter), time.monotonic()
    instance = await instantiate(sandbox, suite, task, suite.seed, scratch / "cache")
    session = await sandbox.open(instance.data, limits)
    try:
        results = [await session.run(cell, limits.cell_timeout_s) for cell in part.cells(instance)]
        await session.harvest(outputs, task.spec.outputs)
    finally:
        await session.close()
    run_s = time.monotonic() - started_s
    played, started_s = await settled(meter), time.monotonic()
    answer = part.answer(instance, "\n".join(map(observed, results)))
    verdict = await check(sandbox, suite, task, instance, outputs, answer)
    check_s = time.monotonic() - started_s
    checked = await settled(meter)
    return Cost(task.spec.key, played - begun, checked - played, run_s, check_s, verdict.sentence)


async def measure_all(suite: Suite, parts: Sequence[Part], meter: Meter) -> list[Cost]:
    sandbox = open_sandbox()
    costs: list[Cost] = []
    try:
        with tempfile.TemporaryDirectory(prefix="bench-checks-") as scratch:
            for part in parts:
                try:
                    costs.append(await measure(sandbox, suite, part, Path(scratch), meter))
                    print(line(costs[-1]), file=sys.stderr)
                except (ProblemError, KernelLost, CheckCrashed) as error:
                    print(f"{part.task.spec.key}: left out: {error}", file=sys.stderr)
    finally:
        await sandbox.close()
    return costs


def recorded_parts(suite: Suite) -> list[Part]:
    """The recorded conversations whose task and inputs are there."""
    tasks = {task.material.index: task for task in suite.tasks if task.material}
    rows = {
        row.index: row for row in read((find_upstream() / "trajectory.jsonl").read_bytes()).rows
    }
    return [Part(tasks[index], row) for index, row in rows.items() if index in tasks]


def line(cost: Cost) -> str:
    return (
        f"{cost.task:<44} {cost.run_cpu_s:8.3f} {cost.check_cpu_s:8.3f} {cost.share:6.0%} "
        f"{cost.run_s:8.2f} {cost.check_s:8.2f}  {cost.verdict[:60]}"
    )


def print_table(costs: Sequence[Cost], dearest: int) -> None:
    head = ("run CPU s", "check CPU s")
    print(f"{'the most expensive checks':<44} {head[0]:>8} {head[1]:>8}  share   wall s   wall s")
    for cost in sorted(costs, key=lambda c: -c.check_cpu_s)[:dearest]:
        print(line(cost))
    run, checked = sum(c.run_cpu_s for c in costs), sum(c.check_cpu_s for c in costs)
    print(
        f"{len(costs)} tasks: cells and session {run:.1f} CPU s, checks {checked:.1f} CPU s: "
        f"{checked / (run + checked):.1%} of both"
    )


def main() -> None:
    text = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m bench.checks", description=__doc__, formatter_class=text
    )
    parser.add_argument("--suite", default="pybench")
    parser.add_argument("--recorded", action="store_true", help="not the references")
    parser.add_argument("--tasks", help="only these, separated by commas")
    parser.add_argument("--dearest", type=int, default=15, help="how many of them are shown")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the figures there")
    options = parser.parse_args()
    suite = load_suite(options.suite)
    parts = recorded_parts(suite) if options.recorded else [Part(task) for task in suite.tasks]
    if options.tasks:
        parts = [p for p in parts if p.task.spec.key in options.tasks.split(",")]
    with counting() as meter:
        costs = asyncio.run(measure_all(suite, parts, meter))
        end_own_daemons()
    print_table(costs, options.dearest)
    if options.json:
        options.json.write_text(json.dumps([asdict(c) for c in costs], indent=1))


if __name__ == "__main__":
    main()
