"""A session in the sandbox service: its kernels are forked there, its files are read here."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_client.manager import AsyncKernelManager

from runner.contract import FileChange, KernelLost, Limits
from runner.sandbox.host.runtime_folders import Slot
from runner.sandbox.kernel.folder_session import FolderSession
from runner.sandbox.kernel.provisioner import Launched, start_kernel
from runner.sandbox.sandboxd.requests import LIMITS
from runner.sandbox.zygote.forked_kernel import ForkedKernel, ServiceLine, find_files, hand_over

if TYPE_CHECKING:
    from runner.sandbox.zygote.service_client import Daemon


@dataclass
class ForkStart:
    """Launches a session's kernels, one after the other."""

    line: ServiceLine
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
            self.start = ForkStart(ServiceLine(await self.daemon.connect()), self.slot)
            await self.open_room(self.start.line)
            await self.learn_memory(self.start.line)
        return await start_kernel(self.start)

    async def learn_memory(self, line: ServiceLine) -> None:
        """Once: a service may stand in another group than its workers."""
        if not self.daemon.memory:
            packet = await line.ask({"do": "facts"})
            packet.close()
            self.daemon.memory = str(packet.body.get("memory", ""))

    async def open_room(self, line: ServiceLine) -> None:
        limits = {name: getattr(self.limits, name) for name in LIMITS}
        (await line.ask({"do": "open", "limits": limits})).close()
        inputs = {path: str(path.relative_to(self.inputs)) for path in find_files(self.inputs)}
        await hand_over(line, "put", inputs)

    async def changes(self) -> tuple[FileChange, ...]:
        if self.start is not None and is_closed_to_us(self.work):
            with contextlib.suppress(KernelLost):
                (await self.start.line.ask({"do": "show"})).close()
        return await super().changes()

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


def is_closed_to_us(folder: int | None) -> bool:
    """True if its files belong to another user, who may have closed some."""
    return folder is not None and os.geteuid() not in (0, os.fstat(folder).st_uid)
