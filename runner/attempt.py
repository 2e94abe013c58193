"""One attempt from beginning to end: instance, session, episode, harvest, check, result."""

from __future__ import annotations

import asyncio
import inspect
import os
import time
from asyncio import Semaphore
from collections.abc import Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from runner.cancellation import Stopped, wait_for
from runner.contract import (
    AS_RECORDED,
    BETWEEN_MODELS,
    REPLIED,
    AttemptResult,
    Fault,
    Harvest,
    KernelLost,
    Limits,
    Listener,
    Opening,
    Outcome,
    Problem,
    ProblemError,
    RecordedPlay,
    SandboxUnavailable,
    Step,
    Verdict,
)
from runner.episode import (
    AttemptTally,
    Cancelled,
    Chat,
    Episode,
    EpisodeOver,
    Finished,
    OutOfTime,
    OutOfTurns,
)
from runner.judgement import judge
from runner.model import prompts
from runner.recorded import SAME, messages_since, recite, take_brought
from runner.sandbox.base import Sandbox, Session
from runner.suite.reader import Suite, SuiteTask
from runner.task_code.inputs import Instance, instantiate
from runner.task_code.needed_tools import find_lack
from runner.task_code.verdict import CheckCrashed, sentence_of
from runner.unplayed import no_sandbox

T = TypeVar("T")

MISSING = "missing"  # what runner.checks.case finds where a file should be


def slot_per_core() -> Semaphore:
    """Slots for cells and checks: as many run at once as there are cores that we may use."""
    return Semaphore(len(os.sched_getaffinity(0)))


@dataclass(frozen=True)
class AttemptPlace:
    """Resources that attempts on this host share."""

    sandbox: Sandbox
    cache: Path  # instances, kept from attempt to attempt
    slots: AbstractAsyncContextManager[None] = field(default_factory=slot_per_core)


@dataclass(frozen=True)
class Playing:
    """One attempt to be played."""

    suite: Suite
    task: SuiteTask
    seed: int
    limits: Limits
    chat: Chat
    listener: Listener
    outputs: Path  # an empty folder of its own: the harvest fills it, the caller disposes of it
    recording: RecordedPlay | None = None  # played again; only then is the model asked, or never


@dataclass
class Ended:
    """The end of an attempt, gathered on the way."""

    over: EpisodeOver
    harvest: Harvest = field(default_factory=Harvest)
    verdict: Verdict | None = None


class Void(EpisodeOver):
    """The end of an attempt that says nothing about the model."""

    def __init__(self, outcome: Outcome, problem: Problem) -> None:
        self.outcome = outcome
        super().__init__(problem=problem)


async def play(playing: Playing, place: AttemptPlace) -> AttemptResult:
    """Play one attempt to its end, whatever that is; the session is closed in any case.

    Raises Fenced when the listener does.
    """
    started_s = time.monotonic()
    tally = AttemptTally()
    try:
        ended = await pursue(playing, place, tally)
    except Stopped:
        ended = Ended(Cancelled())
    except SandboxUnavailable as error:
        ended = Ended(Void(Outcome.KERNEL_LOST, no_sandbox(error)))
    except KernelLost as error:
        ended = Ended(Void(Outcome.KERNEL_LOST, kernel_lost(error)))
    except CheckCrashed as error:
        ended = Ended(Void(Outcome.CHECK_CRASHED, check_crashed(error)))
    return AttemptResult(
        outcome=ended.over.outcome,
        verdict=ended.verdict,
        answer=ended.over.answer,
        turns=tally.turns,
        usage=tally.usage,
        model_s=tally.model_s,
        cell_s=tally.cell_s,
        wall_s=time.monotonic() - started_s,
        harvest=ended.harvest,
        problem=ended.over.problem,
        environment={
            **place.sandbox.environment(),
            "prompt": prompts.prompt_digest(),
            **({REPLIED: BETWEEN_MODELS.join(tally.models)} if tally.models else {}),
            **({AS_RECORDED: as_recorded(tally)} if tally.compared else {}),
        },
    )


def as_recorded(tally: AttemptTally) -> str:
    """Number of observations that came out as recorded: "5 of 7"."""
    return f"{sum(tally.compared)} of {len(tally.compared)}"


async def pursue(playing: Playing, place: AttemptPlace, tally: AttemptTally) -> Ended:
    """The pipeline: every step of it can be called off, and raises what makes it void."""
    if lack := find_lack(playing.task):
        return Ended(Void(Outcome.CHECK_CRASHED, lack))
    instance = await make_instance(playing, place)
    if playing.recording is not None and playing.recording.bring_files is not None:
        ended = await bring(playing.recording, playing, place, instance)
    else:
        ended = await attend(playing, place, instance, tally)
    if ended.over.outcome.is_void:
        return ended
    verdict = await verify(playing, place, instance, ended.over.answer)
    return replace(ended, verdict=with_refusals(verdict, ended.harvest))


