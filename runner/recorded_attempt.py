"""Playing recorded code again: the same cells on the same inputs, without a model."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

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
from runner.suite.reader import Suite, SuiteTask
from runner.task_code.inputs import instantiate
from runner.task_code.verdict import CheckCrashed


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
