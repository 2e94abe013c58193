"""Events of streams as servers and gateways send them, a row each: what is read of them."""

from __future__ import annotations

import json

import pytest

from runner.endpoint.errors import EndpointError
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_client import ask, refused
from runner.tests.support.endpoint_server import DONE, chunk, misbehaving

A, B, END = chunk({"content": "a"}), chunk({"content": "b"}), chunk({}, "stop")
USAGE = b'data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}\n\n'


def message(whole: dict[str, object], end: str | None = "stop", **beside: object) -> bytes:
    """An event with a message, and no piece of one."""
    choice = {"index": 0, "message": whole, "finish_reason": end, **beside}
    return b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"


def bare(event: bytes) -> bytes:
    """The object of an event."""
    return event.removeprefix(b"data: ").strip()


# Each stands where [event] is in: a, [event], b, the end of the reply, [DONE].
NOTHING = {
    "null": b"data: null\n\n",
    "no data": b"data:\n\n",
    "a space": b"data:  \n\n",
    "no field": b"\n\n",
    "an empty object": b"data: {}\n\n",
    "an empty list": b"data: []\n\n",
    "an empty text": b'data: ""\n\n',
    "a comment": b": keep-alive\n\n",
    "OpenRouter's comment": b": OPENROUTER PROCESSING\n\n",
    "sse-starlette's ping": b": ping - 2026-11-27 10:00:00.000000+00:00\n\n",
    "true": b"data: true\n\n",
    "zero": b"data: 0\n\n",
    "a negative number": b"data: -1.5e3\n\n",
    "several numbers": b"data: 1 2\n\n",
    "no number": b"data: NaN\n\n",
    "infinity": b"data: -Infinity\n\n",
    "a text": b'data: "text"\n\n',
    "a list of values": b'data: [1, "a", [], null]\n\n',
    "words": b"data: 3 of 7 in the queue\n\n",
    "words in brackets": b"data: [QUEUED] 3 of 7\n\n",
    "words in Python": b"data: None\n\n",
    "HTML's comment": b"<!-- wait -->\n\n",
    "HTML's comment as data": b"data: <!-- wait -->\n\n",
    "bytes that are no text": b"data: \xff\xfe\n\n",
    "a byte that is no text in an object": b'data: {"queue": "\xff"}\n\n',
    "a prefix alone, twice": b"data: data:\n\n",
    "a doubled prefix": b"data: data: {}\n\n",
    "a comment inside an event": b": wait\ndata: null\n: wait\n\n",
    "a ping": b"event: ping\ndata: {}\n\n",
    "Anthropic's ping": b'event: ping\ndata: {"type": "ping"}\n\n',
    "a ping of text": b"event: ping\ndata: 2026-11-27T10:00:00Z\n\n",
    "a ping without data": b"event: ping\n\n",
    "a ping without a type": b"data: ping\n\n",
    "a quoted ping": b'data: "ping"\n\n',
    "a heartbeat in brackets": b"data: [HEARTBEAT]\n\n",
    "a keep-alive": b"data: keep-alive\n\n",
    "a comment as data": b"data: : keep-alive\n\n",
    "processing": b"data: [PROCESSING]\n\n",
    "an unknown type": b"event: progress\ndata: 3 of 7 in the queue\n\n",
    "an unknown type of two lines": b"event: log\ndata: one\ndata: two\n\n",
    "an unknown object": b'data: {"queue": 3}\n\n',
    "an unknown field": b"custom: 1\n\n",
    "an identity and a pause": b"id: 7\nretry: 3000\n\n",
    "no choices": b'data: {"choices": []}\n\n',
    "choices that are null": b'data: {"choices": null}\n\n',
    "a choice that is null": b'data: {"choices": [null]}\n\n',
    "a delta that is null": b'data: {"choices": [{"index": 0, "delta": null}]}\n\n',
    "content that is null": chunk({"content": None, "tool_calls": None}),
    "an error that is null": b'data: {"error": null, "choices": []}\n\n',
    "Azure's filter results": b'data: {"choices": [], "prompt_filter_results": [{"a": 1}]}\n\n',
    "another choice": b'data: {"choices": [{"index": 1, "delta": {"content": "z"}}]}\n\n',
}


