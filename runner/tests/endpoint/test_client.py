"""Requests to an endpoint and the reading of its replies, over real connections."""

from __future__ import annotations

import asyncio
import codecs
import json
import threading
from dataclasses import replace
from typing import Any

import pytest

from runner.contract import ActionFormat, ReplyProgress, Usage
from runner.endpoint.errors import EndpointError
from runner.model.code_blocks import END
from runner.model.reply import ModelReply, ToolCall, read
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_client import ASKED, GOOD, KEY, ask, endpoint
from runner.tests.support.endpoint_server import misbehaving


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
        }
    ]


async def test_says_how_much_of_a_stream_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.endpoint.client.PROGRESS_EVERY_S", 0.0)
    heard: list[ReplyProgress] = []
    with misbehaving(GOOD) as server:
        async with endpoint(server.base_url) as client:
            client.on_progress = heard.append
            await client.reply(ASKED, 20.0)
    chars = [progress.chars for progress in heard]
    assert chars[0] == 0
    assert chars == sorted(chars)
    assert chars[-1] == len("Hello there")


async def test_reads_a_whole_reply_with_every_count() -> None:
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 6},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    message = {"content": "Fine", "reasoning_content": "Hm."}
    with misbehaving(endpoint_server.completion(message, usage=usage)) as server:
        reply = await ask(server, stream=False, top_p=0.5, max_tokens=99, temperature=None)
    assert (reply.text, reply.reasoning) == ("Fine", "Hm.")
    assert reply.usage == Usage(10, 4, 6, 2)
    body = server.bodies[0]
    assert (body["stream"], body["top_p"], body["max_tokens"]) == (False, 0.5, 99)
    assert "temperature" not in body
    assert "stream_options" not in body


THOUGHTS: list[dict[str, Any]] = [
    {"content": "Fine", "reasoning": "Hm."},
    {"content": "Fine", "thinking": "Hm."},
    {"content": "Fine", "reasoning_details": [{"type": "reasoning.text", "text": "Hm."}]},
    {"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Fine"}]},
    {
        "content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
            {"type": "text", "text": "Fine"},
        ]
    },
]


async def test_reads_reasoning_wherever_servers_put_it(subtests: pytest.Subtests) -> None:
    for message in THOUGHTS:
        for stream in [True, False]:
            with subtests.test(message=message, stream=stream):
                whole = endpoint_server.completion(message)
                pieces = endpoint_server.stream(
                    endpoint_server.chunk(message), endpoint_server.chunk({}, "stop")
                )
                with misbehaving(pieces if stream else whole) as server:
                    reply = await ask(server, stream=stream)
                assert (reply.text, reply.reasoning) == ("Fine", "Hm.")


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
async def test_knows_a_reply_that_the_length_limit_cut(reason: str) -> None:
    with misbehaving(endpoint_server.completion("Fine", reason)) as server:
        assert (await ask(server)).is_cut


@pytest.mark.parametrize("reason", ["content_filter", "SAFETY", "sensitive"])
async def test_knows_a_reply_that_a_filter_cut(reason: str) -> None:
    with misbehaving(endpoint_server.completion("", reason)) as server:
        assert (await ask(server)).is_filtered


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
    chunks = [endpoint_server.chunk({"tool_calls": [piece]}) for piece in pieces]
    with misbehaving(
        endpoint_server.stream(
            *chunks, endpoint_server.chunk({}, "tool_calls"), endpoint_server.DONE
        )
    ) as server:
        reply = await ask(server, action_format=ActionFormat.TOOLS)
    assert server.bodies[0]["tools"][0]["function"]["name"] == "execute_python"
    assert reply.tool_calls == (
        ToolCall("a", "execute_python", '{"code": "1"}'),
        ToolCall("call_2", "execute_python", "{}"),
    )


