"""Names of endpoints whose addresses change, or cannot be had for a while, under a run."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from runner.contract import EndpointSpec
from runner.endpoint.client import EndpointClient
from runner.endpoint.errors import EndpointError
from runner.endpoint.guarded_transport import AddressPolicy, GuardedTransport
from runner.endpoint.http import open_http
from runner.tests.support.wire import NAME, OK, Names, Wire, sends, serving

OLD, NEW, PRIVATE = "1.1.1.1", "8.8.8.8", "10.0.0.5"
MESSAGE = {"role": "assistant", "content": "hi"}
CHOICE = {"index": 0, "finish_reason": "stop", "message": MESSAGE}
BODY = json.dumps({"id": "1", "object": "chat.completion", "choices": [CHOICE]}).encode()
LAST = b"Connection: close\r\n"  # so that each reply needs the name again
WHOLE = OK + LAST + b"Content-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
POLICY = AddressPolicy(is_http_allowed=True)


class Answers(Names):
    """As `Names`; an error in the list is raised in its turn."""

    def __init__(self, *answers: Sequence[str] | Exception) -> None:
        self.script = list(answers)
        self.asked = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


@asynccontextmanager
async def calling(names: Answers, *dead: str) -> AsyncIterator[tuple[EndpointClient, Wire]]:
    """The client of one attempt after another: they share its connections and their guard."""
    spec = EndpointSpec(f"http://{NAME}:8080/v1", "m", stream=False)
    async with serving(sends(WHOLE, then_closes=True)) as server:
        wire = Wire(server.port, dead)
        guard = GuardedTransport(POLICY, resolve=names, network=wire)
        async with open_http(guard) as http:
            yield EndpointClient(spec, http, first_pause_s=0.01), wire


async def ask(client: EndpointClient) -> str:
    return (await client.reply([], timeout_s=20.0)).text


async def test_run_goes_on_at_the_new_address_of_its_endpoint() -> None:
    names = Answers([OLD], [OLD], [NEW])
    async with calling(names) as (client, wire):
        assert [await ask(client) for _ in range(4)] == ["hi"] * 4
    assert wire.called == [OLD, OLD, NEW, NEW]


async def test_run_leaves_an_address_that_died_once_the_name_changed() -> None:
    names = Answers([OLD], [OLD], [NEW])
    async with calling(names, OLD) as (client, wire):
        assert await ask(client) == "hi"
    assert wire.called == [OLD, OLD, NEW]


@pytest.mark.parametrize("failure", [OSError("no such name"), TimeoutError()])
async def test_run_outlasts_a_name_service_that_fails_for_a_while(failure: Exception) -> None:
    names = Answers([OLD], failure, failure, [NEW])
    async with calling(names) as (client, wire):
        assert [await ask(client), await ask(client)] == ["hi", "hi"]
    assert wire.called == [OLD, NEW]
    assert len(names.asked) == 4


@pytest.mark.parametrize("answer", [[PRIVATE], [NEW, PRIVATE], ["169.254.169.254"], ["127.0.0.1"]])
async def test_name_that_is_rebound_under_a_run_is_refused_as_that(answer: list[str]) -> None:
    names = Answers([OLD], answer)
    async with calling(names) as (client, wire):
        assert await ask(client) == "hi"
        with pytest.raises(EndpointError) as caught:
            await ask(client)
    assert caught.value.problem.code == "address_not_public"
    assert wire.called == [OLD]
    assert names.asked == [NAME, NAME]  # it is not asked again: that would not help


async def test_run_goes_on_when_a_rebound_name_is_public_again() -> None:
    """The next try of the attempt; nothing of the refusal is kept."""
    names = Answers([PRIVATE], [NEW])
    async with calling(names) as (client, wire):
        with pytest.raises(EndpointError):
            await ask(client)
        assert await ask(client) == "hi"
    assert wire.called == [NEW]