async def test_event_that_holds_nothing_adds_nothing(subtests: pytest.Subtests) -> None:
    for name, event in NOTHING.items():
        with subtests.test(name):
            for pieces in (
                (A, event, B, END, DONE),
                (event, A, event, event, B, event, END, event, DONE, event),
                ((A + event + B + END + DONE).replace(b"\n", b"\r\n"),),
            ):
                with misbehaving(endpoint_server.stream(*pieces)) as server:
                    reply = await ask(server)
                assert (reply.text, reply.finish_reason) == ("ab", "stop")
                assert len(server.bodies) == 1  # it was not asked again


WHOLE = {
    "as the standard has it": A + B + END + USAGE + DONE,
    "without [DONE]": A + B + END + USAGE,
    "[DONE] twice": A + B + END + USAGE + DONE + DONE,
    "[DONE], then more": A + B + END + USAGE + DONE + A,
    "a whole message behind its pieces": A + B + message({"content": "ab"}) + USAGE + DONE,
    "a whole message beside a delta of nothing": (
        A + B + message({"content": "ab"}, delta={}) + USAGE + DONE
    ),
    "a whole message behind a role": (
        chunk({"role": "assistant"}) + message({"content": "ab"}) + USAGE + DONE
    ),
    "an index as text": (A + B + END).replace(b'"index": 0', b'"index": "0"') + USAGE + DONE,
    "another choice whose index is text": (
        A + B.replace(b'"index": 0', b'"index": "1"') + B + END + USAGE + DONE
    ),
    "a whole message alone": message({"content": "ab"}) + USAGE + DONE,
    "a message for each piece": (
        message({"content": "a"}, None) + message({"content": "b"}) + USAGE + DONE
    ),
    "a long message behind its pieces": (
        A + B + message({"content": "ab", "extra": "x" * 70_000}) + USAGE + DONE
    ),
    "an object as content": chunk({"content": {"type": "text", "text": "a"}}) + B + END + USAGE,
    "[DONE] without a space": A + B + END + USAGE + b"data:[DONE]\n\n",
    "[DONE] in lower case": A + B + END + USAGE + b"data: [done]\n\n",
    "[DONE] as a text": A + B + END + USAGE + b'data: "[DONE]"\n\n',
    "[DONE] without an empty line": A + B + END + USAGE + b"data: [DONE]\n",
    "[DONE] first": DONE + A + B + END + USAGE + DONE,
    "[DONE] in the middle": A + DONE + B + END + USAGE + DONE,
    "the end with the text": A + chunk({"content": "b"}, "stop") + USAGE + DONE,
    "usage beside the text": A + B + END + USAGE.replace(b"[]", b"[{}]") + DONE,
    "usage before the end": A + USAGE + B + END + DONE,
    "an event for each object on lines of one event": (
        b"data: " + bare(A) + b"\ndata: " + bare(B) + b"\n\n" + END + USAGE + DONE
    ),
    "two objects in one event": b"data: " + bare(A) + bare(B) + b"\n\n" + END + USAGE + DONE,
    "two objects and a space": b"data: " + bare(A) + b" " + bare(B) + b"\n\n" + END + USAGE + DONE,
    "two events on one line": A.strip() + B + END + USAGE + DONE,
    "a list of objects": b"data: [" + bare(A) + b"," + bare(B) + b"]\n\n" + END + USAGE + DONE,
    "an object over two lines": (
        b"data: " + bare(A).replace(b", ", b",\ndata: ") + b"\n\n" + B + END + USAGE + DONE
    ),
    "a doubled prefix": (A + B + END + USAGE + DONE).replace(b"data: ", b"data: data: "),
    "a prefix three times": (A + B + END + USAGE + DONE).replace(b"data: ", b"data:data:data:"),
    "a prefix in capitals": (A + B + END + USAGE + DONE).replace(b"data: ", b"Data: "),
    "a space before each line": (A + B + END + USAGE + DONE).replace(b"data: ", b" data: "),
    "a comment first": b": x\n\n" + A + B + END + USAGE + DONE,
    "HTML's comment first": b"<!-- x -->\n" + A + B + END + USAGE + DONE,
    "a pause first": b"retry: 3000\n\n" + A + B + END + USAGE + DONE,
    "objects without a field": (A + B + END + USAGE).replace(b"data: ", b""),
    "a byte-order mark first": b"\xef\xbb\xbf" + A + B + END + USAGE + DONE,
    "another type": b"event: chunk\n" + A + b"event: completion.delta\n" + B + END + USAGE + DONE,
    "an error behind the end": (
        A + B + END + USAGE + b'data: {"error": {"message": "no more", "code": 500}}\n\n' + DONE
    ),
    "half an object behind the end": A + B + END + USAGE + b'data: {"usage": \n\n' + DONE,
    "the text of older completions": (
        b'data: {"choices": [{"index": 0, "text": "a", "finish_reason": null}]}\n\n'
        b'data: {"choices": [{"index": 0, "text": "b", "finish_reason": "stop"}]}\n\n' + USAGE
    ),
    "no empty lines": (A + B + END + USAGE + DONE).replace(b"\n\n", b"\n"),
}  # fmt: skip


