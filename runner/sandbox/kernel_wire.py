"""Runs inside: a kernel's channels and streams, without a thread for each.

ipykernel gives requests, control, output and each captured stream a thread, and libzmq has two more
of its own. A kernel of a few short cells spends most of its time on starting and waking them. Here
the main thread reads requests and writes all messages itself, in ZMTP 3.0 (rfc.zeromq.org/spec/23);
one more thread sends what was printed while a cell goes on and reads what its children print.
Standard library and the kernel environment only.
"""

from __future__ import annotations

import asyncio
import codecs
import fcntl
import os
import select
import signal
import socket
import termios
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any

from ipykernel.iostream import IOPubThread, OutStream

MORE, LONG, COMMAND = 1, 2, 4
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
PEER_TIMEOUT_S = 60.0
PIECE_BYTES = 1 << 16  # what a pipe holds, as a rule
FLOOD_BYTES = PIECE_BYTES // 2
LAST_PIECES = 64  # that are taken at a cell's end, should a child print without end
GRACE_S = 0.05  # at a cell's beginning, for what it prints itself
DRAIN_WAIT_S = 0.1  # for the other thread, which may be at it without end

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
    """One peer on a listening socket that was made outside; to ipykernel it is a socket.

    A message is written when it is sent: who shows things faster than they are read waits.
    """

    def __init__(self, kind: bytes) -> None:
        self.kind = kind  # the ZMTP socket type
        self.peer: socket.socket | None = None
        self.owner = 0
        self.lock = threading.Lock()
        self.read = bytearray()

    def accept(self, listener: int) -> None:
        """Take up the peer that comes first. Raises OSError when none does in time."""
        with socket.socket(fileno=listener) as door:
            door.settimeout(PEER_TIMEOUT_S)
            self.peer, _ = door.accept()
        self.owner = os.getpid()
        self.peer.settimeout(PEER_TIMEOUT_S)
        properties = b"\x0bSocket-Type" + len(self.kind).to_bytes(4, "big") + self.kind
        ready = b"\x05READY" + properties
        self.peer.sendall(GREETING + bytes([COMMAND, len(ready)]) + ready)
        self.take_exactly(len(GREETING))
        self.take_frame()  # its READY
        if self.kind == b"PUB":
            self.take_frame()  # its subscription, to everything
        self.peer.settimeout(None)

    def take_exactly(self, count: int) -> bytes:
        assert self.peer is not None
        while len(self.read) < count:
            piece = self.peer.recv(PIECE_BYTES)
            if not piece:
                raise ConnectionError("the peer left")
            self.read += piece
        taken = bytes(self.read[:count])
        del self.read[:count]
        return taken

    def take_frame(self) -> bytes:
        flags = self.take_exactly(1)[0]
        return self.take_exactly(int.from_bytes(self.take_exactly(8 if flags & LONG else 1), "big"))

    def receive(self) -> None:
        """Read once, when the socket is readable. Raises ConnectionError at its end."""
        assert self.peer is not None
        piece = self.peer.recv(PIECE_BYTES)
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

    def send_multipart(self, frames: Sequence[Any], *args: Any, **kwargs: Any) -> None:
        """Write a message. A child of the kernel cannot: it would break the connection."""
        if self.peer is None or os.getpid() != self.owner:
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


class Tender(IOPubThread):  # type: ignore[misc]
    """One thread beside the main one, for the streams. To ipykernel it is the I/O thread.

    It sleeps while nothing is printed.
    """

    def __init__(self, channel: Channel, session: Any) -> None:  # nothing of the base's is made
        self.socket = self.background_socket = channel
        self.session = session
        self.io_loop = None
        self.streams: list[Stream] = []
        self.bell, self.bell_rope = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.is_awake = False
        self.thread = threading.Thread(target=self.tend, name="IOPub", daemon=True)

    def schedule(self, f: Callable[[], None]) -> None:
        f()

    def send_multipart(self, frames: Sequence[Any], *args: Any, **kwargs: Any) -> None:
        self.socket.send_multipart(frames)

    def wake(self) -> None:
        """Something was printed: it is sent within the flush interval."""
        if not self.is_awake:
            self.is_awake = True
            os.write(self.bell_rope, b"!")

    def tend(self) -> None:
        poll = select.poll()
        poll.register(self.bell, select.POLLIN)
        by_fd = {stream._fid: stream for stream in self.streams}
        for fd in by_fd:
            poll.register(fd, select.POLLIN)
        interval_s = OutStream.flush_interval
        flush_at = time.monotonic()
        while True:
            wait_ms = max(0, int((flush_at - time.monotonic()) * 1000)) if self.is_awake else None
            for fd, _ in poll.poll(wait_ms):
                if fd == self.bell:
                    os.read(fd, PIECE_BYTES)
                    flush_at = time.monotonic() + interval_s
                else:
                    by_fd[fd].drain_beside()
            if self.is_awake and time.monotonic() >= flush_at:
                flush_at += interval_s
                self.is_awake = False  # before looking: who prints meanwhile rings
                for stream in self.streams:
                    self.is_awake = stream.send_pending() or self.is_awake


