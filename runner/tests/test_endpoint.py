"""Endpoints that answer well, badly, late or never, over real connections."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from traceback import format_exception
from typing import Any

import httpx2
import pytest

from runner.contract import ActionFormat, EndpointSpec, Fault, Usage
from runner.endpoint import Endpoint
from runner.outbound import BoundedTransport, open_http
from runner.refusals import ContextFull, EndpointError, retry_after_s
from runner.reply import END, ModelReply, ToolCall
from runner.suites import problem
from runner.tests import misbehaving as bad
from runner.tests.misbehaving import Answer, MisbehavingServer, misbehaving

KEY = "sk-secret-0123456789"
ASKED = [{"role": "user", "content": "Hello"}]
GOOD = bad.said("Hello there")


@asynccontextmanager
async def endpoint(base_url: str, **spec: Any) -> AsyncIterator[Endpoint]:
    async with open_http() as http:
        spec = {"api_key": KEY, **spec}
        yield Endpoint(EndpointSpec(base_url, "some-model", **spec), http, first_pause_s=0.01)


async def ask(server: MisbehavingServer, timeout_s: float = 20.0, **spec: Any) -> ModelReply:
    async with endpoint(server.base_url, **spec) as chat:
        return await chat.reply(ASKED, timeout_s)


async def refused(server: MisbehavingServer, timeout_s: float = 20.0, **spec: Any) -> EndpointError:
    with pytest.raises(EndpointError) as caught:
        await ask(server, timeout_s, **spec)
    return caught.value


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


HOPELESS: list[tuple[str, Answer, str]] = [
    ("refused key", bad.status(401, f"Incorrect API key provided: {KEY}"), "endpoint_unauthorised"),
    ("forbidden", bad.status(403, f"Key {KEY} may not"), "endpoint_forbidden"),
    ("unknown model", bad.status(404, "The model `x` does not exist"), "endpoint_unknown_model"),
    ("unknown path", bad.raw(404, "application/json", b'{"detail":"Not Found"}'),
     "endpoint_not_found"),
    ("404 page", bad.raw(404, "text/html", b"<html>our models</html>"), "endpoint_not_found"),
    ("bad request", bad.status(400, f"temperature must be 1 ({KEY})"), "endpoint_bad_request"),
    ("unprocessable", bad.status(422, "extra fields"), "endpoint_bad_request"),
    ("web page", bad.raw(200, "text/html", b"<html>Welcome</html>"), "endpoint_html"),
    ("web page as JSON", bad.raw(200, "application/json", b" <!doctype html>"), "endpoint_html"),
    ("no JSON", bad.raw(200, "application/json", b"{oops"), "endpoint_not_json"),
    ("a list", bad.raw(200, "application/json", b"[]"), "endpoint_not_json"),
    ("deep JSON", bad.raw(200, "application/json", b"[" * 200_000), "endpoint_not_json"),
    ("no UTF-8", bad.raw(200, "application/json", b'{"a": "\xff"}'), "endpoint_not_json"),
    ("bad stream", bad.stream(b"data: {oops\n\n"), "endpoint_not_json"),
    ("redirect", bad.raw(307, "text/plain", b"", {"Location": "http://127.0.0.1:1/"}),
     "endpoint_redirect"),
    ("no quota", bad.status(429, "You exceeded your current quota"), "endpoint_no_quota"),
    ("compressed", bad.raw(200, "application/json", b"x", {"Content-Encoding": "gzip"}),
     "endpoint_compressed"),
    ("compressed error", bad.raw(500, "application/json", b"x", {"Content-Encoding": "br"}),
     "endpoint_compressed"),
    ("too large", bad.endless, "endpoint_too_large"),
    ("too large error", bad.raw(400, "text/plain", b"x" * (9 << 20)), "endpoint_too_large"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "answer", "code"), HOPELESS, ids=[row[0] for row in HOPELESS])
async def test_what_cannot_be_mended_is_asked_once(what: str, answer: Answer, code: str) -> None:
    with misbehaving(answer) as server:
        error = await refused(server)
    assert error.problem.code == code
    assert error.problem.fault == Fault.SUBMITTER
    assert error.problem.what.endswith(".")
    assert error.problem.next_step.endswith(".")
    assert len(server.bodies) == 1
    assert KEY not in repr(error) + str(error.problem) + "".join(format_exception(error))


PASSING: list[tuple[str, Answer, str, int]] = [
    ("limited", bad.status(429, "slow down"), "endpoint_rate_limited", 6),
    ("server error", bad.status(500, "oops"), "endpoint_server_error", 6),
    ("gateway page", bad.raw(502, "text/html", b"<html>bad</html>"), "endpoint_server_error", 6),
    ("no choices", bad.raw(200, "application/json", b'{"choices": []}'), "endpoint_no_choices", 3),
    ("null choices", bad.raw(200, "application/json", b'{"choices": null}'),
     "endpoint_no_choices", 3),
    ("odd choices", bad.raw(200, "application/json", b'{"choices": [1, {"message": 2}]}'),
     "endpoint_no_choices", 3),
    ("empty stream", bad.stream(bad.DONE), "endpoint_no_choices", 3),
    ("nothing in a stream", bad.stream(), "endpoint_no_choices", 3),
    ("half a stream", bad.stream(bad.chunk({"content": "a"}), ends=False), "endpoint_cut_off", 3),
    ("quiet half", bad.stream(bad.chunk({"content": "a"})), "endpoint_cut_off", 3),
    ("half a body", bad.raw(200, "application/json", b"{", {"Content-Length": "9"}),
     "endpoint_cut_off", 3),
    ("hangs up", bad.hang_up, "endpoint_cut_off", 3),
    ("error inside", bad.raw(200, "application/json", b'{"error": {"message": "busy"}}'),
     "endpoint_server_error", 6),
    ("error in a stream", bad.stream(b'data: {"error": {"message": "busy", "code": 503}}\n\n'),
     "endpoint_server_error", 6),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "answer", "code", "tries"), PASSING, ids=[row[0] for row in PASSING]
)
async def test_what_may_pass_is_asked_again(
    what: str, answer: Answer, code: str, tries: int
) -> None:
    with misbehaving(answer) as server:
        error = await refused(server)
    assert (error.problem.code, len(server.bodies)) == (code, tries)
    with misbehaving(answer, answer, GOOD) as server:
        assert (await ask(server)).text == "Hello there"
    assert len(server.bodies) == 3


@asynccontextmanager
async def patient(base_url: str, waits: list[float], **spec: Any) -> AsyncIterator[Endpoint]:
    """An endpoint whose pauses are written down instead of waited for."""

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with open_http() as http:
        yield Endpoint(EndpointSpec(base_url, "some-model", **spec), http, sleep=sleep)


@pytest.mark.parametrize("stream", [True, False])
async def test_waits_as_long_as_it_is_asked_to(stream: bool) -> None:
    limited = bad.status(429, "slow down", {"Retry-After": "7"})
    waits: list[float] = []
    with misbehaving(limited, bad.completion("Hello there")) as server:
        async with patient(server.base_url, waits, stream=stream) as chat:
            assert (await chat.reply(ASKED, 20)).text == "Hello there"
    assert waits == [7.0]


async def test_tells_how_long_the_endpoint_failed() -> None:
    async with open_http() as http:
        with misbehaving(bad.status(500), GOOD) as server:
            chat = Endpoint(EndpointSpec(server.base_url, "m"), http, first_pause_s=0.2)
            assert (await chat.reply(ASKED, 20)).lost_s > 0.1


async def test_silence_after_a_failure_is_told_as_the_failure() -> None:
    with misbehaving(bad.status(500, "oops"), bad.silence) as server:
        error = await refused(server, timeout_s=1)
    assert error.problem.code == "endpoint_server_error"


async def test_a_redirect_says_where_to() -> None:
    with misbehaving(bad.raw(308, "text/plain", b"", {"Location": "https://other/v1"})) as server:
        assert "https://other/v1" in (await refused(server)).problem.what


async def test_waits_longer_each_time() -> None:
    waits: list[float] = []
    with misbehaving(bad.status(503, "busy")) as server:
        async with patient(server.base_url, waits) as chat:
            with pytest.raises(EndpointError):
                await chat.reply(ASKED, 600)
    assert len(waits) == 5
    assert all(0.75 * 2**n <= wait <= 1.25 * 2**n for n, wait in enumerate(waits))


async def test_does_not_wait_beyond_its_deadline() -> None:
    with misbehaving(bad.status(429, "later", {"Retry-After": "3600"})) as server:
        error = await refused(server, timeout_s=20)
    assert error.problem.code == "endpoint_rate_limited"
    assert "3600 s" in error.problem.what
    assert len(server.bodies) == 1


@pytest.mark.parametrize("answer", [bad.silence, bad.dripping])
async def test_a_reply_that_does_not_end_is_cut_at_its_deadline(answer: Answer) -> None:
    with misbehaving(answer) as server:
        error = await refused(server, timeout_s=0.3)
    assert error.problem.code == "endpoint_timeout"


CONTEXT_MESSAGES = [
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    "the request exceeds the available context size, try increasing it",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Input is too long for requested model.",
    "Requested token count exceeds the model's maximum context length",
]


@pytest.mark.parametrize("message", CONTEXT_MESSAGES)
async def test_knows_a_full_context(message: str) -> None:
    with misbehaving(bad.status(400, message)) as server:
        error = await refused(server)
    assert isinstance(error, ContextFull)
    assert len(server.bodies) == 1


async def test_an_errors_code_is_read_but_not_shown() -> None:
    error = {"message": "Too much.", "type": "bad", "code": "context_length_exceeded"}
    body = json.dumps({"error": error}).encode()
    with misbehaving(bad.raw(400, "application/json", body)) as server:
        full = await refused(server)
    assert isinstance(full, ContextFull)
    assert "(400): Too much." in full.problem.what


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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


UNREACHABLE = [
    (f"http://127.0.0.1:{free_port()}/v1", "refused"),
    ("http://no-such-host.invalid/v1", "cannot be resolved"),
]


@pytest.mark.parametrize(("base_url", "why"), UNREACHABLE, ids=["closed port", "no such host"])
async def test_says_why_there_is_no_connection(base_url: str, why: str) -> None:
    async with endpoint(base_url) as chat:
        with pytest.raises(EndpointError) as caught:
            await chat.reply(ASKED, 20)
    assert caught.value.problem.code == "endpoint_unreachable"
    assert why in caught.value.problem.what


async def test_plain_http_behind_https_fails_clearly() -> None:
    with misbehaving(GOOD) as server:
        async with endpoint(server.base_url.replace("http:", "https:")) as chat:
            with pytest.raises(EndpointError) as caught:
                await chat.reply(ASKED, 20)
    assert caught.value.problem.code == "endpoint_unreachable"
    assert "TLS" in caught.value.problem.what


@pytest.mark.parametrize("base_url", ["", "localhost:8000", "ftp://host/v1", "http://", "http://["])
async def test_an_unusable_address_is_refused_at_once(base_url: str) -> None:
    with pytest.raises(EndpointError, match="base URL"):
        async with endpoint(base_url):
            pass


async def test_a_key_that_no_header_can_carry_is_refused_without_showing_it() -> None:
    with pytest.raises(EndpointError) as caught:
        async with endpoint("http://127.0.0.1:1/v1", api_key="sk-line\nbreak"):
            pass
    assert caught.value.problem.code == "endpoint_bad_key"
    assert "line" not in caught.value.problem.what.replace("line breaks", "")


async def test_credentials_in_the_address_are_not_shown() -> None:
    async with endpoint(f"http://me:hunter2@127.0.0.1:{free_port()}/v1") as chat:
        with pytest.raises(EndpointError) as caught:
            await chat.reply(ASKED, 20)
    assert "hunter2" not in str(caught.value)


class Guarding(httpx2.AsyncBaseTransport):
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        raise problem("address_not_public", "The URL leads inside.", "Use another.")


async def test_a_guards_refusal_is_passed_on() -> None:
    async with httpx2.AsyncClient(transport=BoundedTransport(Guarding())) as http:
        chat = Endpoint(EndpointSpec("http://somewhere/v1", "m"), http)
        with pytest.raises(EndpointError, match="leads inside"):
            await chat.reply(ASKED, 20)


async def test_calling_a_wait_off_closes_the_connection() -> None:
    with misbehaving(bad.silence) as server:
        task = asyncio.create_task(ask(server))
        assert await asyncio.to_thread(server.asked.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
RETRY_AFTER = [
    ("7", 7.0),
    ("0.5", 0.5),
    ("", None),
    ("soon", None),
    ("-3", None),
    ("9" * 30, None),
    (format_datetime(NOW + timedelta(seconds=30), usegmt=True), 30.0),
    (format_datetime(NOW - timedelta(seconds=30), usegmt=True), 0.0),
]


@pytest.mark.parametrize(("value", "seconds"), RETRY_AFTER)
def test_reads_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after_s({"retry-after": value}, NOW) == seconds
