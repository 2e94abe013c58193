"""Playing recorded code again: the same cells on the same inputs, without a model."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runner.checking import CheckCrashed, check
from runner.contract import (
    Harvest,
    Output,
    OutputKind,
    ProblemError,
    Step,
    StepStatus,
    StoredFile,
    Verdict,
)
from runner.instances import instantiate
from runner.observation import as_written, observe
from runner.sandbox.base import KernelLost, Sandbox, Session
from runner.suites import Suite, SuiteTask

SAME = "the observation came out as recorded"
DIFFERENT = "the observation differs from the recorded one"

# What changes from one machine or moment to the next, and says nothing.
PASSING = (
    (re.compile(r"0x[0-9a-f]{4,}", re.IGNORECASE), "0x…"),
    (re.compile(r"\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b"), "hh:mm:ss"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s)\b"), "… s"),
    (re.compile(r"/tmp/[\w./-]+"), "/tmp/…"),
    (re.compile(r"\b(?:Cell )?In ?\[\d+\]"), "In [n]"),
)


@dataclass(frozen=True)
class Recording:
    """What was recorded of one attempt: its steps with their code, and its final answer."""

    task: SuiteTask
    steps: tuple[Step, ...]
    answer: str | None


@dataclass(frozen=True)
class Replayed:
    """What came of playing it again. `verdict` is None, with `problem`, where it could not be."""

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
            steps = [await play_step(session, suite, step) for step in recording.steps]
            harvest = await session.harvest(outputs, task.spec.outputs)
        finally:
            await session.close()
        verdict = await check(sandbox, suite, task, instance, outputs, recording.answer)
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


async def play_step(session: Session, suite: Suite, step: Step) -> Step:
    """The step as it comes out now, with a note on whether that is as recorded."""
    if step.code is None:
        return step
    started_at = time.time()
    result = await session.run(step.code, suite.limits.cell_timeout_s)
    changes = await session.changes()
    difference = compare(step.outputs, result.outputs)
    note = f"{DIFFERENT}: {difference}" if difference else SAME
    return replace(
        step,
        status=StepStatus(result.status.value),
        outputs=result.outputs,
        observation=observe(result, suite.limits),
        changes=changes,
        notes=(*step.notes, note),
        cell_s=result.duration_s,
        started_at=started_at,
    )


def compare(recorded: Sequence[Output], now: Sequence[Output]) -> str:
    """In what two observations differ, as the end of a sentence; "" when they say the same."""
    before, after = error_of(recorded), error_of(now)
    if before != after:
        return f"it was {before or 'no error'}, now it is {after or 'no error'}"
    if printed(recorded) != printed(now):
        return "what was printed is another text"
    return ""


def error_of(outputs: Sequence[Output]) -> str:
    names = [o.error_name.rpartition(".")[2] for o in outputs if o.kind == OutputKind.ERROR]
    return names[-1] if names else ""


def printed(outputs: Sequence[Output]) -> str:
    """What a cell printed and returned, but for stderr, white space and what changes by itself."""
    shown = (OutputKind.STDOUT, OutputKind.RESULT)
    text = "\n".join(as_written(o.text) for o in outputs if o.kind in shown)
    for pattern, stand_in in PASSING:
        text = pattern.sub(stand_in, text)
    return " ".join(text.split())
