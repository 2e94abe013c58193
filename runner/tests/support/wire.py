"""Servers that mean harm, and the names and addresses by which a guarded client finds them."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpcore2
import httpx2
import pytest

from runner.contract import Fault, ProblemError
from runner.endpoint.guarded_transport import (
    AddressPolicy,
    guarded_client,
)

NAME = "model.host.com"
PUBLIC = "1.1.1.1"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
HELLO = OK + b"Content-Length: 2\r\n\r\n{}"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


Play = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Server:
    """A loopback server that reads each request's head and body, then plays its part."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.heads: list[str] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                self.heads.append(head)
                await reader.readexactly(body_length(head))
                await self.play(reader, writer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def body_length(head: str) -> int:
    for line in head.lower().splitlines():
        if line.startswith("content-length:"):
            return int(line.partition(":")[2])
    return 0


def sends(*parts: bytes, then_closes: bool = False) -> Play:
    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
        if then_closes:
            await writer.drain()
            writer.close()

    return play


def repeats(head: bytes, part: bytes, pause_s: float = 0.0) -> Play:
    """Sends `head`, then `part` until the client has had enough."""

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return play


@asynccontextmanager
async def serving(play: Play, tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    server = Server(play)
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(server.serve(reader, writer))
        tasks.add(task)

    listener = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def deaf() -> AsyncIterator[int]:
    """The port of a server that takes connections and then neither reads nor writes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


class Wire(httpcore2.AsyncNetworkBackend):
    """The internet of the tests: every address leads to one loopback port, and is noted."""

    def __init__(self, port: int, dead: Iterable[str] = ()) -> None:
        self.port = port
        self.dead = frozenset(dead)
        self.called: list[str] = []
        self.sockets = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *rest: Any, **more: Any
    ) -> httpcore2.AsyncNetworkStream:
        self.called.append(host)
        if host in self.dead:
            raise httpcore2.ConnectError("refused")
        return await self.sockets.connect_tcp("127.0.0.1", self.port, timeout)


class Names:
    """A resolver that gives one list of addresses after another; the last for ever."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def local(server: Server, **limits: Any) -> AddressPolicy:
    """The policy that lets `server` be called."""
    return AddressPolicy(loopback=frozenset({("127.0.0.1", server.port)}), **limits)


HTTP = AddressPolicy(is_http_allowed=True)


async def get(url: str, policy: AddressPolicy = HTTP, **outside: Any) -> httpx2.Response:
    async with guarded_client(policy, 10.0, **outside) as client:
        return await client.get(url)


async def refused(url: str, policy: AddressPolicy = HTTP, **outside: Any) -> str:
    """The code of the refusal of a request to `url`."""
    with pytest.raises(ProblemError) as caught:
        await get(url, policy, **outside)
    assert caught.value.problem.fault is Fault.SUBMITTER
    return caught.value.problem.code
