"""A chat with a person: replies are what was typed on the site, in order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Protocol

from runner.contract import EndpointSpec, Fault, Problem, TypedReply
from runner.episode import OutOfTime
from runner.model.prompts import Message, reply_with
from runner.model.reply import ModelReply

LOOK_EVERY_S = 0.5
NOTHING_TYPED = Problem(
    Fault.MODEL, "out_of_time", "Nothing was typed in time.", "Play the task again."
)


class TypedReplies(Protocol):
    """The door to what was typed for one attempt."""

    async def typed(self, index: int) -> TypedReply | None:
        """The reply with this number, from 1; None until it is typed."""


class HandChat:
    """Waits for a person. A try that follows a lost one gets the same replies again."""

    def __init__(self, spec: EndpointSpec, replies: TypedReplies) -> None:
        self.spec = spec
        self.replies = replies
        self.index = 0
        self.until_s: float | None = None  # end of the session, once it has begun

    async def reply(self, messages: Sequence[Message], timeout_s: float) -> ModelReply:
        """The next typed reply. Raises OutOfTime when there is none in the session's time.

        That is the `timeout_s` of the first reply: a person's patience is part of the play.
        """
        self.index += 1
        self.until_s = self.until_s or time.monotonic() + timeout_s
        while (found := await self.replies.typed(self.index)) is None:
            if time.monotonic() > self.until_s:
                raise OutOfTime(problem=NOTHING_TYPED)
            await asyncio.sleep(LOOK_EVERY_S)
        if found.is_answer:
            return ModelReply(found.text)
        return reply_with(found.text, self.index, self.spec.action_format)[0]
