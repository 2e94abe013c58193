"""Extra headers of a request: what is taken, what is refused, and what the endpoint gets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx2
import pytest

from runner.contract import EndpointSpec, ProblemError
from runner.endpoint.client import EndpointClient
from runner.endpoint.errors import EndpointError
from runner.endpoint.extras import extra_headers
from runner.endpoint.http import open_http
from runner.preflight.probe import list_models
from runner.tests.support.endpoint_client import ASKED
from runner.tests.support.endpoint_server import completion, misbehaving, status

HEADERS = {"X-Team": "canary-header-value", "api-key": "canary-other-value", "X-Flag": "1"}


def test_lines_are_read_as_headers(subtests: pytest.Subtests) -> None:
    for text, found in [
        ("", {}),
        (" \n\n", {}),
        ("X-Org: mine", {"X-Org": "mine"}),
        ("X-Org:  a b \r\nOpenAI-Project: p: q", {"X-Org": "a b", "OpenAI-Project": "p: q"}),
        ("x_custom: (1)", {"x_custom": "(1)"}),
    ]:
        with subtests.test(text=text, found=found):
            assert extra_headers.read(text) == found
            assert extra_headers.load(extra_headers.dump(found)) == found


def test_header_that_must_not_be_sent_is_refused(subtests: pytest.Subtests) -> None:
    for text, said in [
        ("nonsense", "no colon"),
        (": value", "not a valid name"),
        ("a b: value", "not a valid name"),
        ("1a: value", "not a valid name"),
        ("x" * 65 + ": value", "not a valid name"),
        ("X-A:", "value of the extra header “X-A” is empty"),
        ("X-A: ü", "other characters"),
        ("X-A: a\x00b", "other characters"),
        ("X-A: a\rb", "other characters"),
        ("X-A: a\x0bb", "other characters"),
        ("X-A: 1\nx-a: 2", "given twice"),
        ("Authorization: Bearer x", "the key has its own field"),
        ("authorization: Bearer x", "the key has its own field"),
        ("Host: internal", "follows from the base URL"),
        ("Content-Length: 0", "follows from the request"),
        ("Content_Length: 0", "follows from the request"),
        ("Transfer-Encoding: chunked", "speaks for one connection"),
        ("Connection: close", "speaks for one connection"),
        ("TE: trailers", "speaks for one connection"),
        ("Upgrade: h2c", "speaks for one connection"),
        ("Cookie: a=b", "cookies are not sent"),
        ("Set-Cookie: a=b", "cookies are not sent"),
        ("Proxy-Authorization: x", "speaks for a proxy"),
        ("X-Forwarded-For: 10.0.0.1", "names another sender"),
        ("Accept-Encoding: gzip", "uncompressed"),
        ("pybench-extra-host: x", "uses it itself"),
        ("X-A: " + "x" * 4000, "longer than 4000 characters"),
        ("\n".join(f"X-{n}: 1" for n in range(17)), "are 17 extra headers"),
    ]:
        with subtests.test(text=text, said=said):
            with pytest.raises(ProblemError) as refused:
                extra_headers.read(text)
            assert said in refused.value.problem.what
            assert refused.value.problem.next_step


def test_object_that_is_no_headers_is_refused(subtests: pytest.Subtests) -> None:
    for value in [
        [],
        "X: y",
        7,
        None,
        {"X-A": 1},
        {"X-A": None},
        {"X-A": "a\r\nHost: b"},
        {"X-A": "a\nb"},
        {"X-A\r\nHost": "b"},
        {"X-A": ""},
        {"X-A": " a"},
        {"": "a"},
        {"X-A": "1", "x-a": "2"},
    ]:
        with subtests.test(value=value), pytest.raises(ProblemError):
            extra_headers.check(value)


def test_kept_value_is_put_in_and_a_missing_one_is_asked_for() -> None:
    said = extra_headers.read("X-Team: (kept)\nX-New: 2")
    assert extra_headers.keep(said, {"x-team": "1"}) == {"X-Team": "1", "X-New": "2"}
    with pytest.raises(ProblemError, match="Enter its value again"):
        extra_headers.keep(said, {})


def test_form_shows_names_and_no_value() -> None:
    assert extra_headers.mask("X-Team: secret\nX-B:b\nsecret without colon\nbad name: secret") == (
        "X-Team: (kept)\nX-B: (kept)"
    )


def spec_at(base_url: str, **headers: str) -> EndpointSpec:
    return EndpointSpec(base_url, "m", "sk-canary-key", stream=False, extra_headers=headers)


async def ask(spec: EndpointSpec) -> object:
    async with open_http() as http:
        return await EndpointClient(spec, http).reply(ASKED, 60)


def test_endpoint_gets_the_headers_with_replies_and_with_its_list() -> None:
    with misbehaving(completion("hello")) as server:
        spec = spec_at(server.base_url, **HEADERS)
        asyncio.run(ask(spec))
        [sent] = server.headers
    assert {name: sent[name.lower()] for name in HEADERS} == HEADERS
    assert sent["authorization"] == "Bearer sk-canary-key"
    assert not [name for name in sent if name.startswith(extra_headers.WRAPPED)]


def test_list_of_models_is_asked_for_with_the_headers() -> None:
    seen: list[httpx2.Request] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, stream=Chunks(), headers={"content-type": "application/json"})

    class Chunks(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b'{"data": [{"id": "m"}]}'

    async def look() -> None:
        async with open_http(httpx2.MockTransport(handle)) as http:
            names, problem = await list_models(spec_at("http://127.0.0.1:9/v1", **HEADERS), http)
            assert (names, problem) == (frozenset({"m"}), None)

    asyncio.run(look())
    assert {name: seen[0].headers[name] for name in HEADERS} == HEADERS


def test_values_that_an_endpoint_repeats_are_not_shown() -> None:
    said = f"bad team {HEADERS['X-Team']}, flag 1"
    with misbehaving(status(400, said), completion(said)) as server:
        spec = spec_at(server.base_url, **HEADERS)
        with pytest.raises(EndpointError) as refused:
            asyncio.run(ask(spec))
        reply = asyncio.run(ask(spec))
    for words in (str(refused.value), refused.value.problem.sentence, repr(reply), repr(spec)):
        assert "canary-header-value" not in words
    assert "[header], flag 1" in repr(reply)  # a short value is no secret


def test_no_extra_header_of_one_endpoint_goes_to_another() -> None:
    """They share connections and the HTTP client."""
    with misbehaving(completion("hello")) as server:
        spec = spec_at(server.base_url, **HEADERS)

        async def ask_both() -> None:
            async with open_http() as http:
                await EndpointClient(spec, http).reply(ASKED, 60)
                await EndpointClient(replace(spec, extra_headers={}), http).reply(ASKED, 60)

        asyncio.run(ask_both())
        first, second = server.headers
    assert set(first) - set(second) == {name.lower() for name in HEADERS}
