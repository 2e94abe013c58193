"""The turn loop of one attempt: ask, parse, execute, observe."""

from __future__ import annotations

import logging
import time
from collections.abc import Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from runner.cancellation import Stopped, wait_for
from runner.contract import (
    MOST_MODELS,
    ActionFormat,
    CellResult,
    CellStatus,
    EndpointSpec,
    Fault,
    FileChange,
    Limits,
    Listener,
    Outcome,
    Problem,
    Step,
    StepStatus,
    Usage,
)
from runner.endpoint.errors import SLOW_IN_ALL, TOO_SLOW, ContextFull, EndpointError, error_of
from runner.model.observation import observe
from runner.model.prompts import Message, said, told
from runner.model.reply import Action, ModelReply, read, unread
from runner.reading.readers import UnreadableText, readers
from runner.sandbox.base import Session

log = logging.getLogger(__name__)

T = TypeVar("T")

OF_CELL = {
    CellStatus.OK: StepStatus.OK,
    CellStatus.ERROR: StepStatus.ERROR,
    CellStatus.TIMEOUT: StepStatus.TIMEOUT,
    CellStatus.KILLED: StepStatus.KILLED,
}


class Chat(Protocol):
    """Whatever replies: an endpoint, or a recording of one."""

    spec: EndpointSpec

    async def reply(self, messages: Sequence[Message], timeout_s: float) -> ModelReply:
        """The next reply. Raises EndpointError when there is none within `timeout_s`."""


class EpisodeOver(Exception):
    """End of an episode: raised where it is known, caught in one place."""

    outcome: Outcome

    def __init__(self, answer: str | None = None, problem: Problem | None = None) -> None:
        super().__init__(self.outcome)
        self.answer = answer
        self.problem = problem


class Finished(EpisodeOver):
    """The model gave its final answer."""

    outcome = Outcome.FINISHED


class OutOfTurns(EpisodeOver):
    """The turn limit came first."""

    outcome = Outcome.OUT_OF_TURNS


class OutOfTime(EpisodeOver):
    """Cells and our own work reached their time limit first."""

    outcome = Outcome.OUT_OF_TIME


class ContextIsFull(EpisodeOver):
    """The conversation grew longer than the model can read."""

    outcome = Outcome.CONTEXT_FULL


class EndpointFailed(EpisodeOver):
    """The endpoint failed, after retries."""

    outcome = Outcome.ENDPOINT_FAILED


class Cancelled(EpisodeOver):
    """The run was cancelled."""

    outcome = Outcome.CANCELLED


@dataclass
class AttemptTally:
    """Use of resources by an attempt so far; also known when it ends early."""

    turns: int = 0
    usage: Usage = field(default_factory=Usage)
    model_s: float = 0.0
    cell_s: float = 0.0
    slot_wait_s: float = 0.0  # waiting for a free cell slot; not charged to the model
    lost_s: float = 0.0  # in tries that the endpoint failed; part of model_s
    models: list[str] = field(default_factory=list)  # that the endpoint says replied, each once
    compared: list[bool] = field(default_factory=list)  # of each recorded step: as recorded?

    def note_model(self, name: str) -> None:
        if name and name not in self.models and len(self.models) < MOST_MODELS:
            self.models.append(name)


