"""Replies within a run's ceiling: each is asked for once what it may take is reserved."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from runner.cancellation import Stopped
from runner.contract import Ceiling, EndpointSpec, Usage
from runner.episode import Chat
from runner.model.prompts import Message
from runner.model.reply import ModelReply

FIRST_REPLY_TOKENS = 1_000  # where no limit is set and no reply was seen
BYTES_PER_TOKEN = 3  # fewer than most texts have: an estimate is rather too high
MESSAGE_TOKENS = 8  # for the role and the ends of each message
LOOK_AGAIN_S = 0.5  # while other replies hold what is left
GRANTED, STOP = "granted", "stop"


class Purse(Protocol):
    """The door to the run's ceiling for one attempt."""

    async def reserve(self, amount: int, reply_s: float) -> str:
        """Reserve for one reply: granted, wait or stop."""

    def owe(self, charge: int) -> None:
        """Note what the reply took; it is recorded with its step."""


@dataclass
class HighMark:
    """The longest reply of a run so far, in tokens."""

    tokens: int = 0

    def note(self, tokens: int) -> None:
        self.tokens = max(self.tokens, tokens)


class RationedChat:
    """A chat that asks for a reply once its reserve fits under the run's ceiling."""

    def __init__(self, chat: Chat, ceiling: Ceiling, purse: Purse, mark: HighMark) -> None:
        self.chat = chat
        self.spec: EndpointSpec = chat.spec
        self.ceiling = ceiling
        self.purse = purse
        self.mark = mark
        self.seen = 0  # messages of which the endpoint counted the tokens
        self.seen_tokens = 0

    async def reply(self, messages: Sequence[Message], timeout_s: float) -> ModelReply:
        """The next reply. Raises Stopped at the ceiling, EndpointError as the chat does."""
        prompt = self.estimate_prompt(messages)
        started_s = time.monotonic()
        amount = self.ceiling.price(prompt, self.most_completion())
        while (answer := await self.purse.reserve(amount, timeout_s)) != GRANTED:
            if answer == STOP:
                raise Stopped
            await asyncio.sleep(LOOK_AGAIN_S)
        waited_s = time.monotonic() - started_s
        reply = await self.chat.reply(messages, timeout_s)
        sent, said = self.count(prompt, reply)
        self.seen, self.seen_tokens = len(messages), sent
        self.mark.note(said)
        self.purse.owe(self.ceiling.price(sent, said))
        return replace(reply, lost_s=reply.lost_s + waited_s)

    def estimate_prompt(self, messages: Sequence[Message]) -> int:
        """Tokens of the request: those that the endpoint counted last time, and the rest."""
        return self.seen_tokens + sum(map(estimate_message, messages[self.seen :]))

    def most_completion(self) -> int:
        """Tokens that the reply may take at most, or as many as the longest one so far."""
        limit = self.spec.max_tokens or limit_in(self.spec.extra_body)
        return limit or max(FIRST_REPLY_TOKENS, self.mark.tokens)

    def count(self, prompt: int, reply: ModelReply) -> tuple[int, int]:
        """Tokens sent and said, as the endpoint counts them.

        Estimated where it does not, or says 0 of a text, as servers do that count nothing.
        """
        usage: Usage = reply.usage
        text = reply.text + reply.reasoning + "".join(c.arguments for c in reply.tool_calls)
        return usage.prompt_tokens or prompt, usage.completion_tokens or estimate_text(text)


def limit_in(extra_body: Any) -> int:
    """The limit of tokens per reply among the extra request fields; 0 for none."""
    for name in ("max_completion_tokens", "max_tokens"):
        value = extra_body.get(name)
        if isinstance(value, int) and value > 0:
            return value
    return 0


def estimate_message(message: Message) -> int:
    return MESSAGE_TOKENS + estimate_text(str(message.get("content") or ""))


def estimate_text(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)
