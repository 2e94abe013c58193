"""A kernel's messages over its gateway's websocket, in the JSON form that every gateway speaks.

Protocol: jupyter-server.readthedocs.io, "WebSocket kernel wire protocols", the default one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import socket
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.frames import CloseCode

from runner.contract import CellStatus
from runner.outbound import USER_AGENT, trust
from runner.sandbox.conversation import (
    CELL_WIRE_BYTES,
    CHANNELS,
    LONGEST_AFTER_REPLY_S,
    Cell,
    Conversation,
)
from runner.sandbox.gateway.address import Address
from runner.sandbox.gateway.kernel import FarKernel
from runner.sandbox.gateway.rest import GatewayFailed
from runner.sandbox.messages import (
    JSON_NODES,
    Message,
    count_nodes,
    make_header,
    read_parts,
    text,
)
from runner.sandbox.zmtp import ProtocolBroken

CONNECT_TIMEOUT_S = 90.0  # gateways answer when the kernel does
ASK_TIMEOUT_S = 60.0
PING_EVERY_S = 30.0
PONG_WITHIN_S = 60.0
UNSENT_BYTES = 16 << 20  # of answers to pings, should the peer not read them
MOST_PIECES = 4_000  # of one message
TAIL_BYTES = 64
GONE = ("restarting", "autorestarting", "dead")  # what a gateway says of a kernel that died
INSIDE = Path(__file__).with_name("inside.py")

log = logging.getLogger(__name__)


class NoAnswer(Exception):
    """The kernel did not do what its helper was asked for."""


class DirectConnect(connect):
    """Follows no redirect: nobody else is told the token."""

    def process_redirect(self, exc: Exception) -> Exception:
        return exc


class StrictConnection(ClientConnection):
    """Hangs up on a peer that breaks the rules; the library would wait for it to do so."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.protocol.parser_exc or self.transport.get_write_buffer_size() > UNSENT_BYTES:
            self.transport.abort()