@dataclass
class Episode:
    """One conversation with a model about one task, in one session."""

    chat: Chat
    session: Session
    limits: Limits
    listener: Listener
    slots: AbstractAsyncContextManager[None]
    messages: list[Message]
    tally: AttemptTally
    started_s: float  # time.monotonic() when the attempt began
    first: int = 1  # number of its first turn

    async def play(self) -> EpisodeOver:
        """Take turns until the episode is over; says how it ended.

        Raises KernelLost, SandboxUnavailable, and Fenced from the listener.
        """
        try:
            for index in range(self.first, self.limits.max_turns + 1):
                await self.take_turn(index)
            raise OutOfTurns
        except EpisodeOver as over:
            return over
        except Stopped:
            return Cancelled()

    async def take_turn(self, index: int) -> None:
        """One reply and what comes of it."""
        started_at, started_s = time.time(), time.monotonic()
        reply = await self.ask(index)
        model_s = time.monotonic() - started_s
        self.tally.turns, self.tally.usage = index, self.tally.usage + reply.usage
        action = await self.read(reply)
        result, changes = await self.execute(action)
        self.tally.cell_s += result.duration_s if result else 0.0
        observation = self.observation(index, action, result)
        added = self.extend(reply, action, observation)
        await self.listener.step(
            Step(
                index=index,
                status=OF_CELL[result.status] if result else action.status,
                reply=raw_text(reply, action),
                thought=action.thought,
                code=action.code,
                outputs=result.outputs if result else (),
                observation=observation,
                changes=changes,
                notes=(*action.notes, *([f"the request {reply.failed}"] if reply.failed else ())),
                usage=reply.usage,
                finish_reason=reply.finish_reason,
                model_s=model_s,
                cell_s=result.duration_s if result else 0.0,
                started_at=started_at,
                messages=tuple(added),
            )
        )
        if action.status == StepStatus.ANSWER:
            raise Finished(action.answer)

    @property
    def action_format(self) -> ActionFormat:
        return self.chat.spec.action_format

    def left_s(self) -> float:
        """Time left for cells and our own work: waiting for replies and slots is not charged."""
        excused_s = self.tally.slot_wait_s + self.tally.model_s
        return self.limits.attempt_timeout_s + excused_s - (time.monotonic() - self.started_s)

    def replies_left_s(self) -> float:
        """Time left to wait for replies; failed tries and our other requests are not charged."""
        return self.limits.replies_timeout_s - (self.tally.model_s - self.tally.lost_s)

    async def ask(self, index: int) -> ModelReply:
        """The model's reply; what keeps it from coming ends the episode."""
        if self.listener.should_stop():
            raise Stopped
        if self.left_s() <= 0:
            raise OutOfTime(problem=out_of_time(self.limits))
        timeout_s = min(self.limits.reply_timeout_s, max(0.0, self.replies_left_s()))
        started_s = time.monotonic()
        try:
            reply = await self.wait(self.chat.reply(self.messages, timeout_s))
            self.tally.lost_s += reply.lost_s
            self.tally.note_model(reply.model)
            return reply
        except ContextFull as error:
            # Before the first reply it says nothing about the model, only about its set-up.
            end = EndpointFailed if index == 1 else ContextIsFull
            raise end(problem=error.problem) from error
        except EndpointError as error:
            if error.problem.code == TOO_SLOW.code and timeout_s < self.limits.reply_timeout_s:
                error = error_of(SLOW_IN_ALL, timeout_s=self.limits.replies_timeout_s)
            raise EndpointFailed(problem=error.problem) from error
        finally:
            self.tally.model_s += time.monotonic() - started_s

    async def read(self, reply: ModelReply) -> Action:
        """Read the reply's action in a process that this one does not wait for."""
        try:
            return await readers().read(self.chat.spec.base_url, read, reply, self.action_format)
        except UnreadableText as error:
            log.error("a reply of %s characters: %s", f"{len(reply.text):,}", error)
            return unread(reply, self.action_format)

    async def execute(self, action: Action) -> tuple[CellResult | None, tuple[FileChange, ...]]:
        """Run the code and note the changes on disk; nothing if there is no code."""
        if action.code is None:
            return None, ()
        result = await self.wait(self.run_cell(action.code))
        return result, await self.wait(self.session.changes())

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return await wait_for(work, self.listener.should_stop)

    async def run_cell(self, code: str) -> CellResult:
        waited_from_s = time.monotonic()
        async with self.slots:
            self.tally.slot_wait_s += time.monotonic() - waited_from_s
            timeout_s = min(self.limits.cell_timeout_s, max(1.0, self.left_s()))
            return await self.session.run(code, timeout_s)

    def observation(self, index: int, action: Action, result: CellResult | None) -> str:
        """Message to the model, with the number of replies left once few are."""
        if action.status == StepStatus.ANSWER:
            return ""
        text = observe(result, self.limits) if result else f"[{action.complaint}]"
        notes = [f"[{note}.]" for note in action.notes]
        left = self.limits.max_turns - index
        if left == 1:
            notes.append("[One reply is left: give your final answer now, without code.]")
        return "\n".join([text, *notes])

    def extend(self, reply: ModelReply, action: Action, observation: str) -> list[Message]:
        """Add this step to the conversation; the messages that it added."""
        added = [said(reply, action)]
        if action.status != StepStatus.ANSWER:
            added += told(reply, action, observation)
        self.messages += added
        return added


def raw_text(reply: ModelReply, action: Action) -> str:
    """The reply as it came; with its calls where none of them could be read."""
    calls = reply.tool_calls if action.status == StepStatus.MALFORMED else ()
    said = [reply.text, *(f"{call.name} {call.arguments}" for call in calls)]
    return "\n".join(part for part in said if part)


def out_of_time(limits: Limits) -> Problem:
    return Problem(
        Fault.MODEL,
        "out_of_time",
        f"Cells and our own work took {limits.attempt_timeout_s:.0f} s, the limit of an attempt; "
        "waiting for replies is not counted.",
        "Fewer or faster steps are needed.",
    )
