"""Asking an endpoint of a test's making, over a real connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from runner.contract import EndpointSpec
from runner.endpoint.client import EndpointClient
from runner.endpoint.errors import EndpointError
from runner.endpoint.http import open_http
from runner.model.reply import ModelReply
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_server import MisbehavingServer

KEY = "sk-secret-0123456789"
ASKED = [{"role": "user", "content": "Hello"}]
GOOD = endpoint_server.said("Hello there")


@asynccontextmanager
async def endpoint(base_url: str, **spec: Any) -> AsyncIterator[EndpointClient]:
    async with open_http() as http:
        spec = {"api_key": KEY, **spec}
        yield EndpointClient(EndpointSpec(base_url, "some-model", **spec), http, first_pause_s=0.01)


async def ask(server: MisbehavingServer, timeout_s: float = 20.0, **spec: Any) -> ModelReply:
    async with endpoint(server.base_url, **spec) as chat:
        return await chat.reply(ASKED, timeout_s)


async def refused(server: MisbehavingServer, timeout_s: float = 20.0, **spec: Any) -> EndpointError:
    with pytest.raises(EndpointError) as caught:
        await ask(server, timeout_s, **spec)
    return caught.value
