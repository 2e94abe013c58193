"""A session in the sandbox service: its kernels are forked there, its files are read here."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_client.manager import AsyncKernelManager

from runner.contract import Limits
from runner.sandbox.base import KernelLost, SandboxUnavailable
from runner.sandbox.daemon import Daemon
from runner.sandbox.descriptors import wait_readable
from runner.sandbox.provisioner import Launched, start_kernel
from runner.sandbox.sandboxd import packets
from runner.sandbox.sandboxd.requests import LIMITS
from runner.sandbox.session import FolderSession
from runner.sandbox.slots import Slot

ANSWER_TIMEOUT_S = 180.0
CLOSE_TIMEOUT_S = 20.0
FILES_PER_PACKET = 20
SERVICE_LOST = "The sandbox service was lost; it is started again."
ZYGOTE_LOST = "The process that the kernel was forked from was lost; it is started again."


class Line:
    """One session's connection to the service: see `runner.sandbox.sandboxd.requests`."""

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


class ForkedKernel:
    """A running kernel. `died` is set when its pid namespace has ended."""

    def __init__(self, line: Line, pidfd: int) -> None:
        self.line = line
        self.pidfd = pidfd
        self.died = asyncio.Event()
        self.has_hit_memory = False
        self.what_of_ours = ""
        self.ending: asyncio.Task[None] | None = None
        self.loop = asyncio.get_running_loop()
        self.loop.add_reader(pidfd, self.notice_death)

    def notice_death(self) -> None:
        self.loop.remove_reader(self.pidfd)
        self.died.set()

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
        """What only a tool's end tells."""

    async def be_ended(self) -> None:
        try:
            told = (await self.line.ask({"do": "end"})).body
            self.has_hit_memory = told.get("is_out_of_memory") is True
            self.read_report(told)
            self.what_of_ours = ZYGOTE_LOST if told.get("is_our_fault") is True else ""
        except KernelLost as lost:
            self.what_of_ours = str(lost)  # and the kernel died with the service
        finally:
            self.loop.remove_reader(self.pidfd)
            self.died.set()
            os.close(self.pidfd)


@dataclass
class ForkStart:
    """Launches a session's kernels, one after the other."""

    line: Line
    slot: Slot
    work: int | None = None

    @property
    def socket_prefix(self) -> str:
        return self.slot.socket_prefix

    async def launch(self, key: bytes) -> Launched:
        listeners = self.slot.listen()
        try:
            sockets = [listener.fileno() for listener in listeners]
            answer = await self.line.ask({"do": "start", "key": key.decode()}, sockets)
        finally:
            for listener in listeners:
                listener.close()
        pidfd, work = answer.take()
        if self.work is None:
            self.work = work
        else:
            os.close(work)
        return ForkedKernel(self.line, pidfd)


class ZygoteSession(FolderSession):
    """Implements `runner.sandbox.base.Session` with kernels forked from a warm parent."""

    def __init__(self, daemon: Daemon, slot: Slot, inputs: Path, limits: Limits) -> None:
        super().__init__(slot, limits)
        self.daemon = daemon
        self.inputs = inputs
        self.start: ForkStart | None = None

    @property
    def work(self) -> int | None:
        return self.start.work if self.start else None

    async def launch(self) -> tuple[AsyncKernelManager, Launched]:
        if self.start is None:
            self.start = ForkStart(Line(await self.daemon.connect()), self.slot)
            await self.open_room(self.start.line)
            await self.learn_memory(self.start.line)
        return await start_kernel(self.start)

    async def learn_memory(self, line: Line) -> None:
        """Once: a service may stand in another group than its workers."""
        if not self.daemon.memory:
            packet = await line.ask({"do": "facts"})
            packet.close()
            self.daemon.memory = str(packet.body.get("memory", ""))

    async def open_room(self, line: Line) -> None:
        limits = {name: getattr(self.limits, name) for name in LIMITS}
        (await line.ask({"do": "open", "limits": limits})).close()
        inputs = {path: str(path.relative_to(self.inputs)) for path in find_files(self.inputs)}
        await hand_over(line, "put", inputs)

    async def settle(self) -> None:
        """Should the service be gone, the folder is still ours to read."""
        assert self.start is not None
        with contextlib.suppress(KernelLost):
            (await self.start.line.ask({"do": "harvest"})).close()

    async def release(self) -> None:
        start, self.start = self.start, None
        if start is None:
            return
        try:
            await start.line.close()
        finally:
            if start.work is not None:
                os.close(start.work)


def find_files(folder: Path) -> Iterator[Path]:
    """The regular files below `folder`; links are left out, and not followed."""
    for parent, names, files in os.walk(folder):
        names[:] = [name for name in names if not Path(parent, name).is_symlink()]
        for name in files:
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield path


async def hand_over(
    line: Line, request: str, files: Mapping[Path, str], folders: Sequence[str] = ()
) -> None:
    """Give files away by descriptor: the service need not be able to read their folder.

    `files` is {file of ours: path there}. Raises SandboxUnavailable when one cannot be read.
    """
    if folders:
        (await line.ask({"do": request, "folders": list(folders), "files": []})).close()
    names = sorted(files)
    for start in range(0, len(names), FILES_PER_PACKET):
        await hand_over_some(line, request, names[start : start + FILES_PER_PACKET], files)


async def hand_over_some(
    line: Line, request: str, paths: Sequence[Path], files: Mapping[Path, str]
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