async def attend(
    playing: Playing, place: AttemptPlace, instance: Instance, tally: AttemptTally
) -> Ended:
    """The episode in a session of its own, and the files that it left."""
    session = await place.sandbox.open(instance.data, playing.limits)
    try:
        over = await converse(playing, place, instance, session, tally)
        if over.outcome.is_void:
            return Ended(over)
        return Ended(over, await session.harvest(playing.outputs, playing.task.spec.outputs))
    finally:
        await session.close()


async def bring(
    recording: RecordedPlay, playing: Playing, place: AttemptPlace, instance: Instance
) -> Ended:
    """Files that were brought in, in place of an episode's."""
    await playing.listener.opened(opening_of(playing, instance, recording.messages))
    work = asyncio.to_thread(
        take_brought, recording, playing.outputs, frozenset(playing.task.spec.outputs)
    )
    try:
        return Ended(Finished(recording.answer or ""), await in_slot(playing, place, work))
    except ProblemError as error:
        raise CheckCrashed(error.problem.what) from error


async def make_instance(playing: Playing, place: AttemptPlace) -> Instance:
    work = instantiate(place.sandbox, playing.suite, playing.task, playing.seed, place.cache)
    try:
        return await in_slot(playing, place, work)
    except ProblemError as error:
        raise CheckCrashed(error.problem.what) from error


async def in_slot(playing: Playing, place: AttemptPlace, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, done in a slot; both waits can be called off."""

    async def do() -> T:
        async with place.slots:
            return await work

    try:
        return await wait_for(do(), playing.listener.should_stop)
    finally:
        if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
            work.close()  # else it clears up after itself, however long that takes


async def converse(
    playing: Playing, place: AttemptPlace, instance: Instance, session: Session, tally: AttemptTally
) -> EpisodeOver:
    """The episode with the model; says how it ended."""
    messages = prompts.opening(
        instance.query,
        [file.path for file in instance.inputs],
        playing.chat.spec.action_format,
        playing.limits,
    )
    recording = playing.recording
    if recording is not None and (recording.messages or not recording.goes_on):
        messages = [*recording.messages]
    await playing.listener.opened(opening_of(playing, instance, tuple(messages)))
    episode = Episode(
        chat=playing.chat,
        session=session,
        limits=playing.limits,
        listener=playing.listener,
        slots=place.slots,
        messages=messages,
        tally=tally,
        started_s=time.monotonic(),
    )
    if recording is None:
        return await episode.play()
    return await replay(recording, episode)


def opening_of(
    playing: Playing, instance: Instance, messages: tuple[Mapping[str, object], ...]
) -> Opening:
    return Opening(
        messages=messages,
        query=instance.query,
        seed=playing.seed,
        parameters=instance.parameters,
        inputs=instance.inputs,
    )


async def replay(recording: RecordedPlay, episode: Episode) -> EpisodeOver:
    """The recorded steps in place of an episode, or before the rest of it; says how it ended."""
    tally, action_format = episode.tally, episode.action_format

    def count(recorded: Step, step: Step) -> None:
        tally.turns += 1
        tally.usage += step.usage
        tally.cell_s += step.cell_s
        if recorded.code is not None and recorded.index not in recording.typed:
            tally.compared.append(SAME in step.notes)
        if recording.goes_on:
            episode.messages += messages_since(recorded, step, action_format)

    is_whole = await recite(
        recording, episode.session, episode.limits, episode.listener, episode.slots, count
    )
    if not is_whole:
        return OutOfTime()
    if recording.goes_on:
        episode.first = len(recording.steps) + 1
        return await episode.play()
    return OutOfTurns() if recording.answer is None else Finished(recording.answer)


async def verify(
    playing: Playing, place: AttemptPlace, instance: Instance, answer: str | None
) -> Verdict:
    """The check's verdict, once everything of the attempt is dead."""
    work = judge(place.sandbox, playing.suite, playing.task, instance, playing.outputs, answer)
    return await in_slot(playing, place, work)


def with_refusals(verdict: Verdict, harvest: Harvest) -> Verdict:
    """The verdict; where it misses a file that the harvest refused, it says why it was refused."""
    reasons = {refused.path: refused.reason for refused in harvest.refused}
    told = tuple(
        replace(a, message=f"{a.file} was not taken: it {reasons[a.file]}.", actual="refused")
        if not a.passed and a.actual == MISSING and a.file in reasons
        else a
        for a in verdict.assertions
    )
    if told == verdict.assertions:
        return verdict
    return replace(verdict, assertions=told, sentence=sentence_of(told))


def kernel_lost(error: KernelLost) -> Problem:
    return Problem(
        Fault.US,
        "kernel_lost",
        f"The kernel was lost through no fault of the model: {error}",
        "The attempt does not count and is played again.",
    )


def check_crashed(error: CheckCrashed) -> Problem:
    return Problem(
        Fault.US,
        "check_crashed",
        str(error),
        "The attempt does not count until the task is fixed.",
    )
