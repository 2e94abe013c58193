"""A process held by its pidfd, never by its number, and the log that it writes."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal

LOG_BYTES = 1 << 16
F_ADD_SEALS, NO_SHRINK_NO_GROW = 1033, 0x1 | 0x2 | 0x4


class HeldProcess:
    """A process held by its pidfd, which is ours to close. `died` is set when it has ended."""

    def __init__(self, pidfd: int) -> None:
        self.pidfd = pidfd
        self.died = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(pidfd, self._notice_death)

    def _notice_death(self) -> None:
        self._loop.remove_reader(self.pidfd)
        self.died.set()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; in vain when it has ended or was released."""
        if self.pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)

    async def wait(self, timeout_s: float) -> bool:
        """Wait for its end; False if time runs out."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self.died.wait()
        return self.died.is_set()

    def let_go(self) -> None:
        """Close the pidfd. May be called again."""
        if self.pidfd >= 0:
            self._loop.remove_reader(self.pidfd)
            os.close(self.pidfd)
            self.pidfd = -1


def make_log() -> int:
    """A file in memory that cannot grow: no log can be flooded."""
    fd = os.memfd_create("log", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, LOG_BYTES)
    fcntl.fcntl(fd, F_ADD_SEALS, NO_SHRINK_NO_GROW)
    return fd


def read_log(fd: int) -> str:
    return os.pread(fd, LOG_BYTES, 0).rstrip(b"\0").decode("utf-8", "replace")
