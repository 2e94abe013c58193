"""Asking an endpoint of a test's making, over a real connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from runner.contract import EndpointSpec
from runner.endpoint import Endpoint
from runner.outbound import open_http
from runner.refusals import EndpointError
from runner.reply import ModelReply
from runner.tests import misbehaving as bad
from runner.tests.misbehaving import MisbehavingServer

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
