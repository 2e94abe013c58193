"""One session's connection to the sandbox service, and what is forked there over it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from runner.contract import KernelLost, SandboxUnavailable
from runner.sandbox import packets
from runner.sandbox.host.async_fds import wait_readable
from runner.sandbox.host.held_process import HeldProcess

ANSWER_TIMEOUT_S = 180.0
CLOSE_TIMEOUT_S = 20.0
FILES_PER_PACKET = 20
SERVICE_LOST = "The sandbox service was lost; it is started again."
ZYGOTE_LOST = "The process that the kernel was forked from was lost; it is started again."


class ServiceLine:
    """One session's connection to the service: see `runner.sandbox.sandboxd.connection`."""

    def __init__(self, peer: socket.socket) -> None:
        self.peer = peer
        self.turn = asyncio.Lock()

    async def ask(
        self,
        body: Mapping[str, Any],
        fds: Sequence[int] = (),
        timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> packets.Packet:
        """The answer. Raises KernelLost with the service's words, or when it is gone."""
        async with self.turn:
            try:
                packets.send(self.peer, body, fds)
                is_there = await wait_readable(self.peer.fileno(), timeout_s)
                packet = packets.receive_now(self.peer) if is_there else None
            except (OSError, packets.Malformed) as error:
                raise KernelLost(SERVICE_LOST) from error
            except asyncio.CancelledError:
                self.peer.close()  # its answer would be taken for the next one's
                raise
        if packet is None:
            raise KernelLost(SERVICE_LOST)
        if packet.body.get("ok") is not True:
            packet.close()
            raise KernelLost(f"No kernel could be started: {packet.body.get('error')}")
        return packet

    def tell(self, body: Mapping[str, Any]) -> None:
        """Without an answer; in vain when the service is gone."""
        with contextlib.suppress(OSError):
            packets.send(self.peer, body)

    async def close(self) -> None:
        """Returns when the service has ended everything of this session."""
        with contextlib.suppress(KernelLost):
            await self.ask({"do": "close"}, timeout_s=CLOSE_TIMEOUT_S)
        self.peer.close()


class ForkedKernel(HeldProcess):
    """A running kernel. `died` is set when its pid namespace has ended."""

    def __init__(
        self, line: ServiceLine, pidfd: int, sockets: dict[str, socket.socket] | None = None
    ) -> None:
        super().__init__(pidfd)
        self.line = line
        self.sockets = sockets or {}  # our ends of the channels, until a connection has them
        self.has_hit_memory = False
        self.what_of_ours = ""
        self.ending: asyncio.Task[None] | None = None

    def interrupt(self) -> None:
        self.line.tell({"do": "interrupt"})

    def kill(self) -> None:
        self.line.tell({"do": "kill"})

    def is_out_of_memory(self) -> bool:
        return self.has_hit_memory

    def fault(self) -> str:
        return self.what_of_ours

    async def end(self) -> None:
        if self.ending is None:
            self.ending = asyncio.create_task(self.be_ended())
        await asyncio.shield(self.ending)

    def read_report(self, told: Mapping[str, Any]) -> None:
        """Read the facts that only a tool's end tells."""

    async def be_ended(self) -> None:
        try:
            told = (await self.line.ask({"do": "end"})).body
            self.has_hit_memory = told.get("is_out_of_memory") is True
            self.read_report(told)
            self.what_of_ours = ZYGOTE_LOST if told.get("is_our_fault") is True else ""
        except KernelLost as lost:
            self.what_of_ours = str(lost)  # and the kernel died with the service
        finally:
            for end in self.sockets.values():
                end.close()
            self.let_go()
            self.died.set()


def find_files(folder: Path) -> Iterator[Path]:
    """The regular files below `folder`; links are left out, and not followed."""
    for parent, names, files in os.walk(folder):
        names[:] = [name for name in names if not Path(parent, name).is_symlink()]
        for name in files:
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield path


async def hand_over(
    line: ServiceLine, request: str, files: Mapping[Path, str], folders: Sequence[str] = ()
) -> None:
    """Give files away by descriptor: the service need not be able to read their folder.

    `files` is {our file: path there}. Raises SandboxUnavailable when one cannot be read.
    """
    if folders:
        (await line.ask({"do": request, "folders": list(folders), "files": []})).close()
    names = sorted(files)
    for start in range(0, len(names), FILES_PER_PACKET):
        await hand_over_some(line, request, names[start : start + FILES_PER_PACKET], files)


async def hand_over_some(
    line: ServiceLine, request: str, paths: Sequence[Path], files: Mapping[Path, str]
) -> None:
    fds: list[int] = []
    try:
        told: list[dict[str, Any]] = []
        for path in paths:
            fds.append(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC))
            modified = max(0, os.fstat(fds[-1]).st_mtime_ns)
            told.append({"path": files[path], "mtime_ns": modified})
        (await line.ask({"do": request, "files": told}, fds)).close()
    except OSError as error:
        raise SandboxUnavailable(f"The inputs cannot be read: {error}.") from error
    finally:
        packets.close_all(fds)