class Channel(Conversation):
    """The connection to one kernel behind a gateway."""

    what_is_lost = (
        "The kernel is gone, and with it its variables and all files that it made; "
        "./data is there anew in the next one."
    )
    grace_s = 5.0  # a request to the gateway is part of it
    idle_after_reply_s = 10.0  # a busy gateway passes on the reply long before what was shown

    kernel: FarKernel

    def __init__(self, address: Address, kernel: FarKernel, stream_chars: int) -> None:
        super().__init__(kernel, stream_chars)
        self.address = address
        self.session = secrets.token_hex(8)
        self.outgoing: asyncio.Queue[str] = asyncio.Queue()
        self.connection: ClientConnection | None = None
        self.tasks: list[asyncio.Task[None]] = []

    async def connect(self) -> None:
        """Raises GatewayFailed, or KernelLost when the kernel dies meanwhile."""
        place = f"api/kernels/{self.kernel.id}/channels?session_id={self.session}"
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                self.connection = await self.open_connection(
                    f"{self.address.websocket_url}/{place}"
                )
                self.tasks = [
                    asyncio.create_task(self.listen(self.connection)),
                    asyncio.create_task(self.speak(self.connection)),
                ]
                await self.greet()
        except (OSError, WebSocketException) as error:  # a TimeoutError is an OSError
            told = text(str(error)) or "no answer in time"
            raise GatewayFailed(f"The gateway gave no connection to its kernel: {told}.") from error

    async def open_connection(self, url: str) -> ClientConnection:
        quiet = log.getChild("frames")  # at DEBUG they show the headers, and the token in them
        quiet.setLevel(logging.CRITICAL)
        return await DirectConnect(
            url,
            additional_headers=self.address.headers(),
            user_agent_header=USER_AGENT,
            compression=None,  # what it unpacks to could not be bounded
            proxy=None,
            open_timeout=CONNECT_TIMEOUT_S,
            ping_interval=PING_EVERY_S,
            ping_timeout=PONG_WITHIN_S,
            create_connection=StrictConnection,
            max_size=CELL_WIRE_BYTES,
            max_queue=1,
            logger=quiet,
            ssl=trust() if url.startswith("wss:") else None,
        )

    def send(self, kind: str, content: dict[str, Any]) -> str:
        header = make_header(kind, self.session)
        message = {
            "header": header,
            "parent_header": {},
            "metadata": {},
            "content": content,
            "buffers": [],
            "channel": "shell",
        }
        self.outgoing.put_nowait(json.dumps(message))
        return header["msg_id"]

    async def speak(self, connection: ClientConnection) -> None:
        try:
            while True:
                await connection.send(await self.outgoing.get())
        except ConnectionClosed:
            return  # the listener says so

    async def interrupt(self, cell: Cell) -> bool:
        """Whether the cell ended, and all that it sent has passed: else the next would count it."""
        has_ended = await super().interrupt(cell)
        if not has_ended and cell.has_reply:
            await asyncio.wait((cell.ended,), timeout=LONGEST_AFTER_REPLY_S)
        return cell.ended.done() and not self.lost

    async def listen(self, connection: ClientConnection) -> None:
        """Read to the connection's end."""
        try:
            while True:
                self.take(*await self.read_message(connection))
                acknowledge(connection)
        except ProtocolBroken:
            self.lose("flood")
        except ConnectionClosed as closed:
            is_too_much = closed.sent and closed.sent.code == CloseCode.MESSAGE_TOO_BIG
            self.kernel.is_cut = not is_too_much
            self.lose("flood" if is_too_much else "died")

    async def read_message(self, connection: ClientConnection) -> tuple[bytes, bool]:
        """(message, whether that is all of it): of one that is too large only the end."""
        kept, is_whole, pieces = bytearray(), True, 0
        async for piece in connection.recv_streaming(decode=False):
            self.meter.count(len(piece))
            pieces += 1
            if pieces > MOST_PIECES:
                raise ProtocolBroken("a message of too many pieces")
            if len(kept) + len(piece) > self.meter.caps.message_bytes:
                kept, is_whole, piece = kept[-TAIL_BYTES:], False, piece[-TAIL_BYTES:]
            kept += piece
        self.meter.messages += 1
        return bytes(kept), is_whole

    def take(self, raw: bytes, is_whole: bool) -> None:
        channel, message = parse(raw) if is_whole else (channel_at_end(raw), None)
        if channel not in CHANNELS:
            return
        if message and is_obituary(message):
            self.kernel.is_told_dead = message.type == "status"
            self.lose("died")
        self.hear(channel, message)

    async def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What `inside.py` answers, which may be anything. Raises NoAnswer."""
        told = await self.evaluate(expression(request))
        if told is None:
            raise NoAnswer("the kernel's answer makes no sense")
        if "error" in told:
            raise NoAnswer(text(told["error"], 100) or "an error without a name")
        return told

    async def evaluate(self, python: str) -> dict[str, Any] | None:
        """What an expression is shown as, if that is a JSON object. Raises NoAnswer."""
        asked = {
            "code": "",
            "silent": True,
            "store_history": False,
            "user_expressions": {"said": python},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        with self.asking(asked) as cell:
            cell.shows = False
            status, reason = await self.see_through(cell, ASK_TIMEOUT_S)
        if status is CellStatus.KILLED:
            self.lose(reason)
            raise NoAnswer(f"the kernel was lost ({reason})")
        return read_said(cell.reply)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.connection:
            self.connection.transport.abort()
            await self.connection.wait_closed()


def acknowledge(connection: ClientConnection) -> None:
    """At once: Jupyter's servers hold the next small message back until then, else for 40 ms."""
    bare = connection.transport.get_extra_info("socket")
    with contextlib.suppress(OSError, AttributeError):  # it may just have been closed
        bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def parse(raw: bytes) -> tuple[str, Message | None]:
    """(channel, message): None for what is no message, or too large to unpack."""
    try:
        told = json.loads(raw) if count_nodes(raw) <= JSON_NODES else None
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        return channel_at_end(raw), None
    message = read_parts(told.get("header"), told.get("parent_header"), told.get("content"))
    return text(told.get("channel")), message


def channel_at_end(raw: bytes) -> str:
    """The channel of a message that is not unpacked: Jupyter's servers name it last."""
    return "shell" if b'"channel": "shell"' in raw[-TAIL_BYTES:] else "iopub"


def is_obituary(message: Message) -> bool:
    """Whether it says that the kernel died, or was told to end."""
    if message.type == "status":
        return message.content.get("execution_state") in GONE
    return message.type == "shutdown_reply"


@cache
def helper() -> str:
    return INSIDE.read_text("utf-8")


def expression(request: Mapping[str, Any]) -> str:
    """Python that has the helper do what is requested, in a namespace of its own."""
    asked = json.dumps(dict(request))
    return (
        f"(lambda names: __import__('builtins').exec({helper()!r}, names)"
        f" or names['answer']({asked!r}))({{'__name__': 'pybench'}})"
    )


def read_said(reply: Mapping[str, Any]) -> dict[str, Any] | None:
    """The helper's answer in a reply to `ask`; None when there is none."""
    place: Any = reply
    for name in ("user_expressions", "said", "data", "text/plain"):
        place = place.get(name) if isinstance(place, Mapping) else None
    try:
        told = json.loads(place) if isinstance(place, str) else None
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None
