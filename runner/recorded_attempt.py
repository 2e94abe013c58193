"""Playing recorded code again: the same cells on the same inputs, without a model."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from runner.contract import (
    Harvest,
    KernelLost,
    ProblemError,
    Step,
    StoredFile,
    Verdict,
)
from runner.judgement import judge
from runner.recorded.steps import SAME, play_step
from runner.sandbox.base import Sandbox
from runner.suite.reader import Suite, SuiteTask, load_suite
from runner.task_code.inputs import instantiate
from runner.task_code.verdict import CheckCrashed

BATCH = 4  # results that are taken at once, per place


@dataclass(frozen=True)
class Recording:
    """Recording of one attempt: its steps with their code, and its final answer."""

    task: SuiteTask
    steps: tuple[Step, ...]
    answer: str | None


@dataclass(frozen=True)
class Replayed:
    """Result of playing it again. `verdict` is None, with `problem`, where it could not be."""

    recording: Recording
    steps: tuple[Step, ...]
    harvest: Harvest
    inputs: tuple[StoredFile, ...]
    verdict: Verdict | None
    same: int  # steps with code whose observation came out as recorded
    played: int  # steps with code
    cell_s: float
    problem: str = ""


def replay_all(
    suite: Suite,
    recordings: Sequence[Recording],
    scratch: Path,
    jobs: int = 2,
    report: Callable[[Replayed], None] = lambda replayed: None,
) -> list[Replayed]:
    """Each recording played again, in order; the files taken stay in `scratch`."""
    from runner.sandbox.factory import open_sandbox

    sandbox = open_sandbox()

    async def run() -> list[Replayed]:
        slots = asyncio.Semaphore(jobs)

        async def one(recording: Recording) -> Replayed:
            async with slots:
                replayed = await replay(sandbox, suite, recording, scratch)
            report(replayed)
            return replayed

        try:
            return list(await asyncio.gather(*map(one, recordings)))
        finally:
            await sandbox.close()

    return asyncio.run(run())


async def replay(sandbox: Sandbox, suite: Suite, recording: Recording, scratch: Path) -> Replayed:
    """Play the recording's cells in one session, take its outputs, and check them."""
    empty = Replayed(recording, recording.steps, Harvest(), (), None, 0, 0, 0.0)
    outputs = Path(tempfile.mkdtemp(prefix="outputs-", dir=scratch))
    task = recording.task
    try:
        instance = await instantiate(sandbox, suite, task, suite.seed, scratch / "cache")
        session = await sandbox.open(instance.data, suite.limits)
        try:
            steps = [await play_step(session, suite.limits, step) for step in recording.steps]
            harvest = await session.harvest(outputs, task.spec.outputs)
        finally:
            await session.close()
        verdict = await judge(sandbox, suite, task, instance, outputs, recording.answer)
    except (ProblemError, KernelLost, CheckCrashed) as error:
        shutil.rmtree(outputs, ignore_errors=True)
        return replace(empty, problem=str(error))
    coded = [step for step in steps if step.code is not None]
    return Replayed(
        recording,
        tuple(steps),
        harvest,
        instance.inputs,
        verdict,
        same=sum(SAME in step.notes for step in coded),
        played=len(coded),
        cell_s=sum(step.cell_s for step in coded),
    )


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

    async def run() -> list[Rejudged]:
        slots = asyncio.Semaphore(jobs)

        async def one(stored: StoredResult) -> Rejudged:
            async with slots:
                rejudged = await judge_one(sandbox, suite, stored, scratch / "cache")
            report(rejudged)
            return rejudged

        try:
            return list(await asyncio.gather(*map(one, results)))
        finally:
            await sandbox.close()

    return asyncio.run(run())


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


async def judge_side_by_side(
    sandbox: Sandbox, suite: Suite, stored: Sequence[StoredResult], cache: Path, jobs: int
) -> list[Rejudged]:
    slots = asyncio.Semaphore(jobs)

    async def one(result: StoredResult) -> Rejudged:
        async with slots:
            return await judge_one(sandbox, suite, result, cache)

    return list(await asyncio.gather(*map(one, stored)))


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
