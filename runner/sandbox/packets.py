"""Packets between workers, sandboxd, its zygote and their children: JSON with file descriptors.

One packet of a `SOCK_SEQPACKET` unix socket is one JSON object of 32 KiB at most with 64
descriptors at most (SCM_RIGHTS). Descriptors are closed on exec, and closed by `Packet.close`
unless they were taken.
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runner.sandbox.cleanup import on_failure

PACKET_BYTES = 32 << 10
PACKET_FDS = 64
FD_BYTES = array.array("i").itemsize


class Malformed(Exception):
    """Raised for an invalid packet: too large, cut off, or no JSON object."""


@dataclass
class Packet:
    """One packet: a JSON object and the file descriptors that came with it."""

    body: dict[str, Any]
    fds: list[int] = field(default_factory=list)

    def take(self) -> list[int]:
        """The descriptors, which are the caller's to close from now on."""
        taken, self.fds = self.fds, []
        return taken

    def close(self) -> None:
        close_all(self.take())


def close_all(fds: Sequence[int]) -> None:
    for fd in fds:
        with contextlib.suppress(OSError):
            os.close(fd)


def pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def send(to: socket.socket, body: Mapping[str, Any], fds: Sequence[int] = ()) -> None:
    """Raises ValueError for a body that is too large, OSError when nobody is there."""
    data = json.dumps(body).encode()
    if len(data) > PACKET_BYTES or len(fds) > PACKET_FDS:
        raise ValueError(f"a packet of {len(data)} bytes and {len(fds)} descriptors is too large")
    passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    to.sendmsg([data], passed, socket.MSG_NOSIGNAL)


def receive_now(source: socket.socket) -> Packet | None:
    """The packet that is there (or, on a blocking socket, the next); None at the end.

    Raises Malformed, with every descriptor closed.
    """
    space = socket.CMSG_SPACE(PACKET_FDS * FD_BYTES)
    try:
        data, controls, flags, _ = source.recvmsg(PACKET_BYTES, space, socket.MSG_CMSG_CLOEXEC)
    except ConnectionError:
        return None
    fds = [fd for level, kind, raw in controls for fd in read_rights(level, kind, raw)]
    if not data and not fds:
        return None
    with on_failure(close_all, fds):
        return Packet(read_body(data, flags), fds)


def read_rights(level: int, kind: int, raw: bytes) -> list[int]:
    if level != socket.SOL_SOCKET or kind != socket.SCM_RIGHTS:
        return []
    fds = array.array("i")
    fds.frombytes(raw[: len(raw) - len(raw) % FD_BYTES])
    return fds.tolist()


def read_body(data: bytes, flags: int) -> dict[str, Any]:
    if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
        raise Malformed("a packet that is too large")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed("a packet that is no JSON") from error
    if not isinstance(body, dict):
        raise Malformed("a packet that is no object")
    return body