async def test_tool_calls_without_index_stay_separate() -> None:
    call = {"function": {"name": "execute_python", "arguments": {"code": "1"}}}
    message = {"content": None, "tool_calls": [{"id": "x", **call}, {"id": "x", **call}]}
    with misbehaving(endpoint_server.completion(message)) as server:
        reply = await ask(server, action_format=ActionFormat.TOOLS)
    assert reply.tool_calls == (
        ToolCall("x", "execute_python", '{"code": "1"}'),
        ToolCall("call_2", "execute_python", '{"code": "1"}'),
    )


async def test_whole_message_behind_its_pieces_repeats_no_call() -> None:
    call = {"index": 0, "id": "a", "function": {"name": "execute_python", "arguments": ONE}}
    last = {"index": 0, "message": {"content": "x", "tool_calls": [call]}, "finish_reason": "stop"}
    chunks = [
        endpoint_server.chunk({"content": "x"}),
        endpoint_server.chunk({"tool_calls": [call]}),
    ]
    whole = b"data: " + json.dumps({"choices": [last]}).encode() + b"\n\n"
    for pieces, calls in ((chunks, 1), (chunks[:1], 1)):
        with misbehaving(endpoint_server.stream(*pieces, whole, endpoint_server.DONE)) as server:
            reply = await ask(server, action_format=ActionFormat.TOOLS)
        assert (reply.text, len(reply.tool_calls)) == ("x", calls)
        assert reply.tool_calls[0].arguments == ONE


async def test_content_that_is_one_part_is_read() -> None:
    part = {"type": "text", "text": "Hello there"}
    with misbehaving(endpoint_server.completion({"content": part})) as server:
        assert (await ask(server, stream=False)).text == "Hello there"


ONE, TWO = '{"code": "1"}', '{"code": "2"}'


def piece(arguments: str, name: str | None = "execute_python", **more: object) -> dict[str, object]:
    return {"index": 0, "function": {"name": name, "arguments": arguments}, **more}


# Pieces of calls as some servers send them, and the arguments of the calls that they make.
PIECES: dict[str, tuple[list[object], list[str]]] = {
    "one index for two": ([[piece(ONE, id="a")], [piece(TWO, id="b")]], [ONE, TWO]),
    "one index for two in pieces": (
        [
            [piece("", id="a")], [piece(ONE[:5], None)], [piece(ONE[5:], None)],
            [piece("", id="b")], [piece(TWO[:5], None)], [piece(TWO[5:], None)],
        ],
        [ONE, TWO],
    ),
    "one index for two in one event": ([[piece(ONE, id="a"), piece(TWO, id="b")]], [ONE, TWO]),
    "a name with each piece": (
        [[piece("", id="a")], [piece(ONE[:5], id="a")], [piece(ONE[5:], id="a")]], [ONE],
    ),
    "a name with each piece, without ids": ([[piece(ONE[:5])], [piece(ONE[5:])]], [ONE]),
    "a name and an id of its own with each piece": (
        [[piece(ONE[:5], id="a")], [piece(ONE[5:], id="b")]], [ONE],
    ),
    "a name at the end again": ([[piece(ONE, id="a")], [piece("", id="a")]], [ONE]),
    "a name in pieces": ([[piece("", "execute_")], [piece(ONE, "python")]], [ONE]),
    "no list": ([piece(ONE, id="a")], [ONE]),
    "indexes as text": (
        [
            [piece("", id="a", index="0")], [piece(ONE, None, index="0")],
            [piece("", id="b", index="1")], [piece(TWO, None, index="1")],
        ],
        [ONE, TWO],
    ),
    "no object of its own": (
        [[{"index": 0, "id": "a", "name": "execute_python", "arguments": ONE}]], [ONE],
    ),
    "a name in Gemma's space of names": ([[piece(ONE, "default_api.execute_python")]], [ONE]),
    "a call of nothing": ([[piece("", ""), {"index": 1, "function": None}]], []),
}  # fmt: skip


