"""Replies within a ceiling: reserved before they are asked for, charged as counted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from runner.cancellation import Stopped
from runner.contract import Ceiling, EndpointSpec, Usage
from runner.model.prompts import Message
from runner.model.reply import ModelReply
from runner.worker.ceiling import HighMark, RationedChat

FIRST = [{"role": "user", "content": "x" * 300}]


@dataclass
class Purse:
    """A door that answers in turn and remembers what it was asked."""

    answers: list[str] = field(default_factory=list)
    amounts: list[int] = field(default_factory=list)
    charges: list[int] = field(default_factory=list)

    async def reserve(self, amount: int, reply_s: float) -> str:
        self.amounts.append(amount)
        return self.answers.pop(0) if self.answers else "granted"

    def owe(self, charge: int) -> None:
        self.charges.append(charge)


@dataclass
class Chat:
    usage: Usage
    spec: EndpointSpec
    asked: int = 0

    async def reply(self, messages: Sequence[Message], timeout_s: float) -> ModelReply:
        self.asked += 1
        return ModelReply(text="y" * 30, usage=self.usage)


COUNTED = Usage(100, 50)


def ration(
    purse: Purse, usage: Usage = COUNTED, ceiling: Ceiling | None = None, **spec: int
) -> RationedChat:
    chat = Chat(usage, EndpointSpec("http://127.0.0.1:9/v1", "m", **spec))  # type: ignore[arg-type]
    return RationedChat(chat, ceiling or Ceiling(), purse, HighMark())


def test_reserve_is_the_prompt_and_the_limit_of_a_reply() -> None:
    purse = Purse()
    asyncio.run(ration(purse, max_tokens=700).reply(FIRST, 1.0))
    assert purse.amounts == [8 + 100 + 700]
    assert purse.charges == [150]


def test_next_reserve_builds_on_what_the_endpoint_counted_and_the_longest_reply() -> None:
    purse = Purse()
    chat = ration(purse, Usage(100, 2_500))
    asyncio.run(chat.reply(FIRST, 1.0))
    asyncio.run(chat.reply([*FIRST, {"role": "user", "content": "z" * 30}], 1.0))
    assert purse.amounts == [8 + 100 + 1_000, 100 + 8 + 10 + 2_500]


@pytest.mark.parametrize("usage", [Usage(), Usage(0, 0)], ids=["untold", "zeros"])
def test_uncounted_reply_is_charged_by_its_length(usage: Usage) -> None:
    purse = Purse()
    asyncio.run(ration(purse, usage).reply(FIRST, 1.0))
    assert purse.charges == [8 + 100 + 10]


def test_money_is_reserved_and_charged_at_its_prices_rounded_up() -> None:
    purse = Purse()
    chat = ration(purse, Usage(100, 50), Ceiling(0.15, 0.6), max_tokens=10)
    asyncio.run(chat.reply(FIRST, 1.0))
    assert purse.amounts == [23]  # 108 × 0.15 + 10 × 0.6 = 22.2
    assert purse.charges == [45]


def test_endpoint_is_not_asked_at_the_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.worker.ceiling.LOOK_AGAIN_S", 0.0)
    purse = Purse(["wait", "wait", "stop"])
    chat = ration(purse)
    with pytest.raises(Stopped):
        asyncio.run(chat.reply(FIRST, 1.0))
    assert (len(purse.amounts), purse.charges) == (3, [])
    assert chat.chat.asked == 0  # type: ignore[attr-defined]


def test_wait_for_room_is_not_charged_to_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.worker.ceiling.LOOK_AGAIN_S", 0.05)
    reply = asyncio.run(ration(Purse(["wait", "wait"])).reply(FIRST, 1.0))
    assert reply.lost_s >= 0.1


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_limit_among_the_extra_fields_counts(name: str) -> None:
    purse = Purse()
    spec = EndpointSpec("http://127.0.0.1:9/v1", "m", extra_body={name: 64})
    chat = RationedChat(Chat(Usage(1, 1), spec), Ceiling(), purse, HighMark())
    asyncio.run(chat.reply(FIRST, 1.0))
    assert purse.amounts == [8 + 100 + 64]