class Stream(OutStream):  # type: ignore[misc]
    """stdout or stderr. What children print into its descriptor is read before a cell ends."""

    def __init__(self, tender: Tender, name: str) -> None:
        self.sending = threading.RLock()  # what is written first is sent first
        self.draining = threading.RLock()
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.begun_at = 0.0  # the cell
        self.begun_line = ""  # in a child, whose lines are not to mix with its siblings'
        super().__init__(tender.session, tender, name)
        tender.streams.append(self)

    def _setup_stream_redirects(self, name: str) -> None:
        self._original_stdstream_fd = 1 if name == "stdout" else 2
        self._original_stdstream_copy = os.dup(self._original_stdstream_fd)
        self._fid, inlet = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._fid, False)
        os.dup2(inlet, self._original_stdstream_fd)
        os.close(inlet)

    def _schedule_flush(self) -> None:
        self._flush_pending = True
        self.pub_thread.wake()

    def drain(self, wait_s: float = 0.0) -> bool:
        """Take in what was written to the descriptor itself, a piece; whether there was any."""
        if not self.draining.acquire(timeout=wait_s):
            return False  # the other thread does
        try:
            super().write(self.decode(os.read(self._fid, PIECE_BYTES)))
            return True
        except BlockingIOError:
            return False
        finally:
            self.draining.release()

    def drain_beside(self) -> None:
        """From the other thread: not before the cell had its say, nor into the one after it."""
        while (wait_s := self.begun_at + GRACE_S - time.monotonic()) > 0:
            time.sleep(wait_s)
        self._parent_header.set(self._parent_header_global)  # this thread's own
        self.drain()

    def is_flooded(self) -> bool:
        """Whether a child prints faster than it is read: nothing of ours need wait for it."""
        held = fcntl.ioctl(self._fid, termios.FIONREAD, bytes(4))
        return int.from_bytes(held, "little") >= FLOOD_BYTES

    def send_pending(self) -> bool:
        """Whether there was something to send."""
        was_pending = self._flush_pending
        if was_pending:
            self._flush()
        return was_pending

    def flush(self) -> None:
        if self._is_master_process():
            for _ in range(LAST_PIECES):
                if not self.drain(DRAIN_WAIT_S):
                    break
            self._flush()
        else:
            self.write_as_child("", is_last=True)

    def _flush(self) -> None:
        with self.sending:
            super()._flush()

    def set_parent(self, parent: Any) -> None:
        self.begun_at = time.monotonic()
        super().set_parent(parent)

    def write(self, string: str) -> int | None:
        if self._is_master_process() or not isinstance(string, str):
            if not self.is_flooded():
                self.drain()  # what a child printed before comes before
            return super().write(string)  # type: ignore[no-any-return]
        self.write_as_child(string)
        return len(string)

    def write_as_child(self, string: str, is_last: bool = False) -> None:
        """Into the descriptor, which the kernel's process reads."""
        text = self.begun_line + string
        whole = len(text) if is_last else text.rfind("\n") + 1
        self.begun_line = text[whole:]
        rest = text[:whole].encode("utf-8", "replace")
        while rest:
            rest = rest[os.write(self._original_stdstream_fd, rest) :]


class Requests:
    """Hands the requests of a channel to a kernel, in the main thread's event loop."""

    def __init__(self, channel: Channel, handle: Callable[[list[bytes]], Any]) -> None:
        self.channel = channel
        self.handle = handle
        self.under_way: set[asyncio.Task[None]] = set()

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        assert self.channel.peer is not None
        self.loop = loop
        self.hand_on()  # what came with the handshake
        loop.add_reader(self.channel.peer, self.receive)

    def receive(self) -> None:
        if os.getpid() != self.channel.owner:
            os._exit(0)  # a fork that came back from its cell: the requests are not its own
        try:
            self.channel.receive()
        except OSError:
            self.loop.stop()
            return
        self.hand_on()

    def hand_on(self) -> None:
        for frames in self.channel.take_messages():
            task = self.loop.create_task(self.handle(frames))
            self.under_way.add(task)
            task.add_done_callback(self.under_way.discard)
