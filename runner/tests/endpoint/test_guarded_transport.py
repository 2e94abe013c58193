"""The guarded client against real servers that mean harm, all of them on loopback."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest

from runner.contract import EndpointSpec, ProblemError
from runner.endpoint.client import EndpointClient
from runner.endpoint.guarded_transport import (
    AddressPolicy,
    GuardedTransport,
    TooSlow,
    guarded_client,
    problem_in,
)
from runner.endpoint.http import open_http
from runner.tests.support.wire import (
    CHUNKED,
    HELLO,
    OK,
    Server,
    get,
    local,
    refused,
    repeats,
    sends,
    serving,
)


def url_of(server: Server, path: str = "/v1/models") -> str:
    return f"http://127.0.0.1:{server.port}{path}"


HUGE = b"X-Filler: " + b"a" * 20_000 + b"\r\n"
REDIRECT = b"Location: http://169.254.169.254/latest/meta-data/\r\nContent-Length: 0\r\n\r\n"
BOMB = gzip.compress(b"0" * (10 << 20))

HOSTILE_SERVERS = {
    "redirect, 301": (sends(b"HTTP/1.1 301 Moved\r\n" + REDIRECT), "redirects"),
    "redirect, 302": (sends(b"HTTP/1.1 302 Found\r\n" + REDIRECT), "redirects"),
    "redirect, 307": (sends(b"HTTP/1.1 307 T\r\n" + REDIRECT), "redirects"),
    "redirect, 308": (sends(b"HTTP/1.1 308 P\r\n" + REDIRECT), "redirects"),
    "redirect to a file": (
        sends(b"HTTP/1.1 302 F\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"),
        "redirects",
    ),
    "multiple choices without location": (
        sends(b"HTTP/1.1 300 M\r\nContent-Length: 0\r\n\r\n"),
        "redirects",
    ),
    "endless body, chunked": (repeats(CHUNKED, b"1000\r\n" + b"a" * 4096 + b"\r\n"), "too_large"),
    "endless body until close": (repeats(OK + b"\r\n", b"a" * 4096), "too_large"),
    "a body longer than declared, declared big": (
        repeats(OK + b"Content-Length: 99999999999\r\n\r\n", b"a" * 4096),
        "too_large",
    ),
    "endless events": (
        repeats(
            CHUNKED.replace(b"application/json", b"text/event-stream"), b"9\r\ndata: {}\n\r\n" * 999
        ),
        "too_large",
    ),
    "endless chunk extensions": (
        repeats(CHUNKED, b"1;x=" + b"y" * 9000 + b"\r\na\r\n"),
        "too_large",
    ),
    "endless interim answers": (
        repeats(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 99),
        "too_large",
    ),
    "huge headers": (sends(OK, HUGE * 3, b"Content-Length: 0\r\n\r\n"), "too_large"),
    "slow drip of a body": (repeats(CHUNKED, b"1\r\na\r\n", 0.05), "too_slow"),
    "slow drip of headers": (repeats(OK, b"X-A: b\r\n", 0.05), "too_slow"),
    "slow drip of one header": (repeats(OK + b"X-A: ", b"b", 0.05), "too_slow"),
    "slow drip of interim answers": (repeats(b"", b"HTTP/1.1 102 P\r\n\r\n", 0.05), "too_slow"),
    "silence after the headers": (repeats(CHUNKED, b"", 0.05), "too_slow"),
    "silence": (repeats(b"", b"", 0.05), "too_slow"),
    "gzip bomb": (
        sends(OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB), BOMB),
        "encoded",
    ),
    "brotli": (
        sends(OK + b"Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}"),
        "encoded",
    ),
    "encodings in a row": (
        sends(OK + b"Content-Encoding: gzip, gzip\r\nContent-Length: 2\r\n\r\n{}"),
        "encoded",
    ),
    "encoding named twice": (
        sends(
            OK + b"Content-Encoding: identity\r\nContent-Encoding: gzip\r\n"
            b"Content-Length: 2\r\n\r\n{}"
        ),
        "encoded",
    ),
}


async def test_a_hostile_server_is_refused_in_words(subtests: pytest.Subtests) -> None:
    for name in HOSTILE_SERVERS:
        with subtests.test(name=name):
            play, code = HOSTILE_SERVERS[name]
            async with serving(play) as server:
                response_s = 0.5 if code == "too_slow" else 30.0
                policy = local(server, response_bytes=1 << 20, response_s=response_s)
                assert await refused(url_of(server), policy) == f"endpoint_{code}"
                assert len(server.heads) == 1


@pytest.mark.parametrize("name", ["silence", "silence after the headers", "slow drip of a body"])
async def test_the_answers_deadline_holds_for_a_client_without_any(name: str) -> None:
    async with serving(HOSTILE_SERVERS[name][0]) as server, asyncio.timeout(30):
        policy = local(server, response_s=0.3)
        async with guarded_client(policy, httpx2.Timeout(None)) as client:
            with pytest.raises(TooSlow):
                await client.get(url_of(server))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"", id="closes at once"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", id="speaks ssh"),
        pytest.param(b"-ERR unknown command\r\n", id="speaks redis"),
        pytest.param(b"HTTP/x 200 OK\r\n\r\n", id="speaks no version of HTTP"),
        pytest.param(
            b"HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            id="switches to another protocol",
        ),
        pytest.param(b"HTTP/1.1 200 OK\r\n" + HUGE * 8, id="headers beyond every reader"),
        pytest.param(OK + b"Content-Length: -1\r\n\r\n", id="negative length"),
        pytest.param(OK + b"Content-Length: 9\r\n\r\n{}", id="half a body"),
        pytest.param(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", id="bad chunk"),
        pytest.param(OK + b"X-A: b\r\n X-Folded\x00: c\r\n\r\n", id="NUL in a header"),
    ],
)
async def test_a_broken_server_is_a_transport_error(answer: bytes) -> None:
    async with serving(sends(answer, then_closes=True)) as server:
        with pytest.raises(httpx2.TransportError):
            await get(url_of(server), local(server, response_s=5.0))


async def test_an_honest_server_is_read_whole() -> None:
    body = b'{"data": "' + b"a" * 500_000 + b'"}'
    head = OK + b"Content-Length: %d\r\n\r\n" % len(body)
    async with serving(sends(head, body)) as server:
        response = await get(url_of(server), local(server))
    assert response.status_code == 200
    assert response.content == body


async def test_a_redirect_is_refused_to_a_client_that_would_follow_it() -> None:
    async with serving(sends(b"HTTP/1.1 307 T\r\n" + REDIRECT)) as server:
        async with guarded_client(local(server)) as client:
            with pytest.raises(ProblemError, match="redirects"):
                await client.post(url_of(server), json={}, follow_redirects=True)
        assert len(server.heads) == 1


async def test_html_arrives_as_text_for_the_client_to_judge() -> None:
    page = b"<html><script>alert(1)</script></html>"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page)
    async with serving(sends(head, page)) as server:
        response = await get(url_of(server), local(server))
    assert response.content == page


async def test_the_count_starts_anew_with_each_request_on_one_connection() -> None:
    body = b"a" * 60_000
    answer = OK + b"Content-Length: 60000\r\n\r\n" + body
    async with (
        serving(sends(answer)) as server,
        guarded_client(local(server, response_bytes=100_000)) as client,
    ):
        for _ in range(4):
            assert (await client.get(url_of(server))).content == body
    assert len(server.heads) == 4


async def test_cookies_and_credentials_are_not_kept() -> None:
    answer = OK + b"Set-Cookie: track=1; Path=/\r\nContent-Length: 2\r\n\r\n{}"
    async with serving(sends(answer)) as server, guarded_client(local(server)) as client:
        first = await client.get(url_of(server))
        await client.get(url_of(server))
        assert not client.cookies
    assert "set-cookie" not in first.headers
    assert "cookie:" not in server.heads[1].lower()


async def test_asks_for_an_answer_that_is_not_compressed() -> None:
    async with serving(sends(HELLO)) as server, guarded_client(local(server)) as client:
        await client.get(url_of(server), headers={"Accept-Encoding": "gzip, br"})
    assert "accept-encoding: identity\r\n" in server.heads[0].lower()


@pytest.mark.parametrize(
    "variable",
    ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"],
)
async def test_proxies_of_the_environment_are_not_used(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(sends(HELLO)) as proxy, serving(sends(HELLO)) as server:
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.port}")
        await get(url_of(server), local(server))
        assert len(server.heads) == 1
        assert proxy.heads == []


async def test_passwords_of_netrc_are_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password canary\n")
    monkeypatch.setenv("NETRC", str(netrc))
    async with serving(sends(HELLO)) as server:
        await get(url_of(server), local(server))
    assert "authorization" not in server.heads[0].lower()


COMPLETION = (
    b'{"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": '
    b'[{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}]}'
)
EVENT = (
    b'data: {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", '
    b'"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": null}]}\n\n'
)
EVENTS = CHUNKED.replace(b"application/json", b"text/event-stream")


def chunk(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(body), body)


@asynccontextmanager
async def openai_over(server: Server, **limits: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    async with guarded_client(local(server, **limits), 10.0) as client:
        yield openai.AsyncOpenAI(
            base_url=url_of(server, "/v1"), api_key="sk-canary", http_client=client, max_retries=0
        )


ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}


async def test_works_under_the_openai_client() -> None:
    answer = OK + b"Content-Length: %d\r\n\r\n%s" % (len(COMPLETION), COMPLETION)
    async with serving(sends(answer)) as server, openai_over(server) as client:
        completion = await client.chat.completions.create(**ASK)
        assert completion.choices[0].message.content == "hi"


async def test_streams_under_the_openai_client() -> None:
    answer = EVENTS + chunk(EVENT) * 3 + chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"
    async with serving(sends(answer)) as server, openai_over(server) as client:
        stream = await client.chat.completions.create(**ASK, stream=True)
        said = [part.choices[0].delta.content async for part in stream]
    assert said == ["hi", "hi", "hi"]


@pytest.mark.parametrize("name", ["redirect, 307", "gzip bomb", "endless body, chunked"])
async def test_a_refusal_passes_through_the_openai_client(name: str) -> None:
    play, code = HOSTILE_SERVERS[name]
    async with serving(play) as server, openai_over(server, response_bytes=1 << 20) as client:
        with pytest.raises(ProblemError) as caught:
            await client.chat.completions.create(**ASK)
    assert caught.value.problem.code == f"endpoint_{code}"
    assert "sk-canary" not in caught.value.problem.sentence


async def test_the_openai_client_sees_a_slow_answer_as_a_time_out() -> None:
    play, _ = HOSTILE_SERVERS["slow drip of a body"]
    async with serving(play) as server, openai_over(server, response_s=0.5) as client:
        with pytest.raises(openai.APITimeoutError) as caught:
            await client.chat.completions.create(**ASK)
    problem = problem_in(caught.value)
    assert problem is not None
    assert problem.code == "endpoint_too_slow"


@pytest.mark.parametrize(
    ("pause_s", "limits", "code"),
    [
        (0.0, {"response_bytes": 1 << 20}, "endpoint_too_large"),
        (0.05, {"response_s": 0.5}, "endpoint_too_slow"),
    ],
)
async def test_an_endless_stream_under_the_openai_client_is_cut(
    pause_s: float, limits: dict[str, Any], code: str
) -> None:
    play = repeats(EVENTS, chunk(EVENT), pause_s)
    async with serving(play) as server, openai_over(server, **limits) as client:
        stream = await client.chat.completions.create(**ASK, stream=True)
        with pytest.raises((ProblemError, openai.APITimeoutError)) as caught:
            async for _ in stream:
                pass
    problem = problem_in(caught.value)
    assert problem is not None
    assert problem.code == code


async def reply_over(server: Server, policy: AddressPolicy, stream: bool = True) -> str:
    """Fetch a reply from `server` with the runner's own endpoint client behind the guard."""
    spec = EndpointSpec(url_of(server, "/v1"), "m", api_key="sk-canary", stream=stream)
    async with open_http(GuardedTransport(policy)) as http:
        reply = await EndpointClient(spec, http, first_pause_s=0.01).reply([], timeout_s=20.0)
    return reply.text


