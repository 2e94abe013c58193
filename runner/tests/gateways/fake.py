"""A gateway that is none: a server on loopback that says what a test wants, down to the bytes."""

from __future__ import annotations

import ast
import asyncio
import base64
import hashlib
import json
import re
import struct
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

KERNEL_ID = "01234567-89ab-4def-8123-456789abcdef"
TOKEN = "canary-token-5e1f"
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455
JOB = re.compile(r"names\['answer'\]\((.+)\)\)\(\{'__name__'", re.DOTALL)
TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9

Play = Callable[["Line", dict[str, Any]], Awaitable[None]]
Answer = Callable[[dict[str, Any]], object]
Rest = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]


def frame(content: bytes, opcode: int = TEXT, is_last: bool = True, claims: int = 0) -> bytes:
    """A websocket frame as servers send it; `claims` is a length that it does not have."""
    size = claims or len(content)
    head = bytes([(0x80 if is_last else 0) | opcode])
    if size < 126:
        return head + bytes([size]) + content
    if size < 1 << 16:
        return head + b"\x7e" + struct.pack(">H", size) + content
    return head + b"\x7f" + struct.pack(">Q", size) + content


def http(status: int, body: object = None, headers: str = "") -> bytes:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = f"HTTP/1.1 {status} x\r\nContent-Length: {len(content)}\r\n{headers}\r\n"
    return head.encode() + content


def message(channel: object, kind: object, content: object, parent: object) -> dict[str, Any]:
    return {
        "header": {"msg_type": kind, "msg_id": "1"},
        "parent_header": parent,
        "metadata": {},
        "content": content,
        "buffers": [],
        "channel": channel,
    }


@dataclass
class Line:
    """One websocket, from the server's side."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def raw(self, content: bytes) -> None:
        self.writer.write(content)

    def say(self, channel: object, kind: object, content: object, parent: object) -> None:
        self.raw(frame(json.dumps(message(channel, kind, content, parent)).encode()))

    def print(self, text: str, parent: object) -> None:
        self.say("iopub", "stream", {"name": "stdout", "text": text}, parent)

    def end(self, parent: object, **reply: object) -> None:
        self.say("shell", "execute_reply", {"status": "ok", **reply}, parent)
        self.say("iopub", "status", {"execution_state": "idle"}, parent)

    async def read(self) -> dict[str, Any] | None:
        """The client's next message; None for a control frame."""
        head = await self.reader.readexactly(2)
        size = head[1] & 0x7F
        if size == 126:
            (size,) = struct.unpack(">H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", await self.reader.readexactly(8))
        mask = await self.reader.readexactly(4)
        masked = await self.reader.readexactly(size)
        if head[0] & 0x0F != TEXT:
            return None
        key = (mask * (size // 4 + 1))[:size]
        plain = int.from_bytes(masked, "big") ^ int.from_bytes(key, "big")
        told: dict[str, Any] = json.loads(plain.to_bytes(size, "big"))
        return told


async def go_well(line: Line, header: dict[str, Any]) -> None:
    line.end(header)


def helpful(job: dict[str, Any]) -> object:
    """What the helper says of an empty folder."""
    answers: dict[str, object] = {
        "open": {"work": "/far"},
        "look": {"state": "whole", "rows": []},
        "read": {"data": ""},
    }
    return answers.get(job["do"], {})


@dataclass
class FakeGateway:
    """`rest` replaces answers by "METHOD /path"; `play` does a model's cell; `answer` the helper's.

    A value of `rest` is bytes to send, or a function that is given the writer.
    """

    play: Play = go_well
    answer: Answer = helpful
    rest: dict[str, Rest] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    server: asyncio.Server | None = None
    url: str = ""
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> FakeGateway:
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 24)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self.server is not None
        self.server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        try:
            await self.respond(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()

    async def respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, target, _ = head.split(" ", 2)
        headers = dict(re.findall(r"^([\w-]+): *(.*)\r$", head, re.MULTILINE))
        headers = {name.lower(): value for name, value in headers.items()}
        await reader.readexactly(int(headers.get("content-length", 0)))
        path = target.partition("?")[0]
        self.asked.append(f"{method} {path}")
        self.tokens.add(headers.get("authorization", ""))
        given = self.rest.get(f"{method} {path}")
        if callable(given):
            await given(writer)
        elif given is not None:
            writer.write(given)
        elif path.endswith("/channels"):
            await self.converse(Line(reader, writer), headers["sec-websocket-key"])
        else:
            writer.write(self.usual(method, path))
        await writer.drain()

    def usual(self, method: str, path: str) -> bytes:
        if method == "GET":
            specs: dict[str, object] = {"python3": {}}
            return http(200, {"version": "2", "default": "python3", "kernelspecs": specs})
        if method == "POST" and path == "/api/kernels":
            return http(201, {"id": KERNEL_ID, "name": "python3"})
        return b"HTTP/1.1 204 x\r\n\r\n"

    async def converse(self, line: Line, key: str) -> None:
        digest = hashlib.sha1(key.encode() + MAGIC).digest()
        accept = base64.b64encode(digest).decode()
        line.raw(
            b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )
        while True:
            told = await line.read()
            if told is not None:
                await self.react(line, told["header"], told["content"])
            await line.writer.drain()

    async def react(self, line: Line, header: dict[str, Any], content: dict[str, Any]) -> None:
        if header["msg_type"] == "kernel_info_request":
            line.end(header)
        elif not content["silent"]:
            await self.play(line, header)
        else:
            line.end(header, user_expressions={"said": self.show(content)})

    def show(self, content: dict[str, Any]) -> object:
        """What a silent request's expression is shown as."""
        job = job_of(content)
        told = self.answer(job) if job else None
        shown = told if isinstance(told, str) else json.dumps(told)
        return {"status": "ok", "data": {"text/plain": shown}}


def job_of(content: dict[str, Any]) -> dict[str, Any]:
    """What the helper is asked for; empty when it is not."""
    found = JOB.search(content.get("user_expressions", {}).get("said", ""))
    job: dict[str, Any] = json.loads(ast.literal_eval(found[1])) if found else {}
    return job


def row(path: object, size: object = 0, **other: object) -> list[object]:
    """Of a listing: a regular file unless told otherwise."""
    told = {"mode": 0o100644, "links": 1, "size": size, "inode": 1, "modified": 1, "changed": 1}
    return [path, *{**told, **other}.values()]


def folder_of(files: dict[str, bytes], rows: Iterable[list[object]] = ()) -> Answer:
    """A helper that tells these files, and these rows besides."""

    def answer(job: dict[str, Any]) -> object:
        if job["do"] == "look":
            told = [row(name, len(content)) for name, content in files.items()]
            return {"state": "whole", "rows": [*told, *rows]}
        if job["do"] == "read":
            content = files[job["path"].removeprefix("output/").removeprefix("./")]
            piece = content[job["offset"] : job["offset"] + job["size"]]
            return {"data": base64.b64encode(piece).decode()}
        return helpful(job)

    return answer
