"""Messages as frames of ZMTP, reading what a hostile peer sends (rfc.zeromq.org/spec/23).

libzmq would buffer an unfinished multipart message without end; here every length is checked before
a byte is kept. A message that is merely too large is read and thrown away in pieces.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Sequence

from runner.sandbox.kernel.output_budget import OutputAllowance, TooMuch

MORE, LONG, COMMAND = 1, 2, 4
PIECE_BYTES = 1 << 16
FRAMES_AT_ONCE = 64  # then other tasks of the loop have their turn
BYTES_AT_ONCE = 1 << 18


class ProtocolBroken(TooMuch):
    """The peer sends more frames in one message than it may."""


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


async def read_message(
    reader: asyncio.StreamReader, allowance: OutputAllowance
) -> list[bytes] | None:
    """The frames of the next message; None when it was too large and thrown away.

    A reader whose buffer is full never waits, so the loop is given back now and then.
    """
    caps = allowance.caps
    frames: list[bytes] = []
    size_bytes = count = 0
    has_all = True
    while True:
        flags, length = await read_header(reader)
        allowance.count_frame(length)
        await yield_now_and_then(allowance, length)
        if flags & COMMAND:
            await skip(reader, length)
            continue
        size_bytes += length
        count += 1
        if count > caps.message_frames:
            raise ProtocolBroken("a message of too many frames")
        if length > caps.frame_bytes or size_bytes > caps.message_bytes:
            has_all, frames = False, []
        if has_all:
            frames.append(await reader.readexactly(length))
        else:
            await skip(reader, length)
        if not flags & MORE:
            allowance.count_message()
            return frames if has_all else None


async def yield_now_and_then(allowance: OutputAllowance, length: int) -> None:
    if allowance.frames % FRAMES_AT_ONCE == 0 or length >= BYTES_AT_ONCE:
        await asyncio.sleep(0)


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
