"""A chat with a person: replies are what was typed on the site, in order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Protocol

from runner.contract import EndpointSpec, TypedReply
from runner.endpoint.errors import EndpointError
from runner.model.prompts import Message
from runner.model.reply import ModelReply
from runner.model.typed_cells import reply_with

LOOK_EVERY_S = 0.5
LATE_S = 1.0  # beyond the time limit, so that it is the attempt's that ends it


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

    async def reply(self, messages: Sequence[Message], timeout_s: float) -> ModelReply:
        """The next typed reply. Raises EndpointError when there is none within `timeout_s`."""
        self.index += 1
        until_s = time.monotonic() + timeout_s + LATE_S
        while (found := await self.replies.typed(self.index)) is None:
            if time.monotonic() > until_s:
                what = "Nothing was typed in time."
                raise EndpointError("endpoint_timeout", what, "Play the task again.", tries=1)
            await asyncio.sleep(LOOK_EVERY_S)
        if found.is_answer:
            return ModelReply(found.text)
        return reply_with(found.text, self.index, self.spec.action_format)[0]
