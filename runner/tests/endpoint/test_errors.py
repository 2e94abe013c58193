"""Refusals of endpoints of many makes, in their own words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.contract import ActionFormat, EndpointSpec, StepStatus
from runner.endpoint import errors
from runner.endpoint.error_bodies import MOST_CHARS, ErrorReport, read_error
from runner.endpoint.errors import ContextFull, EndpointError
from runner.endpoint.refusal_words import ROWS, find_row
from runner.model.reply import REFUSED, WITHHELD, read
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_client import ask, refused
from runner.tests.support.endpoint_server import Answer, misbehaving

SPEC = EndpointSpec(base_url="http://127.0.0.1:9/v1", model="m")
CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "refusals.json").read_text("utf-8")
)


def told(status: int, body: object, spec: EndpointSpec = SPEC) -> EndpointError:
    return errors.of_status(status, {}, read_error(body), spec)


def test_refusal_in_a_servers_words_gets_its_code(subtests: pytest.Subtests) -> None:
    for row in CASES:
        with subtests.test(row["who"]):
            error = told(row["status"], row["body"])
            assert error.problem.code == row["code"]
            assert isinstance(error, ContextFull) == (row["code"] == "endpoint_context_full")
            assert f"({row['status']})" in error.problem.what
            assert '{"' not in error.problem.what


async def test_refusal_over_http_gets_the_same_code(subtests: pytest.Subtests) -> None:
    """One of each status, kind of body and code: the table above has them all."""
    rows = {(row["status"], type(row["body"]), row["code"]): row for row in CASES}
    for row in rows.values():
        with subtests.test(row["who"]):
            kind, raw = "application/json", json.dumps(row["body"]).encode()
            if isinstance(row["body"], str):
                kind, raw = "text/html", row["body"].encode()
            waits = {"Retry-After": "99999"}
            with misbehaving(endpoint_server.raw(row["status"], kind, raw, waits)) as server:
                error = await refused(server)
            assert error.problem.code == row["code"]


WORDS = [
    ({"detail": "Model x is gone"}, "Model x is gone"),
    (
        {"detail": [{"loc": ["body", "messages", 0], "msg": "field required"}]},
        "body.messages.0: field required",
    ),
    ({"error": "just words"}, "just words"),
    ({"message": "on top"}, "on top"),
    ({"errors": [{"message": "first"}, {"message": "second"}]}, "first; second"),
    ({"error": {"message": '{"error": {"message": "inside"}}'}}, "inside"),
    ([{"error": {"message": "in a list"}}], "in a list"),
    ("plain text", "plain text"),
    ("<html>a page</html>", ""),
    (None, ""),
    ({"odd": 1}, '{"odd": 1}'),
]


def test_error_body_in_any_known_shape_gives_its_words(subtests: pytest.Subtests) -> None:
    for body, message in WORDS:
        with subtests.test(body=body, message=message):
            assert read_error(body).message == message


@pytest.mark.parametrize("body", ["x" * 10_000_000, ["x"] * 1_000_000, {"error": {"a": "b" * 99}}])
def test_error_body_of_any_size_is_read_in_part(body: object) -> None:
    assert len(read_error(body).message) <= MOST_CHARS


def test_error_body_nested_deeply_is_read_in_part() -> None:
    body: Any = "x"
    for _ in range(200):
        body = {"error": [body]}
    assert len(read_error(body).message) <= MOST_CHARS


WAITS = [
    ("7", "and asks to wait 7 s"),
    ("5400", "and asks to wait 90 minutes"),
    ("7200", "and asks to wait 2 hours"),
    ("5462775737", "and asks to wait for more than a day"),
    ("99999999999999999", "and asks to wait for more than a day"),
    ("Fri, 31 Dec 2199 23:59:59 GMT", "and asks to wait for more than a day"),
]


def test_retry_after_of_any_length_reads_as_words(subtests: pytest.Subtests) -> None:
    for value, words in WAITS:
        with subtests.test(value=value, words=words):
            error = errors.of_status(429, {"retry-after": value}, ErrorReport("busy"), SPEC)
            assert words in error.problem.what


def test_key_cut_by_the_read_limit_is_not_shown() -> None:
    spec = EndpointSpec(SPEC.base_url, "m", api_key="sk-0123456789abcdef")
    message = " " * (errors.READ_CHARS - 10) + spec.api_key
    assert "sk-01" not in told(400, message.lstrip(), spec).problem.what
    assert "sk-01" not in errors.quote(message, spec)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("sk-abc", "The key [key] is unknown."),
        ("s3cretok", "The key [key] is unknown."),
        ("EMPTY", "The key EMPTY is unknown."),
    ],
)
def test_short_key_is_hidden_unless_it_is_a_mere_word(key: str, words: str) -> None:
    spec = EndpointSpec(SPEC.base_url, "m", api_key=key)
    assert errors.quote(f"The key {key} is unknown.", spec) == words


NO_HTTP: list[tuple[str, Answer, str]] = [
    ("TLS alert", endpoint_server.octets(b"\x15\x03\x01\x00\x02\x02\x50"), "endpoint_not_http"),
    (
        "HTTP/2",
        endpoint_server.octets(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x80"),
        "endpoint_not_http",
    ),
    ("broken status line", endpoint_server.octets(b"HTTP/1.1 abc OK\r\n\r\n"), "endpoint_not_http"),
    (
        "two lengths",
        endpoint_server.octets(
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello"
        ),
        "endpoint_not_http",
    ),
    (
        "5 MB of headers",
        endpoint_server.octets(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 5_000_000 + b"\r\n\r\n"),
        "endpoint_not_http",
    ),
    (
        "another protocol",
        endpoint_server.octets(
            b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc"
        ),
        "endpoint_not_http",
    ),
    (
        "broken chunk",
        endpoint_server.octets(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx"),
        "endpoint_not_http",
    ),
    ("HTTP/0.9", endpoint_server.octets(b"hello there\n"), "endpoint_cut_off"),
    ("SSH", endpoint_server.octets(b"SSH-2.0-OpenSSH_9.2p1\r\n"), "endpoint_cut_off"),
]


async def test_what_is_no_http_is_called_that(subtests: pytest.Subtests) -> None:
    for what, answer, code in NO_HTTP:
        with subtests.test(what):
            with misbehaving(answer) as server:
                error = await refused(server)
            assert error.problem.code == code
            assert "HTTP" in error.problem.what
            assert "in the middle of a reply" not in error.problem.what


SORRY = "I'm sorry, I can't help with that."


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_models_refusal_is_its_answer(is_streamed: bool) -> None:
    message = {"role": "assistant", "content": None, "refusal": SORRY}
    pieces = [
        endpoint_server.chunk({"refusal": SORRY[:9]}),
        endpoint_server.chunk({"refusal": SORRY[9:]}, "stop"),
        endpoint_server.DONE,
    ]
    answer = endpoint_server.stream(*pieces) if is_streamed else endpoint_server.completion(message)
    with misbehaving(answer) as server:
        reply = await ask(server)
    action = read(reply, ActionFormat.FENCED)
    assert (action.status, action.answer, action.notes) == (StepStatus.ANSWER, SORRY, (REFUSED,))
    assert reply.text == SORRY


async def test_reply_withheld_by_a_filter_is_named_as_such() -> None:
    with misbehaving(endpoint_server.completion({"content": None}, "content_filter")) as server:
        action = read(await ask(server), ActionFormat.FENCED)
    assert action.status == StepStatus.MALFORMED
    assert "content filter" in action.complaint
    assert action.notes == (WITHHELD,)


def test_words_of_every_row_find_their_own_row() -> None:
    for row in ROWS:
        for phrase in row.phrases:
            found = find_row(min(row.statuses), phrase.replace(" * ", " x "))
            assert found is not None, phrase
            assert ROWS.index(found) <= ROWS.index(row), phrase
