"""Endpoints that cannot be used: each failure reported once, with whose fault it is, and no key."""

from __future__ import annotations

import json
from traceback import format_exception

import httpx2
import pytest

from conftest import free_port
from runner.contract import EndpointSpec, Fault
from runner.endpoint.client import EndpointClient
from runner.endpoint.errors import ContextFull, EndpointError
from runner.endpoint.http import BoundedTransport
from runner.suite.reader import problem
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_client import ASKED, GOOD, KEY, endpoint, refused
from runner.tests.support.endpoint_server import Answer, misbehaving

HOPELESS: list[tuple[str, Answer, str]] = [
    (
        "refused key",
        endpoint_server.status(401, f"Incorrect API key provided: {KEY}"),
        "endpoint_unauthorised",
    ),
    ("forbidden", endpoint_server.status(403, f"Key {KEY} may not"), "endpoint_forbidden"),
    (
        "unknown model",
        endpoint_server.status(404, "The model `x` does not exist"),
        "endpoint_unknown_model",
    ),
    (
        "unknown path",
        endpoint_server.raw(404, "application/json", b'{"detail":"Not Found"}'),
        "endpoint_not_found",
    ),
    ("no such method", endpoint_server.status(405, "Method Not Allowed"), "endpoint_not_found"),
    (
        "404 page",
        endpoint_server.raw(404, "text/html", b"<html>our models</html>"),
        "endpoint_not_found",
    ),
    (
        "bad request",
        endpoint_server.status(400, f"temperature must be 1 ({KEY})"),
        "endpoint_bad_request",
    ),
    ("unprocessable", endpoint_server.status(422, "extra fields"), "endpoint_bad_request"),
    ("web page", endpoint_server.raw(200, "text/html", b"<html>Welcome</html>"), "endpoint_html"),
    (
        "web page as JSON",
        endpoint_server.raw(200, "application/json", b" <!doctype html>"),
        "endpoint_html",
    ),
    ("no JSON", endpoint_server.raw(200, "application/json", b"{oops"), "endpoint_not_json"),
    ("a list", endpoint_server.raw(200, "application/json", b"[]"), "endpoint_not_json"),
    (
        "deep JSON",
        endpoint_server.raw(200, "application/json", b"[" * 200_000),
        "endpoint_not_json",
    ),
    (
        "no UTF-8",
        endpoint_server.raw(200, "application/json", b'{"a": \xff}'),
        "endpoint_not_json",
    ),
    ("bad stream", endpoint_server.stream(b"data: {oops\n\n"), "endpoint_not_json"),
    (
        "redirect",
        endpoint_server.raw(307, "text/plain", b"", {"Location": "http://127.0.0.1:1/"}),
        "endpoint_redirect",
    ),
    (
        "no quota",
        endpoint_server.status(429, "You exceeded your current quota"),
        "endpoint_no_quota",
    ),
    (
        "compressed",
        endpoint_server.raw(200, "application/json", b"x", {"Content-Encoding": "gzip"}),
        "endpoint_compressed",
    ),
    (
        "compressed error",
        endpoint_server.raw(500, "application/json", b"x", {"Content-Encoding": "br"}),
        "endpoint_compressed",
    ),
    *(
        (
            f"an error in {charset}",
            endpoint_server.raw(400, f"text/plain; charset={charset}", b"x-" + b"z" * 9000),
            "endpoint_bad_request",
        )
        for charset in ("rot13", "idna", "bz2_codec", "undefined", "punycode", "utf-7", "hex")
    ),
    (
        "a length that is too short",
        endpoint_server.octets(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + b'{"a": 1}'),
        "endpoint_not_json",
    ),
    *(
        (
            f"a length of {length[:5]}",
            endpoint_server.octets(f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode()),
            "endpoint_not_http",
        )
        for length in ("9" * 40, "-1", "+5", "0x5")
    ),
    ("no content", endpoint_server.octets(b"HTTP/1.1 204 No\r\n\r\n"), "endpoint_not_json"),
    (
        "status of nothing",
        endpoint_server.octets(b"HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n"),
        "endpoint_not_http",
    ),
    (
        "endless size of a chunk",
        endpoint_server.octets(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 200_000
        ),
        "endpoint_not_http",
    ),
    ("too large", endpoint_server.endless, "endpoint_too_large"),
    (
        "too large error",
        endpoint_server.raw(400, "text/plain", b"x" * (9 << 20)),
        "endpoint_too_large",
    ),
]


async def test_what_cannot_be_mended_is_asked_once(subtests: pytest.Subtests) -> None:
    for what, answer, code in HOPELESS:
        with subtests.test(what):
            with misbehaving(answer) as server:
                error = await refused(server)
            assert error.problem.code == code
            assert error.problem.fault == Fault.SUBMITTER
            assert error.problem.what.endswith(".")
            assert error.problem.next_step.endswith(".")
            assert len(server.bodies) == 1
            assert KEY not in repr(error) + str(error.problem) + "".join(format_exception(error))


async def test_a_redirect_says_where_to() -> None:
    with misbehaving(
        endpoint_server.raw(308, "text/plain", b"", {"Location": "https://other/v1"})
    ) as server:
        assert "https://other/v1" in (await refused(server)).problem.what


CONTEXT_MESSAGES = [
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    "the request exceeds the available context size, try increasing it",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Input is too long for requested model.",
    "Requested token count exceeds the model's maximum context length",
]


async def test_knows_a_full_context(subtests: pytest.Subtests) -> None:
    for message in CONTEXT_MESSAGES:
        with subtests.test(message=message):
            with misbehaving(endpoint_server.status(400, message)) as server:
                error = await refused(server)
            assert isinstance(error, ContextFull)
            assert len(server.bodies) == 1


async def test_an_errors_code_is_read_but_not_shown() -> None:
    error = {"message": "Too much.", "type": "bad", "code": "context_length_exceeded"}
    body = json.dumps({"error": error}).encode()
    with misbehaving(endpoint_server.raw(400, "application/json", body)) as server:
        full = await refused(server)
    assert isinstance(full, ContextFull)
    assert "(400): Too much." in full.problem.what


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


async def test_an_unusable_address_is_refused_at_once(subtests: pytest.Subtests) -> None:
    for base_url in ["", "localhost:8000", "ftp://host/v1", "http://", "http://["]:
        with (
            subtests.test(base_url=base_url),
            pytest.raises(EndpointError, match="base URL"),
        ):
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
        chat = EndpointClient(EndpointSpec("http://somewhere/v1", "m"), http)
        with pytest.raises(EndpointError, match="leads inside"):
            await chat.reply(ASKED, 20)