async def test_calls_are_joined_of_pieces_as_servers_send_them(subtests: pytest.Subtests) -> None:
    for name, (pieces, arguments) in PIECES.items():
        with subtests.test(name):
            chunks = [endpoint_server.chunk({"tool_calls": one}) for one in pieces]
            end = endpoint_server.chunk({"content": "a"}, "tool_calls")
            with misbehaving(endpoint_server.stream(*chunks, end, endpoint_server.DONE)) as server:
                reply = await ask(server, action_format=ActionFormat.TOOLS)
            assert [(c.name, c.arguments) for c in reply.tool_calls] == [
                ("execute_python", one) for one in arguments
            ]


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_call_in_the_older_field_is_read(is_streamed: bool) -> None:
    if is_streamed:
        head = {"name": "execute_python", "arguments": ""}
        deltas = (head, {"arguments": ONE[:5]}, {"arguments": ONE[5:]})
        chunks = [endpoint_server.chunk({"function_call": one}) for one in deltas]
        answer = endpoint_server.stream(*chunks, endpoint_server.chunk({}, "function_call"))
    else:
        call = {"name": "execute_python", "arguments": ONE}
        answer = endpoint_server.completion({"content": None, "function_call": call})
    with misbehaving(answer) as server:
        reply = await ask(server, stream=is_streamed, action_format=ActionFormat.TOOLS)
    assert reply.tool_calls == (ToolCall("call_1", "execute_python", ONE),)


CUSTOM = {"name": "execute_python", "input": "print(1)"}
TOOL_USE = {"type": "tool_use", "id": "a", "name": "execute_python", "input": {"code": "print(1)"}}
FOREIGN: dict[str, list[dict[str, Any]]] = {
    "custom": [{"tool_calls": [{"id": "a", "type": "custom", "custom": CUSTOM}]}],
    "custom in pieces": [
        {"tool_calls": [{"index": 0, "id": "a", "custom": {**CUSTOM, "input": "pri"}}]},
        {"tool_calls": [{"index": 0, "custom": {"input": "nt(1)"}}]},
    ],
    "a part of the content": [{"content": [{"type": "text", "text": "I look."}, TOOL_USE]}],
}


@pytest.mark.parametrize("form", FOREIGN)
async def test_call_of_another_protocol_is_run(form: str) -> None:
    deltas = FOREIGN[form]
    answers = [endpoint_server.stream(*map(endpoint_server.chunk, deltas), endpoint_server.DONE)]
    if len(deltas) == 1:
        answers.append(endpoint_server.completion({"content": None, **deltas[0]}))
    for is_streamed, answer in zip((True, False), answers, strict=False):
        with misbehaving(answer) as server:
            reply = await ask(server, stream=is_streamed, action_format=ActionFormat.TOOLS)
        action = read(reply, ActionFormat.TOOLS)
        assert (action.code, action.run_call) == ("print(1)", "a")


async def test_call_in_both_fields_is_one() -> None:
    call = {"name": "execute_python", "arguments": ONE}
    message = {"tool_calls": [{"id": "a", "function": call}], "function_call": call}
    with misbehaving(endpoint_server.completion(message)) as server:
        reply = await ask(server, action_format=ActionFormat.TOOLS)
    assert reply.tool_calls == (ToolCall("a", "execute_python", ONE),)


async def test_name_of_a_tool_is_read_without_what_a_server_left(subtests: pytest.Subtests) -> None:
    for name, plain in [
        ("execute_python<|channel|>commentary", "execute_python"),
        ("execute_python<|constrain|>json", "execute_python"),
        ("functions.execute_python<|channel|>commentary", "execute_python"),
        ("functions.execute_python:0", "execute_python"),
        ("functions.execute_python", "execute_python"),
        (" execute_python\n", "execute_python"),
        ("execute_python<｜tool▁sep｜>", "execute_python"),
        ("python<|channel|>analysis", "python"),
        ("execute python", "execute python"),
        ("search", "search"),
    ]:
        with subtests.test(name=name, plain=plain):
            message = {"tool_calls": [{"id": "a", "function": {"name": name, "arguments": ONE}}]}
            with misbehaving(endpoint_server.completion(message)) as server:
                reply = await ask(server, action_format=ActionFormat.TOOLS)
            assert reply.tool_calls == (ToolCall("a", plain, ONE),)


