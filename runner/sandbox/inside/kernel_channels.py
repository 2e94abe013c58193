"""Runs inside: a kernel's channels as sockets that its main thread reads and writes itself.

Messages as frames of ZMTP (rfc.zeromq.org/spec/23), with the host as the one peer. Standard library
only.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any

MORE, LONG, COMMAND = 1, 2, 4
PIECE_BYTES = 1 << 16  # what a pipe holds, as a rule

Handler = Callable[[int, FrameType | None], Any] | int | None


class LaterInterrupt:
    """A SIGINT during what is inside comes after it: half a message would break the connection."""

    came = False
    before: Handler = None

    def __enter__(self) -> None:
        self.before = signal.signal(signal.SIGINT, self.note)

    def note(self, number: int, frame: FrameType | None) -> None:
        self.came = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.signal(signal.SIGINT, self.before)
        if self.came and callable(self.before):
            self.before(signal.SIGINT, None)


class Channel:
    """One end of a pair of sockets that was made outside; to ipykernel it is a socket.

    A message is written when it is sent: who shows things faster than they are read waits.
    """

    def __init__(self) -> None:
        self.peer: socket.socket | None = None
        self.owner = 0
        self.lock = threading.Lock()
        self.read = bytearray()
        self.sent = 0  # messages

    def take_up(self, end: int) -> None:
        self.peer, self.owner = socket.socket(fileno=end), os.getpid()

    def receive(self) -> None:
        """Read once, when the socket is readable. Raises ConnectionError at its end."""
        assert self.peer is not None
        try:
            piece = self.peer.recv(PIECE_BYTES, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return  # called twice for one look: a callback in between ended the loop
        if not piece:
            raise ConnectionError("the peer left")
        self.read += piece

    def take_messages(self) -> list[list[bytes]]:
        """Those that are complete. The host is the peer: what it sends is well formed."""
        messages: list[list[bytes]] = []
        while True:
            frames, end = split(self.read)
            if not end:
                return messages
            del self.read[:end]
            messages.append(frames)

    def is_inherited(self) -> bool:
        """True in a child of the kernel, forked by a cell: the peer is not its own."""
        return self.peer is not None and os.getpid() != self.owner

    def send_multipart(self, frames: Sequence[Any], *args: Any, **kwargs: Any) -> None:
        """Write a message. A child of the kernel cannot: it would break the connection."""
        self.sent += 1
        if self.peer is None or self.is_inherited():
            return
        data = encode(frames)
        if threading.current_thread() is threading.main_thread():
            with LaterInterrupt():
                self.write(data)
        else:
            self.write(data)

    def write(self, data: bytes) -> None:
        assert self.peer is not None
        with self.lock:
            self.peer.sendall(data)


def split(data: bytearray) -> tuple[list[bytes], int]:
    """The frames of the first message and where it ends; 0 when it is not all there."""
    frames: list[bytes] = []
    place = 0
    while True:
        head = place + (9 if data[place : place + 1] and data[place] & LONG else 2)
        if len(data) < head:
            return [], 0
        flags, length = data[place], int.from_bytes(data[place + 1 : head], "big")
        place = head + length
        if len(data) < place:
            return [], 0
        if not flags & COMMAND:
            frames.append(bytes(data[head:place]))
            if not flags & MORE:
                return frames, place


def encode(frames: Sequence[Any]) -> bytes:
    parts: list[Any] = []
    last = len(frames) - 1
    for number, frame in enumerate(frames):
        size = memoryview(frame).nbytes
        more = MORE if number < last else 0
        if size > 255:
            parts.append(bytes([more | LONG]) + size.to_bytes(8, "big"))
        else:
            parts.append(bytes([more, size]))
        parts.append(frame)
    return b"".join(parts)


class Requests:
    """Hands the requests of a channel to a kernel, in the main thread's event loop."""

    def __init__(self, channel: Channel, handle: Callable[[list[bytes]], Any]) -> None:
        self.channel = channel
        self.handle = handle
        self.under_way: set[asyncio.Task[None]] = set()
        self.has_peer_left = False

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        assert self.channel.peer is not None
        self.loop = loop
        self.hand_on()  # what came with the handshake
        loop.add_reader(self.channel.peer, self.receive)

    def receive(self) -> None:
        if self.channel.is_inherited():
            os._exit(0)  # forked by a callback: the requests are not its own
        try:
            self.channel.receive()
        except OSError:
            self.has_peer_left = True
            self.loop.stop()
            return
        self.hand_on()

    def hand_on(self) -> None:
        for frames in self.channel.take_messages():
            task = self.loop.create_task(self.handle(frames))
            self.under_way.add(task)
            task.add_done_callback(self.under_way.discard)
