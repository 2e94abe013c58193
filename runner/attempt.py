"""One attempt from beginning to end: instance, session, episode, harvest, check, result."""

from __future__ import annotations

import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from runner import prompts
from runner.checking import CheckCrashed, check, sentence_of
from runner.contract import (
    BETWEEN_MODELS,
    REPLIED,
    AttemptResult,
    Fault,
    Harvest,
    Limits,
    Listener,
    Opening,
    Outcome,
    Problem,
    ProblemError,
    Verdict,
)
from runner.episode import Cancelled, Chat, Episode, EpisodeOver, Tally
from runner.instances import Instance, instantiate
from runner.sandbox.base import KernelLost, Sandbox, SandboxUnavailable, Session
from runner.suites import Suite, SuiteTask
from runner.waiting import Stopped, wait_for

T = TypeVar("T")

MISSING = "missing"  # what runner.checks.case finds where a file should be


@dataclass(frozen=True)
class Place:
    """What attempts on this host share."""

    sandbox: Sandbox
    slots: AbstractAsyncContextManager[None]  # how many cells and checks run at once
    cache: Path  # instances, kept from attempt to attempt


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


@dataclass
class Ended:
    """How an attempt ended, gathered on the way."""

    over: EpisodeOver
    harvest: Harvest = field(default_factory=Harvest)
    verdict: Verdict | None = None


class Void(EpisodeOver):
    """The end of an attempt that says nothing about the model."""

    def __init__(self, outcome: Outcome, code: str, what: str, next_step: str) -> None:
        self.outcome = outcome
        super().__init__(problem=Problem(Fault.US, code, what, next_step))


async def play(playing: Playing, place: Place) -> AttemptResult:
    """Play one attempt to its end, whatever that is; the session is closed in any case.

    Raises Fenced when the listener does.
    """
    started_s = time.monotonic()
    tally = Tally()
    try:
        ended = await pursue(playing, place, tally)
    except Stopped:
        ended = Ended(Cancelled())
    except SandboxUnavailable as error:
        ended = Ended(unavailable(error))
    except KernelLost as error:
        ended = Ended(kernel_lost(error))
    except CheckCrashed as error:
        ended = Ended(check_crashed(error))
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
        },
    )


async def pursue(playing: Playing, place: Place, tally: Tally) -> Ended:
    """The pipeline: every step of it can be called off, and raises what makes it void."""
    instance = await make_instance(playing, place)
    session = await place.sandbox.open(instance.data, playing.limits)
    try:
        over = await converse(playing, place, instance, session, tally)
        if over.outcome.is_void:
            return Ended(over)
        harvest = await session.harvest(playing.outputs, playing.task.spec.outputs)
    finally:
        await session.close()
    verdict = await verify(playing, place, instance, over.answer)
    return Ended(over, harvest, with_refusals(verdict, harvest))


async def make_instance(playing: Playing, place: Place) -> Instance:
    work = instantiate(place.sandbox, playing.suite, playing.task, playing.seed, place.cache)
    try:
        return await in_slot(playing, place, work)
    except ProblemError as error:
        raise CheckCrashed(error.problem.what) from error


async def in_slot(playing: Playing, place: Place, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, done in a slot; both waits can be called off."""

    async def do() -> T:
        async with place.slots:
            return await work

    try:
        return await wait_for(do(), playing.listener.should_stop)
    finally:
        work.close()  # it may never have begun


async def converse(
    playing: Playing, place: Place, instance: Instance, session: Session, tally: Tally
) -> EpisodeOver:
    """The episode with the model; says how it ended."""
    messages = prompts.opening(
        instance.query,
        [file.path for file in instance.inputs],
        playing.chat.spec.action_format,
        playing.limits,
    )
    await playing.listener.opened(
        Opening(
            messages=tuple(messages),
            query=instance.query,
            seed=playing.seed,
            parameters=instance.parameters,
            inputs=instance.inputs,
        )
    )
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
    return await episode.play()


async def verify(playing: Playing, place: Place, instance: Instance, answer: str | None) -> Verdict:
    """The check's verdict, once everything of the attempt is dead."""
    work = check(place.sandbox, playing.suite, playing.task, instance, playing.outputs, answer)
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


def unavailable(error: SandboxUnavailable) -> Void:
    return Void(
        Outcome.KERNEL_LOST,
        "sandbox_unavailable",
        f"No sandbox can be had on this host: {error}",
        "",
    )


def kernel_lost(error: KernelLost) -> Void:
    return Void(
        Outcome.KERNEL_LOST,
        "kernel_lost",
        f"The kernel was lost through no fault of the model: {error}",
        "The attempt does not count and is played again.",
    )


def check_crashed(error: CheckCrashed) -> Void:
    return Void(
        Outcome.CHECK_CRASHED,
        "check_crashed",
        str(error),
        "The attempt does not count until the task is mended.",
    )