async def test_stream_is_read_whole(subtests: pytest.Subtests) -> None:
    for name, body in WHOLE.items():
        with subtests.test(name):
            cut = [body[at : at + 7] for at in range(0, len(body), 7)]
            text = endpoint_server.raw(200, "text/plain", body)
            for answer in (endpoint_server.stream(body), endpoint_server.stream(*cut), text):
                with misbehaving(answer) as server:
                    reply = await ask(server)
                assert (reply.text, reply.finish_reason) == ("ab", "stop")
                assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (7, 3)
                assert len(server.bodies) == 1


UNFINISHED = {
    "[DONE]": A + B + DONE,
    "[DONE] in the middle": A + DONE + B + DONE,
    "[DONE] first": DONE + A + B + DONE,
    "a keep-alive before the end": A + B + b"data: ping\n\ndata: true\n\n" + DONE,
    "text in the middle": A + b"data: still at work\n\n" + B + DONE,
    "an end in lower case": A + B + b"data: [done]\n\n",
}


async def test_reply_without_a_finish_reason_is_read_up_to_its_end(
    subtests: pytest.Subtests,
) -> None:
    for name, body in UNFINISHED.items():
        with subtests.test(name):
            for answer in (
                endpoint_server.stream(body),
                endpoint_server.raw(200, "text/plain", body),
            ):
                with misbehaving(answer) as server:
                    reply = await ask(server)
                assert (reply.text, reply.finish_reason) == ("ab", "")
                assert len(server.bodies) == 1


async def test_byte_that_is_no_text_is_replaced() -> None:
    text = A.replace(b'"a"', b'"a\xff"') + B + END + DONE
    whole = endpoint_server.raw(
        200, "application/json", b'{"choices": [{"message": {"content": "a\xffb"}}]}'
    )
    for answer in (endpoint_server.stream(text), whole):
        with misbehaving(answer) as server:
            reply = await ask(server)
        assert reply.text == "a\ufffdb"


COMMENTED = {
    "a comment": b": OPENROUTER PROCESSING\n\n",
    "comments": b"\n\n: a\n: b\n\n\n: c\n",
    "HTML's comment": b"<!-- wait -->\n",
    "blanks": b" \n\n \n",
}


@pytest.mark.parametrize("before", COMMENTED.values(), ids=COMMENTED)
async def test_whole_reply_behind_comments_is_read(before: bytes) -> None:
    body = b'{\n "choices": [\n  {"message": {"content": "ab"}, "finish_reason": "stop"}\n ]\n}'
    answer = endpoint_server.raw(200, "application/json", before + body)
    with misbehaving(answer) as server:
        reply = await ask(server, stream=False)
    assert (reply.text, reply.finish_reason) == ("ab", "stop")


REFUSED = {
    "text": (b"data: upstream timed out\n\n", "endpoint_not_json"),
    "a number": (b"data: 7\n\n", "endpoint_no_choices"),
    "text after half a reply": (A + b"data: upstream timed out\n\n", "endpoint_not_json"),
    "half an object": (b'data: {"choices": [\n\n', "endpoint_not_json"),
    "an object and a half": (b"data: " + bare(A) + b"{\n\n", "endpoint_not_json"),
    "text under the type of an error": (
        b"event: error\ndata: rate limit exceeded\n\n", "endpoint_rate_limited",
    ),
    "a code in words under it": (
        b'event: error\ndata: {"code": "rate_limit", "message": "no"}\n\n', "endpoint_rate_limited",
    ),
    "a web page": (b"data: <html>\n\n", "endpoint_html"),
    "an error": (b'data: {"error": {"message": "no", "code": 400}}\n\n', "endpoint_bad_request"),
    "an error in a list": (
        b'data: [{"error": {"message": "no", "code": 400}}]\n\n', "endpoint_bad_request",
    ),
    "vLLM's error": (
        b'data: {"object": "error", "message": "no", "type": "BadRequestError", "code": 400}\n\n',
        "endpoint_bad_request",
    ),
    "nothing else": (b"data: null\n\n", "endpoint_no_choices"),
}  # fmt: skip


