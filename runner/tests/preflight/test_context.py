"""The context length that an endpoint states in its list of models."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from runner.contract import EndpointSpec
from runner.endpoint.payloads import read_context_tokens
from runner.preflight.look import EndpointLook
from runner.preflight.report import Check, State, judge


def listing(**row: Any) -> bytes:
    return json.dumps({"data": [{"id": "other", "max_model_len": 1}, {"id": "m", **row}]}).encode()


def test_stated_context_is_read_of_the_model_alone(subtests: pytest.Subtests) -> None:
    for data, tokens in [
        (listing(max_model_len=32768), 32768),
        (listing(context_length=8192), 8192),
        (listing(max_context_length=4096, loaded_context_length=2048), 2048),
        (listing(), None),
        (listing(max_model_len=True), None),
        (listing(max_model_len="32768"), None),
        (listing(max_model_len=-1), None),
        (listing(max_model_len=10**30), None),
        (b"[]", None),
        (b"{", None),
        (b'{"data": [1]}', None),
        (b'{"data": [{"id": "x"}]}', None),
        (b"[" * 100_000, None),
    ]:
        with subtests.test(data=data, tokens=tokens):
            assert read_context_tokens(data, "m") == tokens


def context_check(tokens: int | None) -> Check | None:
    look = EndpointLook(time.monotonic() + 60)
    look.has_answered, look.context_tokens = True, tokens
    checks = judge(EndpointSpec("http://127.0.0.1:9/v1", "m"), None, look, has_kernel=True)
    return next((check for check in checks if check.name == "context"), None)


def test_short_context_is_warned_of_and_an_unknown_one_is_not_named() -> None:
    short, long = context_check(512), context_check(131_072)
    assert short is not None
    assert long is not None
    assert (short.state, long.state) == (State.WARNING, State.OK)
    assert "states a context of 512 tokens" in short.said
    assert context_check(None) is None
