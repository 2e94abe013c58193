"""The log file of a process that writes its own standard output: bounded while it runs.

The process writes into a pipe, and one of our threads from the pipe into the file, which is put
aside at the end of a line when it is full. No line is lost or cut by that.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from pathlib import Path

KEPT = 3  # files put aside, the newest as .1
PIPE_BYTES = 1 << 20  # for a process that goes on while we are held up
CHUNK_BYTES = 1 << 16
END_TIMEOUT_S = 1.0


class RotatingLog:
    """Hand `inlet` to processes as their output; `close` when they have ended."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.path = path
        self.max_bytes = max_bytes
        outlet, self.inlet = os.pipe()
        with contextlib.suppress(OSError):  # an ordinary user may have less
            fcntl.fcntl(self.inlet, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self.thread = threading.Thread(
            target=self.drain, args=(outlet,), name=f"log {path.stem}", daemon=True
        )
        self.thread.start()

    def close(self) -> None:
        """Write what is left. A process that lives on may keep the pipe open: it is not awaited."""
        os.close(self.inlet)
        self.thread.join(END_TIMEOUT_S)

    def drain(self, outlet: int) -> None:
        while chunk := os.read(outlet, CHUNK_BYTES):
            with contextlib.suppress(OSError):  # a full disk costs lines, never the process
                self.write(chunk)
        os.close(outlet)

    def write(self, chunk: bytes) -> None:
        """Append, and begin another file after the line that makes this one full."""
        while chunk:
            room = self.max_bytes - self.size()
            end = chunk.find(b"\n", max(0, room - 1)) + 1 if room < len(chunk) else 0
            with self.path.open("ab", buffering=0) as file:
                file.write(chunk[: end or len(chunk)])
            chunk = chunk[end or len(chunk) :]
            if end:
                self.put_aside()

    def size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def put_aside(self) -> None:
        """Move each file one on; the last one goes."""
        for number in range(KEPT, 1, -1):
            with contextlib.suppress(FileNotFoundError):
                self.aside(number - 1).replace(self.aside(number))
        self.path.replace(self.aside(1))

    def aside(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")
