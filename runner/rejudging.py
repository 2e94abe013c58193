"""Stored results judged again by the checks as they are now: no model is asked, no cell is run."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from runner.contract import (
    KernelLost,
    ProblemError,
    Verdict,
)
from runner.judgement import judge
from runner.sandbox.base import Sandbox
from runner.suite.reader import Suite, SuiteTask, load_suite
from runner.task_code.inputs import instantiate
from runner.task_code.verdict import CheckCrashed

BATCH = 4  # results that are taken at once, per place


@dataclass(frozen=True)
class StoredResult:
    """Files and answer of an attempt as they are kept, to be judged by another check."""

    task: SuiteTask
    seed: int
    inputs: Mapping[str, str]  # {name: SHA-256} of what it was given
    outputs: Path  # a folder with the files that it left
    answer: str | None


@dataclass(frozen=True)
class Rejudged:
    """The verdict of the check as it is now. None, with `problem`, where there can be none."""

    stored: StoredResult
    verdict: Verdict | None
    problem: str = ""


def judge_stored(
    suite: Suite,
    results: Iterable[StoredResult],
    scratch: Path,
    jobs: int = 1,
    report: Callable[[Rejudged], None] = lambda rejudged: None,
) -> list[Rejudged]:
    """The verdict on each, in order, so many at once; no model is asked and no cell is run."""
    from runner.sandbox.factory import open_sandbox

    sandbox = open_sandbox()
    with asyncio.Runner() as loop:
        try:
            work = judge_side_by_side(sandbox, suite, results, scratch / "cache", jobs, report)
            return loop.run(work)
        finally:
            loop.run(sandbox.close())


async def judge_side_by_side(
    sandbox: Sandbox,
    suite: Suite,
    results: Iterable[StoredResult],
    cache: Path,
    jobs: int,
    report: Callable[[Rejudged], None] = lambda rejudged: None,
) -> list[Rejudged]:
    slots = asyncio.Semaphore(jobs)

    async def one(stored: StoredResult) -> Rejudged:
        async with slots:
            rejudged = await judge_one(sandbox, suite, stored, cache)
        report(rejudged)
        return rejudged

    return list(await asyncio.gather(*map(one, results)))


async def judge_one(sandbox: Sandbox, suite: Suite, stored: StoredResult, cache: Path) -> Rejudged:
    try:
        instance = await instantiate(sandbox, suite, stored.task, stored.seed, cache)
        if {file.path: file.sha256 for file in instance.inputs} != stored.inputs:
            return Rejudged(stored, None, "Its inputs are other ones now: it must be played again.")
        verdict = await judge(sandbox, suite, stored.task, instance, stored.outputs, stored.answer)
    except (ProblemError, KernelLost, CheckCrashed) as error:
        return Rejudged(stored, None, str(error))
    return Rejudged(stored, verdict)


class RejudgingDoor(Protocol):
    """The acts of `leaderboard.handoff.rescoring` that judging again needs."""

    def take(self, erratum_id: int, limit: int) -> list[Any]: ...

    def write_outputs(self, result: Any, folder: Path) -> str: ...

    def record(self, rejudgement_id: int, verdict: Verdict | None, problem: str = "") -> None: ...


def prepare(
    door: RejudgingDoor, batch: Sequence[Any], suite: Suite, folder: Path
) -> dict[int, StoredResult]:
    """Results with their files on disk; what cannot be judged is recorded as such."""
    ready = {}
    for result in batch:
        number, outputs = result.rejudgement_id, folder / str(result.rejudgement_id)
        gone = door.write_outputs(result, outputs)
        if gone:
            door.record(number, None, f"Its output {gone} is gone: the old verdict stays.")
            continue
        try:
            task = suite.task(result.task_key)
        except ProblemError as error:
            door.record(number, None, error.problem.sentence)
            continue
        ready[number] = StoredResult(task, result.seed, result.inputs, outputs, result.answer)
    return ready


def judge_waiting(
    door: RejudgingDoor, erratum_id: int, suites: Path, most_s: float, jobs: int = 2
) -> int:
    """Judge an erratum's results, `jobs` at once, until none is given or `most_s` are over.

    Returns how many were judged. Whatever dies on the way is taken again after its lease.
    """
    from runner.sandbox.factory import open_sandbox

    deadline_s, judged = time.monotonic() + most_s, 0
    sandbox = open_sandbox()
    with asyncio.Runner() as loop, tempfile.TemporaryDirectory(prefix="rescore-") as scratch:
        try:
            while time.monotonic() < deadline_s:
                batch = door.take(erratum_id, jobs * BATCH)
                if not batch:
                    break
                folder = Path(tempfile.mkdtemp(dir=scratch))
                suite = load_suite(batch[0].suite, suites)
                whole = prepare(door, batch, suite, folder)
                ready, cache = list(whole.values()), Path(scratch) / "cache"
                found = loop.run(judge_side_by_side(sandbox, suite, ready, cache, jobs))
                for number, one in zip(whole, found, strict=True):
                    door.record(number, one.verdict, one.problem)
                judged += len(batch)
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            loop.run(sandbox.close())
    return judged