async def test_event_that_cannot_be_read_ends_the_reply(subtests: pytest.Subtests) -> None:
    for name, (event, code) in REFUSED.items():
        with subtests.test(name):
            answer = endpoint_server.stream(event, DONE)
            with misbehaving(answer) as server, pytest.raises(EndpointError) as caught:
                await ask(server)
            assert caught.value.problem.code == code


CALL = chunk({"tool_calls": [{"index": 0, "function": {"name": "a", "arguments": '{"co'}}]})
BROKEN = {
    "an error": b'{"error": {"message": "it died", "code": 500}}',
    "an error and a choice": b'{"error": {"message": "it died"}, "choices": [{"delta": {}}]}',
    "an error in words": b'{"error": "it died"}',
    "an error with a type": b'{"type": "error", "error": {"message": "it died"}}',
    "vLLM's": (
        b'{"object": "error", "message": "it died", "type": "InternalServerError", "code": 500}'
    ),
    "vLLM's without a code": b'{"object": "error", "message": "it died", "param": null}',
    "a type and words": b'{"type": "InternalServerError", "message": "it died"}',
    "a code and words": b'{"code": 503, "message": "it died"}',
    "FastAPI's": b'{"detail": "it died"}',
    "FastAPI's list": b'{"detail": [{"msg": "it died"}]}',
    "errors": b'{"errors": [{"message": "it died"}]}',
}  # fmt: skip
NAMED = {  # errors by the type of their event alone
    "words": b"it died",
    "a message": b'{"message": "it died"}',
    "a message of several lines": b'{\ndata:   "message": "it died"\ndata: }',
    "half an object": b'{"message": "it died',
}


async def test_error_in_the_middle_of_a_reply_is_the_servers(subtests: pytest.Subtests) -> None:
    for name, error in (BROKEN | NAMED).items():
        with subtests.test(name):
            unnamed = ((A, b""), (CALL, b"")) if name in BROKEN else ()
            for begun, named in (*unnamed, (A, b"event: error\n")):
                broken = endpoint_server.stream(begun, named + b"data: " + error + b"\n\n", DONE)
                with misbehaving(broken, endpoint_server.stream(A, B, END, DONE)) as server:
                    assert (await ask(server)).text == "ab"
                with misbehaving(broken) as server:
                    failure = await refused(server)
                assert failure.problem.code == "endpoint_server_error"
                assert "it died" in failure.problem.what


@pytest.mark.parametrize("reason", ["abort", "error", "ERROR", "insufficient_system_resource"])
async def test_reply_that_the_server_gave_up_is_asked_for_again(reason: str) -> None:
    whole = b'{"choices": [{"message": {"content": "a"}, "finish_reason": "%s"}]}' % reason.encode()
    for given_up in (
        endpoint_server.stream(A, chunk({}, reason), USAGE, DONE),
        endpoint_server.stream(CALL, chunk({}, reason)),
        endpoint_server.raw(200, "application/json", whole),
    ):
        with misbehaving(given_up, endpoint_server.stream(A, B, END, DONE)) as server:
            assert (await ask(server)).text == "ab"
        with misbehaving(given_up) as server:
            failure = await refused(server)
        assert (failure.problem.code, len(server.bodies)) == ("endpoint_cut_off", 3)
        assert f"“{reason}”" in failure.problem.what


async def test_stream_that_ends_after_a_keep_alive_was_cut_off() -> None:
    answer = endpoint_server.stream(A, b"data: null\n\n")
    with misbehaving(answer) as server, pytest.raises(EndpointError) as caught:
        await ask(server)
    assert caught.value.problem.code == "endpoint_cut_off"


async def test_whole_body_of_null_is_no_reply() -> None:
    answer = endpoint_server.raw(200, "application/json", b"null")
    with misbehaving(answer) as server, pytest.raises(EndpointError) as caught:
        await ask(server, stream=False)
    assert caught.value.problem.code == "endpoint_not_json"