async def test_a_json_answer_to_a_stream_request_is_read() -> None:
    with misbehaving(endpoint_server.completion("Whole")) as server:
        assert (await ask(server)).text == "Whole"


async def test_a_stream_that_says_it_is_text_is_read() -> None:
    body = (
        endpoint_server.chunk({"content": "a"})
        + endpoint_server.chunk({}, "stop")
        + endpoint_server.DONE
    )
    with misbehaving(endpoint_server.raw(200, "text/plain", body)) as server:
        assert (await ask(server)).text == "a"


async def test_a_stream_without_done_but_with_an_end_is_whole() -> None:
    answer = endpoint_server.stream(
        endpoint_server.chunk({"content": "a"}), endpoint_server.chunk({}, "stop"), ends=False
    )
    with misbehaving(answer) as server:
        assert (await ask(server)).text == "a"


async def test_a_stream_that_stays_open_after_done_is_whole() -> None:
    def answer(handler: endpoint_server.Handler) -> None:
        handler.begin_stream()
        handler.send_chunk(endpoint_server.chunk({"content": "a"}, "stop") + endpoint_server.DONE)
        handler.server.let_go.wait(30)
        handler.close_connection = True

    with misbehaving(answer) as server:
        assert (await ask(server)).text == "a"


@pytest.mark.parametrize("line_end", [b"\r", b"\r\n", b"\n"])
async def test_a_stream_may_end_its_lines_in_each_way_and_begin_with_a_mark(
    line_end: bytes,
) -> None:
    pieces = (
        endpoint_server.chunk({"content": "a"}),
        endpoint_server.chunk({"content": "b"}, "stop"),
    )
    whole = codecs.BOM_UTF8 + b"".join(pieces).replace(b"\n", line_end)
    for size in (1, 7, 4096):
        cut = [whole[at : at + size] for at in range(0, len(whole), size)]
        with misbehaving(endpoint_server.stream(*cut)) as server:
            assert (await ask(server)).text == "ab"


SPLIT = (
    b'event: chunk\ndata: {"choices": [{"delta": {"content": "a"}}\n: a comment\n'
    b"data:\ndata: ]}\nid: 7\n\n"
    b'data: {"choices": [\ndata: {"delta": {"content": "b"},\ndata: "finish_reason": "stop"}]}\n\n'
)


async def test_data_of_an_event_in_several_lines_is_joined(subtests: pytest.Subtests) -> None:
    for line_end in [b"\r", b"\r\n", b"\n"]:
        for size in [1, 7, 4096]:
            with subtests.test(line_end=line_end, size=size):
                whole = SPLIT.replace(b"\n", line_end)
                pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
                with misbehaving(endpoint_server.stream(*pieces, endpoint_server.DONE)) as server:
                    assert (await ask(server)).text == "ab"
                with misbehaving(endpoint_server.raw(200, "text/plain", whole)) as server:
                    assert (await ask(server)).text == "ab"


@pytest.mark.parametrize("ends", [True, False])
async def test_events_without_empty_lines_between_them_are_read(ends: bool) -> None:
    whole = endpoint_server.chunk({"content": "a"}) + endpoint_server.chunk(
        {"content": "b"}, "stop"
    )
    pieces = (whole.replace(b"\n\n", b"\n"), *([b"data: [DONE]\n"] if ends else []))
    with misbehaving(endpoint_server.stream(*pieces)) as server:
        assert (await ask(server)).text == "ab"


