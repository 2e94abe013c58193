"""A kernel that is not one: a peer on a real socket that says what it likes."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable

from runner.contract import CellResult
from runner.sandbox.kernel import zmtp
from runner.sandbox.kernel.connection import CHANNELS, KernelConnection
from runner.sandbox.kernel.messages import DELIMITER, Codec
from runner.sandbox.kernel.output_budget import OutputAllowance

KEY = b"the-signing-key"
STREAM_CHARS = 1000


Play = Callable[["Peer", dict[str, object]], Awaitable[None]]


class FakeProcess:
    """Stands for the kernel's process: remembers what was done to it."""

    def __init__(self) -> None:
        self.died = asyncio.Event()
        self.interrupts = 0

    def interrupt(self) -> None:
        self.interrupts += 1

    async def end(self) -> None:
        self.died.set()

    def is_out_of_memory(self) -> bool:
        return False


class Peer:
    """The other end of both channels; `play` is what it does when it is sent a cell."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.codec = Codec.of(KEY)
        self.writers: dict[str, asyncio.StreamWriter] = {}
        self.sockets: dict[str, socket.socket] = {}  # the other ends
        self.serving: list[asyncio.Task[None]] = []
        self.playing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Peer:
        for channel in CHANNELS:
            self.sockets[channel], ours = socket.socketpair()
            reader, self.writers[channel] = await asyncio.open_unix_connection(sock=ours)
            self.serving.append(asyncio.create_task(self.serve(channel, reader)))
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self.playing:
            self.playing.cancel()
            await asyncio.gather(self.playing, return_exceptions=True)
        for task in self.serving:
            task.cancel()
        await asyncio.gather(*self.serving, return_exceptions=True)
        for writer in self.writers.values():
            writer.transport.abort()
        await asyncio.sleep(0)

    async def serve(self, channel: str, reader: asyncio.StreamReader) -> None:
        if channel == "iopub":
            self.say("iopub", "status", {"execution_state": "starting"}, {})
        allowance = OutputAllowance()
        try:
            while channel == "shell":
                frames = await zmtp.read_message(reader, allowance)
                assert frames is not None
                self.answer(json.loads(frames[frames.index(DELIMITER) + 2]))
            await reader.read()
        except (OSError, asyncio.IncompleteReadError):
            pass

    def answer(self, header: dict[str, object]) -> None:
        self.playing = asyncio.create_task(self.play(self, header))  # type: ignore[arg-type]

    def frames(self, kind: str, content: object, parent: object) -> list[bytes]:
        body = [json.dumps(part).encode() for part in ({"msg_type": kind}, parent, {}, content)]
        return [DELIMITER, self.codec.sign(body), *body]

    def say(self, channel: str, kind: str, content: object, parent: object) -> None:
        self.writers[channel].write(zmtp.encode(self.frames(kind, content, parent)))

    def print(self, text: str, parent: object) -> None:
        self.say("iopub", "stream", {"name": "stdout", "text": text}, parent)

    def end(self, parent: object) -> None:
        self.say("iopub", "status", {"execution_state": "idle"}, parent)
        self.say("shell", "execute_reply", {"status": "ok"}, parent)


async def execute(play: Play, timeout_s: float = 10.0) -> tuple[CellResult, FakeProcess]:
    process = FakeProcess()
    async with Peer(play) as peer:
        wire = KernelConnection(process, KEY, STREAM_CHARS)
        try:
            await wire.connect(peer.sockets)
            result = await wire.execute("1", timeout_s)
        finally:
            await wire.close()
    return result, process
