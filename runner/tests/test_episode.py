"""The turn loop by itself, where a real sandbox could not be timed so closely."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from runner.contract import (
    ActionFormat,
    CellResult,
    CellStatus,
    EndpointSpec,
    Fault,
    FileChange,
    Harvest,
    Limits,
    Outcome,
    Output,
    OutputKind,
    Usage,
)
from runner.endpoint.errors import TOO_SLOW, EndpointError, error_of
from runner.episode import AttemptTally, Episode
from runner.model.prompts import Message, opening
from runner.model.reply import ModelReply, ToolCall
from runner.tests.support.small_suite import Watcher

LIMITS = Limits(max_turns=3, attempt_timeout_s=3.0, cell_timeout_s=60)
CODE = ModelReply("```python\n1\n```", usage=Usage(prompt_tokens=5))
ANSWER = ModelReply("Done.", usage=Usage(completion_tokens=2))


@dataclass
class Script:
    """Says what it is given, one after the other; an error is raised."""

    replies: list[ModelReply | EndpointError]
    spec: EndpointSpec = field(default_factory=lambda: EndpointSpec("http://host/v1", "m"))
    timeouts_s: list[float] = field(default_factory=list)
    pause_s: float = 0.0

    async def reply(self, messages: Sequence[Message], timeout_s: float) -> ModelReply:
        self.timeouts_s.append(timeout_s)
        await asyncio.sleep(min(self.pause_s, timeout_s))
        if self.pause_s > timeout_s:
            raise error_of(TOO_SLOW, timeout_s=timeout_s)
        reply = self.replies.pop(0)
        if isinstance(reply, EndpointError):
            raise reply
        return reply


@dataclass
class Instant:
    """A session whose cells take no time, or as long as they say."""

    timeouts_s: list[float] = field(default_factory=list)
    pause_s: float = 0.0

    async def run(self, code: str, timeout_s: float) -> CellResult:
        self.timeouts_s.append(timeout_s)
        await asyncio.sleep(self.pause_s)
        return CellResult(CellStatus.OK, (Output(OutputKind.RESULT, "1"),), 0.25)

    async def changes(self) -> tuple[FileChange, ...]:
        return ()

    async def interrupt(self) -> None: ...

    async def harvest(self, dest: Path, wanted: Collection[str] = ()) -> Harvest:
        return Harvest()

    async def close(self) -> None: ...


def episode(
    *replies: ModelReply | EndpointError,
    limits: Limits = LIMITS,
    slots: asyncio.Semaphore | None = None,
) -> tuple[Episode, Script, Instant]:
    chat, session = Script(list(replies)), Instant()
    return (
        Episode(
            chat=chat,
            session=session,
            limits=limits,
            listener=Watcher(),
            slots=slots or asyncio.Semaphore(1),
            messages=opening("Do it.", [], chat.spec.action_format, limits),
            tally=AttemptTally(),
            started_s=time.monotonic(),
        ),
        chat,
        session,
    )


async def test_waiting_for_a_slot_is_not_charged() -> None:
    slots = asyncio.Semaphore(1)
    await slots.acquire()
    asyncio.get_running_loop().call_later(2 * LIMITS.attempt_timeout_s, slots.release)
    playing, _, _ = episode(CODE, ANSWER, slots=slots)
    over = await playing.play()
    assert (over.outcome, over.answer) == (Outcome.FINISHED, "Done.")
    assert playing.tally.slot_wait_s > LIMITS.attempt_timeout_s


async def test_an_endpoints_failures_are_not_charged() -> None:
    slow = replace(CODE, lost_s=LIMITS.reply_timeout_s * 20)
    playing, chat, _ = episode(slow, ANSWER)
    assert (await playing.play()).outcome == Outcome.FINISHED
    assert chat.timeouts_s == [LIMITS.reply_timeout_s, LIMITS.reply_timeout_s]
    assert playing.replies_left_s() > LIMITS.replies_timeout_s


async def test_step_notes_what_failed_before_its_reply_and_the_model_does_not_read_it() -> None:
    playing, _, _ = episode(replace(CODE, failed="failed once, at once: It broke."), ANSWER)
    await playing.play()
    first, last = cast(Watcher, playing.listener).steps
    assert first.notes == ("the request failed once, at once: It broke.",)
    assert "It broke." not in str(playing.messages)
    assert last.notes == ()


async def test_step_keeps_a_call_that_cannot_be_read_as_it_came() -> None:
    broken = ModelReply("I look.", tool_calls=(ToolCall("a", "execute_python", '{"code": "1'),))
    playing, chat, _ = episode(broken, ANSWER)
    chat.spec = replace(chat.spec, action_format=ActionFormat.TOOLS)
    await playing.play()
    first, _ = cast(Watcher, playing.listener).steps
    assert first.reply == 'I look.\nexecute_python {"code": "1'


async def test_waiting_for_replies_is_not_charged_to_cells() -> None:
    limits = replace(LIMITS, attempt_timeout_s=1.0)
    playing, chat, session = episode(CODE, CODE, ANSWER, limits=limits)
    chat.pause_s = 0.8  # 2.4 s in all
    assert (await playing.play()).outcome == Outcome.FINISHED
    assert playing.tally.model_s > limits.attempt_timeout_s
    assert playing.left_s() > 0.5
    assert len(session.timeouts_s) == 2


async def test_cells_alone_run_an_attempt_out_of_time() -> None:
    playing, _, session = episode(CODE, ANSWER, limits=replace(LIMITS, attempt_timeout_s=0.3))
    session.pause_s = 0.5
    over = await playing.play()
    assert over.outcome == Outcome.OUT_OF_TIME
    assert over.problem
    assert over.problem.what.startswith("Cells and our own work took 0 s")


async def test_waiting_has_a_limit_per_reply_and_per_attempt() -> None:
    limits = replace(LIMITS, max_turns=9, reply_timeout_s=0.5, attempt_timeout_s=60)
    playing, chat, _ = episode(*[CODE] * 8, ANSWER, limits=limits)
    chat.pause_s = 0.45
    over = await playing.play()
    assert over.outcome == Outcome.ENDPOINT_FAILED
    assert over.outcome.is_void
    assert over.problem
    assert (over.problem.code, over.problem.fault) == ("endpoint_slow", Fault.SUBMITTER)
    assert over.problem.what == "Waiting for the replies of this attempt took 2 s, the limit."
    assert chat.timeouts_s[0] == 0.5
    assert 0 <= chat.timeouts_s[-1] < 0.5


async def test_sums_up_what_was_used() -> None:
    playing, _, _ = episode(CODE, CODE, ANSWER)
    await playing.play()
    assert playing.tally.turns == 3
    assert playing.tally.usage == Usage(prompt_tokens=10, completion_tokens=2)
    assert playing.tally.cell_s == 0.5


async def test_no_cell_is_longer_than_the_attempt() -> None:
    playing, _, session = episode(CODE, ANSWER, limits=replace(LIMITS, attempt_timeout_s=30))
    await playing.play()
    assert all(0 < timeout_s <= 30 for timeout_s in session.timeouts_s)


async def test_a_slow_endpoint_is_not_the_models_doing() -> None:
    playing, _, _ = episode(
        error_of(TOO_SLOW, timeout_s=1), limits=replace(LIMITS, attempt_timeout_s=30)
    )
    over = await playing.play()
    assert over.outcome == Outcome.ENDPOINT_FAILED
    assert over.problem
    assert over.problem.code == "endpoint_timeout"


async def test_episode_stops_before_asking_on_request() -> None:
    playing, chat, _ = episode(ANSWER)
    assert isinstance(playing.listener, Watcher)
    playing.listener.stop.set()
    assert (await playing.play()).outcome == Outcome.CANCELLED
    assert chat.timeouts_s == []
