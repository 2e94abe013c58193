"""The socket of a request's connection, which the server keeps to itself.

It is looked at through its own descriptor. A copy of one that is not a socket must never be
closed: that gives up this process's locks on the database's file.
"""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DESCRIPTORS = Path("/proc/self/fd")
TCP_NOTSENT_LOWAT = 25  # of Linux; the socket module does not name it
UNSENT_BYTES = 64 * 1024
NO_LINGERING = struct.pack("ii", 1, 0)  # or the kernel would go on sending what it holds


@dataclass(frozen=True)
class ClientConnection:
    """A connection of this process, by the address of the other side and the port of this one."""

    client: tuple[str, int]
    port: int

    def hold_little(self) -> None:
        """Let the kernel take no more than it can soon send, so that a slow reader shows."""
        with self.found() as sock:
            if sock is not None:
                sock.setsockopt(socket.IPPROTO_TCP, TCP_NOTSENT_LOWAT, UNSENT_BYTES)

    def break_off(self) -> None:
        """End the connection for both sides; what is unsent is lost."""
        with self.found() as sock:
            if sock is not None:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGERING)
                sock.shutdown(socket.SHUT_RDWR)

    @contextlib.contextmanager
    def found(self) -> Iterator[socket.socket | None]:
        """Its socket; None if it is closed. Errors in the block mean the same."""
        with contextlib.suppress(OSError):
            for descriptor in list(DESCRIPTORS.iterdir()):
                if sock := self.match(descriptor):
                    try:
                        yield sock
                    finally:
                        sock.detach()
                    return
            yield None

    def match(self, descriptor: Path) -> socket.socket | None:
        with contextlib.suppress(OSError):  # closed meanwhile, no socket, or not connected
            if not descriptor.readlink().name.startswith("socket:"):
                return None
            sock = socket.socket(fileno=int(descriptor.name))
            with contextlib.suppress(OSError):
                if sock.getpeername()[:2] == self.client and sock.getsockname()[1] == self.port:
                    return sock
            sock.detach()
        return None
