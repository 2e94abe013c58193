"""A kernel's messages over its sockets on this host, read by our own reader."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

from runner.contract import KernelLost
from runner.sandbox.kernel import zmtp
from runner.sandbox.kernel.conversation import Conversation, Kernel
from runner.sandbox.kernel.messages import Codec
from runner.sandbox.kernel.output_budget import TooMuch

CONNECT_TIMEOUT_S = 60.0
CHANNELS = {"shell": b"DEALER", "iopub": b"SUB"}

log = logging.getLogger(__name__)


class Wire(Conversation):
    """The connection to one kernel."""

    def __init__(self, kernel: Kernel, key: bytes, stream_chars: int) -> None:
        super().__init__(kernel, stream_chars)
        self.codec = Codec.of(key)
        self.writers: dict[str, asyncio.StreamWriter] = {}
        self.readers: list[asyncio.Task[None]] = []

    async def connect(self, path_of: Callable[[str], str]) -> None:
        """Shake hands on the channels' sockets and hear that the kernel is there.

        Raises KernelLost when the kernel does not answer in time.
        """
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                for channel in CHANNELS:
                    await self.open_channel(channel, path_of(channel))
                await self.await_first_word()
        except (TimeoutError, OSError) as error:
            raise KernelLost("The kernel did not answer in time.") from error

    async def await_first_word(self) -> None:
        """Our kernels say that they start once they have taken up both channels."""
        death = asyncio.create_task(self.kernel.died.wait())
        word = asyncio.create_task(self.heard["iopub"].wait())
        try:
            await asyncio.wait((death, word), return_when=asyncio.FIRST_COMPLETED)
        finally:
            death.cancel()
            word.cancel()
        if self.lost or self.kernel.died.is_set():
            raise KernelLost("The kernel died while it started.")

    def lose(self, reason: str) -> None:
        super().lose(reason)
        self.heard["iopub"].set()  # there will be no first word

    async def open_channel(self, channel: str, path: str) -> None:
        reader, writer = await asyncio.open_unix_connection(path, limit=1 << 18)
        self.writers[channel] = writer
        writer.write(zmtp.GREETING + zmtp.ready_command(CHANNELS[channel]))
        await shake_hands(reader)
        if channel == "iopub":
            writer.write(zmtp.SUBSCRIBE_TO_ALL)
        self.readers.append(asyncio.create_task(self.listen(channel, reader)))

    def send(self, kind: str, content: dict[str, Any]) -> str:
        message_id, frames = self.codec.request(kind, content)
        self.writers["shell"].write(zmtp.encode(frames))
        return message_id

    async def listen(self, channel: str, reader: asyncio.StreamReader) -> None:
        """Read one channel to its end, which is the kernel's, whatever it comes of."""
        try:
            while True:
                frames = await zmtp.read_message(reader, self.allowance)
                self.hear(channel, self.codec.parse(frames) if frames is not None else None)
        except TooMuch:
            self.lose("flood")
        except (OSError, asyncio.IncompleteReadError):
            self.lose("died")
        except Exception:  # the edge of what a kernel says: a dead reader would tell nobody
            log.exception("A kernel's message on %s could not be taken", channel)
            self.lose("unreadable")

    async def close(self) -> None:
        for task in self.readers:
            task.cancel()
        await asyncio.gather(*self.readers, return_exceptions=True)
        for writer in self.writers.values():
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def shake_hands(reader: asyncio.StreamReader) -> None:
    try:
        await zmtp.read_greeting(reader)
        await zmtp.read_ready(reader)
    except (zmtp.ProtocolBroken, asyncio.IncompleteReadError) as error:
        raise KernelLost("The kernel's connection broke off.") from error
