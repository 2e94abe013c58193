"""Rate at which stored results are judged again: `python -m bench.queue.rescoring`.

The reference solution of one task of the starter suite is played once; its output files are then
judged as often as asked, through the loop that workers use (`judge_waiting`), with one place per
core. The task is the one that is named; by default one whose check has a median cost. The rows are
left out: writing one takes a few milliseconds. The goal is 300 results in five minutes on
two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.checks import Part
from runner.contract import Verdict
from runner.proof.plays import observed
from runner.recorded_attempt import judge_waiting
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import ROOT, Suite, load_suite
from runner.task_code.inputs import instantiate

BOARD = 300  # runs whose results of one task are judged again
TASK = "quarterly-sales"


@dataclass(frozen=True)
class SameResult:
    """One of many copies of a stored result."""

    rejudgement_id: int
    suite: str
    task_key: str
    seed: int
    inputs: dict[str, str]
    answer: str | None


@dataclass
class CopyDoor:
    """Gives out copies of one result, in the database's place."""

    result: SameResult
    outputs: Path
    left: int
    verdicts: list[Verdict | None] = field(default_factory=list)

    def take(self, erratum_id: int, limit: int) -> list[Any]:
        count = min(limit, self.left)
        self.left -= count
        first = self.left + 1
        return [replace(self.result, rejudgement_id=first + n) for n in range(count)]

    def write_outputs(self, result: SameResult, folder: Path) -> str:
        shutil.copytree(self.outputs, folder)
        return ""

    def record(self, rejudgement_id: int, verdict: Verdict | None, problem: str = "") -> None:
        if verdict is None:
            raise SystemExit(f"A result was not judged: {problem}")
        self.verdicts.append(verdict)


async def play_reference(suite: Suite, key: str, scratch: Path) -> SameResult:
    """Play the task's reference; its files are in `scratch`/outputs."""
    part, sandbox = Part(suite.task(key)), open_sandbox()
    outputs = scratch / "outputs"
    outputs.mkdir()
    try:
        instance = await instantiate(sandbox, suite, part.task, suite.seed, scratch / "cache")
        session = await sandbox.open(instance.data, suite.limits)
        try:
            limit_s = suite.limits.cell_timeout_s
            results = [await session.run(cell, limit_s) for cell in part.cells(instance)]
            await session.harvest(outputs, part.task.spec.outputs)
        finally:
            await session.close()
    finally:
        await sandbox.close()
    inputs = {file.path: file.sha256 for file in instance.inputs}
    answer = part.answer(instance, "\n".join(map(observed, results)))
    return SameResult(0, suite.name, key, suite.seed, inputs, answer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", default=TASK)
    parser.add_argument("--results", type=int, default=40)
    options = parser.parse_args()
    suite, jobs = load_suite("starter"), max(1, os.cpu_count() or 1)
    with tempfile.TemporaryDirectory(prefix="bench-rescoring-") as folder:
        scratch = Path(folder)
        result = asyncio.run(play_reference(suite, options.task, scratch))
        door = CopyDoor(result, scratch / "outputs", options.results)
        began_s = time.monotonic()
        judged = judge_waiting(door, 1, ROOT, 600.0, jobs)
        took_s = time.monotonic() - began_s
    passed = sum(bool(verdict and verdict.passed) for verdict in door.verdicts)
    per_minute = 60 * judged / took_s
    print(f"{judged} results of {options.task} in {took_s:.1f} s, {passed} passed")
    print(f"{per_minute:.0f} a minute, {jobs} at once")
    print(f"{BOARD} results: {BOARD / per_minute:.1f} min (goal: 5)")


if __name__ == "__main__":
    main()
