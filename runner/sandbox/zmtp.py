"""ZMTP 3.0 with the NULL mechanism, reading what a hostile peer sends (rfc.zeromq.org/spec/23).

libzmq would buffer an unfinished multipart message without end; here every length is checked before
a byte is kept. A message that is merely too large is read and thrown away in pieces.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Sequence
from dataclasses import dataclass

MORE, LONG, COMMAND = 1, 2, 4
GREETING_BYTES = 64
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
SUBSCRIBE_TO_ALL = b"\x00\x01\x01"
PIECE_BYTES = 1 << 16
READY_BYTES = 1 << 12


class ProtocolBroken(Exception):
    """The peer does not speak ZMTP, or sends more than it may."""


@dataclass(frozen=True)
class Caps:
    """Of one message, and of all that is read before somebody calls `Meter.reset`."""

    frame_bytes: int = 12 << 20
    message_bytes: int = 13 << 20
    frames: int = 32
    total_bytes: int = 6 * (48 << 20)


@dataclass
class Meter:
    """Counts what was read."""

    caps: Caps
    total_bytes: int = 0
    messages: int = 0

    def reset(self) -> None:
        self.total_bytes = self.messages = 0

    def count(self, size_bytes: int) -> None:
        self.total_bytes += size_bytes + 9
        if self.total_bytes > self.caps.total_bytes:
            raise ProtocolBroken("too many bytes")


def ready_command(socket_type: bytes) -> bytes:
    properties = b"\x0bSocket-Type" + struct.pack(">I", len(socket_type)) + socket_type
    if socket_type == b"DEALER":
        properties += b"\x08Identity" + struct.pack(">I", 0)
    body = b"\x05READY" + properties
    return bytes([COMMAND, len(body)]) + body


def encode(frames: Sequence[bytes]) -> bytes:
    """A multipart message as it goes over the wire."""
    parts: list[bytes] = []
    for position, frame in enumerate(frames):
        flags = MORE if position < len(frames) - 1 else 0
        if len(frame) > 255:
            parts.append(bytes([flags | LONG]) + struct.pack(">Q", len(frame)))
        else:
            parts.append(bytes([flags, len(frame)]))
        parts.append(frame)
    return b"".join(parts)


async def read_greeting(reader: asyncio.StreamReader) -> None:
    greeting = await reader.readexactly(GREETING_BYTES)
    is_null = greeting[12:32] == GREETING[12:32]
    if greeting[0] != 0xFF or greeting[9] != 0x7F or greeting[10] < 3 or not is_null:
        raise ProtocolBroken("no ZMTP 3 greeting")


async def read_ready(reader: asyncio.StreamReader) -> None:
    """The peer's READY; traffic may start only after it."""
    flags, length = await read_header(reader)
    if not flags & COMMAND or length > READY_BYTES:
        raise ProtocolBroken("no handshake")
    if not (await reader.readexactly(length)).startswith(b"\x05READY"):
        raise ProtocolBroken("no handshake")


async def read_message(reader: asyncio.StreamReader, meter: Meter) -> list[bytes] | None:
    """The frames of the next message; None when it was too large and thrown away."""
    frames: list[bytes] = []
    size_bytes = count = 0
    has_all = True
    while True:
        flags, length = await read_header(reader)
        meter.count(length)
        if flags & COMMAND:
            await skip(reader, length)
            continue
        size_bytes += length
        count += 1
        if count > meter.caps.frames:
            raise ProtocolBroken("a message of too many frames")
        if length > meter.caps.frame_bytes or size_bytes > meter.caps.message_bytes:
            has_all, frames = False, []
        if has_all:
            frames.append(await reader.readexactly(length))
        else:
            await skip(reader, length)
        if not flags & MORE:
            meter.messages += 1
            return frames if has_all else None


async def read_header(reader: asyncio.StreamReader) -> tuple[int, int]:
    """(flags, length) of the next frame."""
    flags = (await reader.readexactly(1))[0]
    if flags & LONG:
        return flags, struct.unpack(">Q", await reader.readexactly(8))[0]
    return flags, (await reader.readexactly(1))[0]


async def skip(reader: asyncio.StreamReader, length: int) -> None:
    while length:
        piece = await reader.read(min(length, PIECE_BYTES))
        if not piece:
            raise asyncio.IncompleteReadError(b"", length)
        length -= len(piece)
