"""Endpoints that fail for a while, answer late or never: what is asked again, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from conftest import free_port
from runner.contract import EndpointSpec, ReplyProgress
from runner.endpoint.client import EndpointClient, after_failure
from runner.endpoint.errors import CUT_OFF, EndpointError, error_of, retry_after_s
from runner.endpoint.http import open_http
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_client import ASKED, GOOD, ask, refused
from runner.tests.support.endpoint_server import Answer, misbehaving

PASSING: list[tuple[str, Answer, str, int]] = [
    ("limited", endpoint_server.status(429, "slow down"), "endpoint_rate_limited", 6),
    ("server error", endpoint_server.status(500, "oops"), "endpoint_server_error", 6),
    (
        "gateway page",
        endpoint_server.raw(502, "text/html", b"<html>bad</html>"),
        "endpoint_server_error",
        6,
    ),
    (
        "no choices",
        endpoint_server.raw(200, "application/json", b'{"choices": []}'),
        "endpoint_no_choices",
        3,
    ),
    (
        "null choices",
        endpoint_server.raw(200, "application/json", b'{"choices": null}'),
        "endpoint_no_choices",
        3,
    ),
    (
        "odd choices",
        endpoint_server.raw(200, "application/json", b'{"choices": [1, {"message": 2}]}'),
        "endpoint_no_choices",
        3,
    ),
    ("empty stream", endpoint_server.stream(endpoint_server.DONE), "endpoint_no_choices", 3),
    ("nothing in a stream", endpoint_server.stream(), "endpoint_no_choices", 3),
    (
        "half a stream",
        endpoint_server.stream(endpoint_server.chunk({"content": "a"}), ends=False),
        "endpoint_cut_off",
        3,
    ),
    (
        "quiet half",
        endpoint_server.stream(endpoint_server.chunk({"content": "a"})),
        "endpoint_cut_off",
        3,
    ),
    (
        "half a body",
        endpoint_server.octets(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
        "endpoint_cut_off",
        3,
    ),
    (
        "half a chunk",
        endpoint_server.octets(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            b"Transfer-Encoding: chunked\r\n\r\nff\r\ndata: {"
        ),
        "endpoint_cut_off",
        3,
    ),
    *(
        (f"ends in {what}", endpoint_server.raw(200, kind, body), "endpoint_cut_off", 3)
        for what, kind, body in (
            ("an event", "text/event-stream", b'data: {"choices": [{"delta": {"content": "a'),
            ("an event's line", "text/event-stream", b'data: {"choices": [\n'),
            (
                "a later event",
                "text/event-stream",
                endpoint_server.chunk({"content": "a"}) + b"data: {",
            ),
            ("nothing", "application/json", b""),
            ("blanks", "application/json", b" \n"),
        )
    ),
    (
        "an empty stream",
        endpoint_server.raw(200, "text/event-stream", b""),
        "endpoint_no_choices",
        3,
    ),
    ("hangs up", endpoint_server.hang_up, "endpoint_cut_off", 3),
    (
        "error inside",
        endpoint_server.raw(200, "application/json", b'{"error": {"message": "busy"}}'),
        "endpoint_server_error",
        6,
    ),
    (
        "error in a stream",
        endpoint_server.stream(b'data: {"error": {"message": "busy", "code": 503}}\n\n'),
        "endpoint_server_error",
        6,
    ),
]


async def test_what_may_pass_is_asked_again(subtests: pytest.Subtests) -> None:
    for what, answer, code, tries in PASSING:
        with subtests.test(what):
            with misbehaving(answer) as server:
                error = await refused(server)
            assert (error.problem.code, len(server.bodies)) == (code, tries)
            with misbehaving(answer, answer, GOOD) as server:
                assert (await ask(server)).text == "Hello there"
            assert len(server.bodies) == 3


@asynccontextmanager
async def patient(base_url: str, waits: list[float], **spec: Any) -> AsyncIterator[EndpointClient]:
    """An endpoint whose pauses are written down instead of waited for."""

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with open_http() as http:
        yield EndpointClient(EndpointSpec(base_url, "some-model", **spec), http, sleep=sleep)


@pytest.mark.parametrize("stream", [True, False])
async def test_waits_as_long_as_it_is_asked_to(stream: bool) -> None:
    limited = endpoint_server.status(429, "slow down", {"Retry-After": "7"})
    waits: list[float] = []
    with misbehaving(limited, endpoint_server.completion("Hello there")) as server:
        async with patient(server.base_url, waits, stream=stream) as chat:
            assert (await chat.reply(ASKED, 20)).text == "Hello there"
    assert waits == [7.0]


async def test_short_retry_after_does_not_shorten_the_pauses() -> None:
    waits: list[float] = []
    with misbehaving(endpoint_server.status(429, "slow down", {"Retry-After": "0"})) as server:
        async with patient(server.base_url, waits) as chat:
            with pytest.raises(EndpointError) as raised:
                await chat.reply(ASKED, 900)
    assert len(waits) == len(server.bodies) - 1
    assert all(wait >= 0.75 * 2**number for number, wait in enumerate(waits))
    assert raised.value.problem.what == "The endpoint limits the rate of requests (429)."


async def test_tells_how_long_the_endpoint_failed() -> None:
    async with open_http() as http:
        with misbehaving(endpoint_server.status(500), GOOD) as server:
            chat = EndpointClient(EndpointSpec(server.base_url, "m"), http, first_pause_s=0.2)
            assert (await chat.reply(ASKED, 20)).lost_s > 0.1


async def test_error_behind_an_empty_stream_is_asked_for_without_a_stream() -> None:
    """llama_cpp.server breaks off the stream of a conversation that exceeds the context."""
    full = "This model's maximum context length is 8192 tokens, however you requested 8247 tokens"
    answers = [endpoint_server.stream(), endpoint_server.stream()]
    with misbehaving(*answers, endpoint_server.status(400, full)) as server:
        error = await refused(server)
    assert error.problem.code == "endpoint_context_full"
    assert [body["stream"] for body in server.bodies] == [True, True, False]


async def test_request_that_is_sent_again_tells_what_failed_before() -> None:
    heard: list[ReplyProgress] = []
    with misbehaving(endpoint_server.hang_up, endpoint_server.status(500, "oops"), GOOD) as server:
        async with patient(server.base_url, []) as chat:
            chat.on_progress = heard.append
            reply = await chat.reply(ASKED, 20)
    assert [progress.failures for progress in heard][:5] == [0, 1, 1, 2, 2]
    assert heard[1].failed.startswith("failed once, at once: http://127.0.0.1:")
    assert reply.failed == "failed 2 times, the last at once: The endpoint failed (500): oops."


@pytest.mark.parametrize(
    ("took_s", "words"), [(0.2, "once, at once: "), (11.9, "once, after 12 s: ")]
)
def test_failure_names_its_seconds(took_s: float, words: str) -> None:
    error = error_of(CUT_OFF)
    assert after_failure(ReplyProgress(), error, took_s).failed == f"failed {words}{CUT_OFF.what}"


async def test_silence_after_a_failure_is_reported_as_the_failure() -> None:
    with misbehaving(endpoint_server.status(500, "oops"), endpoint_server.silence) as server:
        error = await refused(server, timeout_s=4)
    assert error.problem.code == "endpoint_server_error"


async def test_waits_longer_each_time() -> None:
    waits: list[float] = []
    with misbehaving(endpoint_server.status(503, "busy")) as server:
        async with patient(server.base_url, waits) as chat:
            with pytest.raises(EndpointError):
                await chat.reply(ASKED, 600)
    assert len(waits) == 5
    assert all(0.75 * 2**n <= wait <= 1.25 * 2**n for n, wait in enumerate(waits))


ODD = {
    "half an object": endpoint_server.stream(b'data: {"choices": [\n\n'),
    "words": endpoint_server.stream(b"data: upstream timed out\n\n", endpoint_server.DONE),
    "half a body": endpoint_server.raw(200, "application/json", b'{"choices": ['),
    "a page": endpoint_server.raw(200, "text/html", b"<html>Back soon</html>"),
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
async def test_server_that_replied_before_is_asked_again_where_its_reply_is_broken(
    odd: Answer,
) -> None:
    waits: list[float] = []
    with misbehaving(GOOD, odd, odd, GOOD, odd) as server:
        async with patient(server.base_url, waits) as chat:
            for _ in range(2):
                assert (await chat.reply(ASKED, 900)).text == "Hello there"
            with pytest.raises(EndpointError):
                await chat.reply(ASKED, 900)
    assert (len(waits), len(server.bodies)) == (4, 7)


async def test_server_that_loads_its_model_again_is_waited_for() -> None:
    waits: list[float] = []
    loading = endpoint_server.status(503, "Loading model")
    with misbehaving(GOOD, *[loading] * 11, GOOD) as server:
        async with patient(server.base_url, waits) as chat:
            for _ in range(2):
                assert (await chat.reply(ASKED, 900)).text == "Hello there"
    assert len(waits) == 11


@pytest.mark.parametrize("has_replied", [True, False])
async def test_server_that_starts_again_is_waited_for_two_minutes(has_replied: bool) -> None:
    waits: list[float] = []
    async with patient(f"http://127.0.0.1:{free_port()}/v1", waits) as chat:
        chat.has_replied = has_replied
        with pytest.raises(EndpointError) as raised:
            await chat.reply(ASKED, 900)
    assert raised.value.problem.code == "endpoint_unreachable"
    assert (sum(waits) > 120) == has_replied
    assert waits[:4] == sorted(waits[:4])


async def test_does_not_wait_beyond_its_deadline() -> None:
    with misbehaving(endpoint_server.status(429, "later", {"Retry-After": "3600"})) as server:
        error = await refused(server, timeout_s=20)
    assert error.problem.code == "endpoint_rate_limited"
    assert "3600 s" in error.problem.what
    assert len(server.bodies) == 1


@pytest.mark.parametrize("answer", [endpoint_server.silence, endpoint_server.dripping])
async def test_a_reply_that_does_not_end_is_cut_at_its_deadline(answer: Answer) -> None:
    with misbehaving(answer) as server:
        error = await refused(server, timeout_s=0.3)
    assert error.problem.code == "endpoint_timeout"


async def test_calling_a_wait_off_closes_the_connection() -> None:
    with misbehaving(endpoint_server.silence) as server:
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


def test_reads_retry_after(subtests: pytest.Subtests) -> None:
    for value, seconds in RETRY_AFTER:
        with subtests.test(value=value, seconds=seconds):
            assert retry_after_s({"retry-after": value}, NOW) == seconds