@pytest.mark.parametrize("stream", [True, False])
async def test_the_runner_asks_through_the_guard(stream: bool) -> None:
    whole = OK + b"Content-Length: %d\r\n\r\n%s" % (len(COMPLETION), COMPLETION)
    events = EVENTS + chunk(EVENT) + chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"
    async with serving(sends(events if stream else whole)) as server:
        assert await reply_over(server, local(server), stream) == "hi"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("redirect, 307", "endpoint_redirects"),
        ("gzip bomb", "endpoint_encoded"),
        ("endless body, chunked", "endpoint_too_large"),
        ("slow drip of a body", "endpoint_too_slow"),
    ],
)
async def test_the_runner_passes_the_guards_words_on_and_asks_once(name: str, code: str) -> None:
    response_s = 1.0 if code == "endpoint_too_slow" else 30.0
    async with serving(HOSTILE_SERVERS[name][0]) as server:
        policy = local(server, response_bytes=1 << 20, response_s=response_s)
        with pytest.raises(ProblemError) as caught:
            await reply_over(server, policy)
    assert caught.value.problem.code == code
    assert len(server.heads) == 1


async def test_the_runner_calls_nothing_that_is_not_allowed() -> None:
    async with serving(sends(HELLO)) as server:
        with pytest.raises(ProblemError) as caught:
            await reply_over(server, AddressPolicy())
    assert caught.value.problem.code == "url_scheme"
    assert server.heads == []


def test_a_slow_answer_is_both_a_problem_and_a_time_out() -> None:
    assert issubclass(TooSlow, ProblemError)
    assert issubclass(TooSlow, httpx2.TimeoutException)


def test_errors_of_others_hold_no_problem() -> None:
    error = ValueError("x")
    error.__cause__ = error
    assert problem_in(error) is None
    assert problem_in(None) is None
