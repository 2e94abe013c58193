"""Large replies are decoded by another process; small ones here, to the same end."""

from __future__ import annotations

import json
import pickle
from collections.abc import AsyncIterator

import httpx2
import pytest

from runner.contract import EndpointSpec
from runner.endpoint.client import EndpointClient
from runner.endpoint.completion import ReplyDraft
from runner.endpoint.errors import EndpointError
from runner.endpoint.payloads import (
    LARGE_BYTES,
    ErrorInside,
    NotJson,
    add_payload,
    decode_values,
    read_names,
)
from runner.reading.readers import readers

SPEC = EndpointSpec("http://127.0.0.1:9/v1", "m")
LONG = "a" * LARGE_BYTES


def completion(text: str) -> bytes:
    choice = {"index": 0, "message": {"content": text}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 3}}).encode()


@pytest.fixture
async def endpoint(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[EndpointClient]:
    """An endpoint whose process decodes nothing that is large."""

    def only_small(data: bytes) -> list[object]:
        assert len(data) <= LARGE_BYTES
        return decode_values(data)

    monkeypatch.setattr("runner.endpoint.payloads.decode_values", only_small)
    async with httpx2.AsyncClient() as http:
        yield EndpointClient(SPEC, http)


@pytest.mark.parametrize("text", ["short", LONG, "中" * LARGE_BYTES, "\ud800" + LONG])
async def test_text_arrives_whole_whatever_its_size(endpoint: EndpointClient, text: str) -> None:
    draft = await endpoint.take_in(ReplyDraft(), completion(text))
    reply = draft.reply()
    assert reply.text == text.replace("\ud800", "\ufffd")
    assert reply.finish_reason == "stop"
    assert reply.usage.prompt_tokens == 3


async def test_large_event_adds_to_what_came_before(endpoint: EndpointClient) -> None:
    draft = await endpoint.take_in(ReplyDraft(), completion("before "))
    draft = await endpoint.take_in(draft, completion(LONG))
    assert draft.reply().text == f"before {LONG}"


async def test_large_event_is_read_without_what_came_before(endpoint: EndpointClient) -> None:
    sent: list[int] = []

    async def measure(*arguments: object) -> ReplyDraft:
        sent.append(len(pickle.dumps(arguments)))
        return ReplyDraft(text=["b"])

    draft = ReplyDraft()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers(), "read", measure)
        for _ in range(3):
            draft = await endpoint.take_in(draft, completion(LONG))
            draft.text.append(LONG)
    assert sent[2] == sent[0]
    assert draft.reply().text == f"b{LONG}" * 3


def call_chunk(index: int | None, identity: str, arguments: str) -> bytes:
    call = {"index": index, "id": identity, "function": {"name": "f", "arguments": arguments}}
    return json.dumps({"choices": [{"delta": {"tool_calls": [call]}}]}).encode()


@pytest.mark.parametrize("index", [0, None])
async def test_large_piece_of_a_call_joins_its_call(
    endpoint: EndpointClient, index: int | None
) -> None:
    draft = ReplyDraft()
    for piece in (call_chunk(index, "c1", "a"), call_chunk(index, "", LONG)):
        draft = await endpoint.take_in(draft, piece)
    (call,) = draft.reply().tool_calls
    assert (call.id, call.arguments) == ("c1", f"a{LONG}")


@pytest.mark.parametrize("padding", ["", " " * LARGE_BYTES])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("<html>", "endpoint_html"),
        ("[1]", "endpoint_not_json"),
        ('{"a":', "endpoint_not_json"),
        ("[" * 100_000, "endpoint_not_json"),
        ('{"error": {"message": "Slow down", "code": 429}}', "endpoint_rate_limited"),
        (
            '{"base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}',
            "endpoint_no_quota",
        ),
        ('{"error_code": 336103, "error_msg": "Prompt too long"}', "endpoint_context_full"),
        (
            '{"Response": {"Error": {"Message": "The model x does not exist"}}}',
            "endpoint_unknown_model",
        ),
    ],
)
async def test_non_replies_are_reported_alike(
    endpoint: EndpointClient, padding: str, body: str, code: str
) -> None:
    with pytest.raises(EndpointError) as caught:
        await endpoint.take_in(ReplyDraft(), (body + padding).encode())
    assert caught.value.problem.code == code


def test_error_inside_a_payload_is_raised() -> None:
    with pytest.raises(ErrorInside) as caught:
        add_payload(ReplyDraft(), b'{"error": {"message": "no", "code": "x"}}')
    assert caught.value.said.message == "no"
    assert caught.value.code == 0
    with pytest.raises(NotJson):
        add_payload(ReplyDraft(), b"")


def test_names_of_models_are_read(subtests: pytest.Subtests) -> None:
    for body, names in [
        ({"data": [{"id": "a"}, {"id": 3}]}, {"a", "3"}),
        ({"data": []}, None),
        ({"data": {"id": "a"}}, None),
        ([], None),
        ({"data": [{"name": "a"}]}, None),
    ]:
        with subtests.test(body=body, names=names):
            assert read_names(json.dumps(body).encode()) == names
