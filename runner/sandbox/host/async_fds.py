"""File descriptors: how many there may be; waiting in asyncio until there is something to read."""

from __future__ import annotations

import asyncio
import os
import resource
import select
from collections.abc import Callable

CHUNK_BYTES = 1 << 16


def raise_limit() -> int:
    """Let this process, and what it starts, have as many descriptors as the host allows it.

    It is also how many may be on their way in messages before this process may send none.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def is_readable(fd: int, timeout_s: float = 0.0) -> bool:
    """True if `fd`, of whatever number, is readable (for a pidfd: the process ended)."""
    looked_at = select.poll()
    looked_at.register(fd, select.POLLIN)
    return bool(looked_at.poll(1000 * timeout_s))


async def wait_readable(fd: int, timeout_s: float) -> bool:
    """Wait for `fd` to become readable (for a pidfd: the process ended); False if time runs out."""
    loop = asyncio.get_running_loop()
    readable: asyncio.Future[None] = loop.create_future()
    loop.add_reader(fd, lambda: None if readable.done() else readable.set_result(None))
    try:
        async with asyncio.timeout(timeout_s):
            await readable
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(fd)
    return True


async def read_head(fd: int, kept: bytearray, cap_bytes: int) -> None:
    """Keep the beginning of a pipe; the rest is read and dropped, so that nobody blocks."""

    def take(chunk: bytes) -> None:
        kept.extend(chunk[: max(0, cap_bytes - len(kept))])

    await read_to_end(fd, take)


async def read_tail(fd: int, kept: bytearray, cap_bytes: int) -> None:
    """Keep the end of a pipe."""

    def take(chunk: bytes) -> None:
        kept.extend(chunk)
        del kept[: max(0, len(kept) - cap_bytes)]

    await read_to_end(fd, take)


async def read_to_end(fd: int, take: Callable[[bytes], None]) -> None:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def read() -> None:
        chunk = os.read(fd, CHUNK_BYTES)
        take(chunk)
        if not chunk and not ended.done():
            ended.set_result(None)
            loop.remove_reader(fd)

    loop.add_reader(fd, read)
    try:
        await ended
    finally:
        loop.remove_reader(fd)


def memory_file(content: bytes) -> int:
    """A descriptor to hand to a child, holding `content`."""
    fd = os.memfd_create("given", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(fd), "wb") as file:
        file.write(content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd
