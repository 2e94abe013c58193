"""What an endpoint is asked and how its reply is read, over real connections."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from runner.contract import ActionFormat, Usage
from runner.reply import END, ModelReply, ToolCall
from runner.tests import misbehaving as bad
from runner.tests.asking import ASKED, GOOD, KEY, ask, endpoint
from runner.tests.misbehaving import misbehaving


async def test_reads_a_streamed_reply() -> None:
    with misbehaving(GOOD) as server:
        reply = await ask(server)
    assert replace(reply, lost_s=0.0) == ModelReply(
        text="Hello there", finish_reason="stop", usage=Usage(prompt_tokens=7, completion_tokens=3)
    )
    assert server.bodies == [
        {
            "model": "some-model",
            "messages": ASKED,
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0.0,
        }
    ]


async def test_reads_a_whole_reply_with_every_count() -> None:
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 6},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    message = {"content": "Fine", "reasoning_content": "Hm."}
    with misbehaving(bad.completion(message, usage=usage)) as server:
        reply = await ask(server, stream=False, top_p=0.5, max_tokens=99, temperature=None)
    assert (reply.text, reply.reasoning) == ("Fine", "Hm.")
    assert reply.usage == Usage(10, 4, 6, 2)
    body = server.bodies[0]
    assert (body["stream"], body["top_p"], body["max_tokens"]) == (False, 0.5, 99)
    assert "temperature" not in body
    assert "stream_options" not in body


async def test_says_nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "our-organisation")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "our-project")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Ours: secret")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with misbehaving(GOOD) as server:
        await ask(server)
    assert set(server.headers[0]) <= {
        "host", "connection", "accept", "accept-encoding", "user-agent", "content-type",
        "content-length", "authorization",
    }  # fmt: skip
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_stops_at_the_end_marker() -> None:
    with misbehaving(GOOD) as server:
        await ask(server, action_format=ActionFormat.MARKERS)
    assert server.bodies[0]["stop"] == [END]


async def test_offers_the_tool_and_joins_its_pieces() -> None:
    pieces = [
        {"index": 0, "id": "a", "function": {"name": "execute_python", "arguments": '{"co'}},
        {"index": 0, "function": {"arguments": 'de": "1"}'}},
        {"index": 1, "function": {"name": "execute_python", "arguments": "{}"}},
    ]
    chunks = [bad.chunk({"tool_calls": [piece]}) for piece in pieces]
    with misbehaving(bad.stream(*chunks, bad.chunk({}, "tool_calls"), bad.DONE)) as server:
        reply = await ask(server, action_format=ActionFormat.TOOLS)
    assert server.bodies[0]["tools"][0]["function"]["name"] == "execute_python"
    assert reply.tool_calls == (
        ToolCall("a", "execute_python", '{"code": "1"}'),
        ToolCall("call_2", "execute_python", "{}"),
    )


async def test_tool_calls_without_index_are_told_apart() -> None:
    call = {"function": {"name": "execute_python", "arguments": {"code": "1"}}}
    message = {"content": None, "tool_calls": [{"id": "x", **call}, {"id": "x", **call}]}
    with misbehaving(bad.completion(message)) as server:
        reply = await ask(server, action_format=ActionFormat.TOOLS)
    assert reply.tool_calls == (
        ToolCall("x", "execute_python", '{"code": "1"}'),
        ToolCall("call_2", "execute_python", '{"code": "1"}'),
    )


async def test_a_json_answer_to_a_stream_request_is_read() -> None:
    with misbehaving(bad.completion("Whole")) as server:
        assert (await ask(server)).text == "Whole"


async def test_a_stream_that_says_it_is_text_is_read() -> None:
    body = bad.chunk({"content": "a"}) + bad.chunk({}, "stop") + bad.DONE
    with misbehaving(bad.raw(200, "text/plain", body)) as server:
        assert (await ask(server)).text == "a"


async def test_a_stream_without_done_but_with_an_end_is_whole() -> None:
    answer = bad.stream(bad.chunk({"content": "a"}), bad.chunk({}, "stop"), ends=False)
    with misbehaving(answer) as server:
        assert (await ask(server)).text == "a"


async def test_a_stream_that_stays_open_after_done_is_whole() -> None:
    def answer(handler: bad.Handler) -> None:
        handler.begin_stream()
        handler.send_chunk(bad.chunk({"content": "a"}, "stop") + bad.DONE)
        handler.server.let_go.wait(30)
        handler.close_connection = True

    with misbehaving(answer) as server:
        assert (await ask(server)).text == "a"


async def test_a_connection_is_used_again() -> None:
    with misbehaving(GOOD) as server:
        async with endpoint(server.base_url) as chat:
            for _ in range(3):
                await chat.reply(ASKED, 20)
    assert len(server.connections) == 1


async def test_text_survives_odd_chunk_borders() -> None:
    whole = bad.chunk({"content": "Grüße\u2028你好 \U0001f600"}, "stop").replace(
        b"\\u2028", "\u2028".encode()
    )
    pieces = [whole[i : i + 3] for i in range(0, len(whole), 3)]
    with misbehaving(bad.stream(*pieces, bad.DONE)) as server:
        assert (await ask(server)).text == "Grüße\u2028你好 \U0001f600"


async def test_half_surrogates_become_text_that_can_be_sent_back() -> None:
    chunks = [rb'data: {"choices":[{"delta":{"content":"\ud83d"}}]}' + b"\n\n"]
    chunks += [rb'data: {"choices":[{"delta":{"content":"\ude00 \ud800"}}]}' + b"\n\n"]
    with misbehaving(bad.stream(*chunks, bad.DONE)) as server:
        assert (await ask(server)).text == "\U0001f600 �"


async def test_does_without_usage_where_it_cannot_be_asked_for() -> None:
    picky = bad.status(422, f"{'blah ' * 200}: unknown field: stream_options")
    with misbehaving(picky, GOOD) as server:
        async with endpoint(server.base_url) as chat:
            for _ in range(2):
                await chat.reply(ASKED, 20)
    assert ["stream_options" in body for body in server.bodies] == [True, False, False]


async def test_does_without_usage_though_asked_twice_at_once() -> None:
    arrived = threading.Barrier(2)

    def picky(handler: bad.Handler) -> None:
        arrived.wait(10)
        bad.status(400, "Unknown field: stream_options")(handler)

    with misbehaving(picky, picky, GOOD) as server:
        async with endpoint(server.base_url) as chat:
            replies = await asyncio.gather(*(chat.reply(ASKED, 20) for _ in range(2)))
    assert [reply.text for reply in replies] == ["Hello there"] * 2


async def test_uses_the_newer_name_of_the_token_limit_where_told_to() -> None:
    picky = bad.status(400, "'max_tokens' is not supported, use 'max_completion_tokens'.")
    with misbehaving(picky, GOOD) as server:
        await ask(server, max_tokens=50)
    assert "max_tokens" not in server.bodies[1]
    assert server.bodies[1]["max_completion_tokens"] == 50


async def test_unknown_counts_stay_unknown() -> None:
    usage = {"prompt_tokens": -1, "completion_tokens": 10**30, "prompt_tokens_details": "many"}
    with misbehaving(bad.completion("a", usage=usage)) as server:
        assert (await ask(server, stream=False)).usage == Usage()


async def test_a_repeated_key_is_taken_out_of_the_reply() -> None:
    with misbehaving(bad.completion(f"Your key is {KEY}!")) as server:
        assert (await ask(server)).text == "Your key is [key]!"
    call = {"id": "a", "function": {"name": "execute_python", "arguments": f'{{"code": "{KEY}"}}'}}
    with misbehaving(bad.completion({"content": "", "tool_calls": [call]})) as server:
        assert KEY not in repr(await ask(server, action_format=ActionFormat.TOOLS))