async def test_event_that_is_no_json_when_joined_is_told() -> None:
    broken = b'data: {"choices": [\ndata: nonsense\n\n'
    answer = endpoint_server.stream(broken, endpoint_server.DONE)
    with misbehaving(answer) as server, pytest.raises(EndpointError) as caught:
        await ask(server)
    assert caught.value.problem.code == "endpoint_not_json"


async def test_a_connection_is_used_again() -> None:
    with misbehaving(GOOD) as server:
        async with endpoint(server.base_url) as chat:
            for _ in range(3):
                await chat.reply(ASKED, 20)
    assert len(server.connections) == 1


async def test_text_survives_odd_chunk_borders() -> None:
    whole = endpoint_server.chunk({"content": "Grüße\u2028你好 \U0001f600"}, "stop").replace(
        b"\\u2028", "\u2028".encode()
    )
    pieces = [whole[i : i + 3] for i in range(0, len(whole), 3)]
    with misbehaving(endpoint_server.stream(*pieces, endpoint_server.DONE)) as server:
        assert (await ask(server)).text == "Grüße\u2028你好 \U0001f600"


async def test_half_surrogates_become_text_that_can_be_sent_back() -> None:
    chunks = [rb'data: {"choices":[{"delta":{"content":"\ud83d"}}]}' + b"\n\n"]
    chunks += [rb'data: {"choices":[{"delta":{"content":"\ude00 \ud800"}}]}' + b"\n\n"]
    with misbehaving(endpoint_server.stream(*chunks, endpoint_server.DONE)) as server:
        assert (await ask(server)).text == "\U0001f600 �"


async def test_does_without_usage_where_it_cannot_be_asked_for() -> None:
    picky = endpoint_server.status(422, f"{'blah ' * 200}: unknown field: stream_options")
    with misbehaving(picky, GOOD) as server:
        async with endpoint(server.base_url) as chat:
            for _ in range(2):
                await chat.reply(ASKED, 20)
    assert ["stream_options" in body for body in server.bodies] == [True, False, False]


async def test_does_without_usage_though_asked_twice_at_once() -> None:
    arrived = threading.Barrier(2)

    def picky(handler: endpoint_server.Handler) -> None:
        arrived.wait(60)
        endpoint_server.status(400, "Unknown field: stream_options")(handler)

    with misbehaving(picky, picky, GOOD) as server:
        async with endpoint(server.base_url) as chat:
            replies = await asyncio.gather(*(chat.reply(ASKED, 20) for _ in range(2)))
    assert [reply.text for reply in replies] == ["Hello there"] * 2


async def test_client_uses_the_newer_token_limit_name_on_request() -> None:
    picky = endpoint_server.status(
        400, "'max_tokens' is not supported, use 'max_completion_tokens'."
    )
    with misbehaving(picky, GOOD) as server:
        await ask(server, max_tokens=50)
    assert "max_tokens" not in server.bodies[1]
    assert server.bodies[1]["max_completion_tokens"] == 50


async def test_unknown_counts_stay_unknown() -> None:
    for many in (10**30, 10**12, 20_000_000):  # one such claim would stop a run at any ceiling
        usage = {"prompt_tokens": -1, "completion_tokens": many, "prompt_tokens_details": "many"}
        with misbehaving(endpoint_server.completion("a", usage=usage)) as server:
            assert (await ask(server, stream=False)).usage == Usage()


async def test_a_repeated_key_is_taken_out_of_the_reply() -> None:
    with misbehaving(endpoint_server.completion(f"Your key is {KEY}!")) as server:
        assert (await ask(server)).text == "Your key is [key]!"
    call = {"id": "a", "function": {"name": "execute_python", "arguments": f'{{"code": "{KEY}"}}'}}
    with misbehaving(endpoint_server.completion({"content": "", "tool_calls": [call]})) as server:
        assert KEY not in repr(await ask(server, action_format=ActionFormat.TOOLS))
