"""A session in the sandbox service: its kernels are forked there, its files are read here."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jupyter_client.manager import AsyncKernelManager

from runner.contract import (
    CellResult,
    CellStatus,
    FileChange,
    Harvest,
    KernelLost,
    Limits,
    Output,
    OutputKind,
    SandboxUnavailable,
)
from runner.sandbox.cleanup import on_failure_await
from runner.sandbox.files import harvest
from runner.sandbox.files.changes import Watcher
from runner.sandbox.kernel.connection import CHANNELS, LOST, KernelConnection
from runner.sandbox.kernel.provisioner import Launched, start_kernel
from runner.sandbox.policy import LIMITS
from runner.sandbox.zygote.forked_kernel import ForkedKernel, ServiceLine, find_files, hand_over

if TYPE_CHECKING:
    from runner.sandbox.zygote.service_client import Daemon

Result = TypeVar("Result")


@dataclass
class ForkStart:
    """Launches a session's kernels, one after the other."""

    line: ServiceLine
    work: int | None = None

    async def launch(self, key: bytes) -> Launched:
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            sockets: dict[str, socket.socket] = {}
            ends: list[int] = []
            for channel in CHANNELS:
                sockets[channel], end = socket.socketpair()
                ours.enter_context(sockets[channel])
                ends.append(theirs.enter_context(end).fileno())
            answer = await self.line.ask({"do": "start", "key": key.decode()}, ends)
            ours.pop_all()
        pidfd, work = answer.take()
        if self.work is None:
            self.work = work
        else:
            os.close(work)
        return ForkedKernel(self.line, pidfd, sockets)


class ZygoteSession:
    """Implements `runner.sandbox.base.Session` with kernels forked from a warm parent.

    Nothing runs before the first cell. The working folder lies on this host and belongs to the
    session, not to the kernel: a new kernel finds the files of the one before, and nothing else.
    """

    def __init__(self, daemon: Daemon, inputs: Path, limits: Limits) -> None:
        self.daemon = daemon
        self.inputs = inputs
        self.limits = limits
        self.start: ForkStart | None = None
        self.manager: AsyncKernelManager | None = None
        self.kernel: Launched | None = None
        self.wire: KernelConnection | None = None
        self.dropping = asyncio.Lock()
        self.starting: asyncio.Task[None] | None = None
        self.is_closed = False
        self.watcher = Watcher()
        self.readings: set[asyncio.Future[Any]] = set()

    @property
    def work(self) -> int | None:
        """A descriptor of the working folder; None before there is one."""
        return self.start.work if self.start else None

    async def run(self, code: str, timeout_s: float) -> CellResult:
        was_lost = self.has_lost_kernel()
        if was_lost:
            await self.drop_kernel()
        is_first = self.wire is None and not was_lost
        result, has_begun = await self.run_on_kernel(code, timeout_s)
        if not has_begun and not is_first and not was_lost:
            # What an earlier cell left behind ended the kernel just then: none of this one ran.
            was_lost = True
            result, _ = await self.run_on_kernel(code, timeout_s)
        if was_lost:
            notice = Output(OutputKind.NOTICE, text=f"A new kernel was started. {LOST}")
            result = replace(result, outputs=(notice, *result.outputs))
        return result

    async def run_on_kernel(self, code: str, timeout_s: float) -> tuple[CellResult, bool]:
        """Run a cell on the kernel, or a new one; False if the kernel died before it began it."""
        if self.wire is None:
            await self.await_kernel()
        assert self.wire is not None
        assert self.kernel is not None
        kernel, wire = self.kernel, self.wire
        result = await wire.execute(code, timeout_s)
        if result.status is CellStatus.KILLED:
            await self.drop_kernel()
            if kernel.fault():
                raise KernelLost(kernel.fault())
        return result, wire.has_begun or result.reason != "died"

    def has_lost_kernel(self) -> bool:
        """True if a kernel died since the last cell."""
        if self.wire is None or self.kernel is None:
            return False
        return bool(self.wire.lost) or self.kernel.died.is_set()

    async def await_kernel(self) -> None:
        """Start one, in a task that `close` can end from elsewhere."""
        if self.is_closed:
            raise KernelLost("The session is closed.")
        self.starting = asyncio.create_task(self.start_kernel())
        try:
            await self.starting
        except asyncio.CancelledError:
            if self.is_closed:
                raise KernelLost("The session was closed while its kernel started.") from None
            raise
        finally:
            self.starting = None

    async def drop_kernel(self) -> None:
        """End the kernel and forget it."""
        async with self.dropping:
            if self.kernel:
                self.kernel.kill()
            if self.wire:
                await self.wire.close()
            if self.manager:
                await self.manager.shutdown_kernel(now=True)
            self.manager = None
            self.kernel = self.wire = None

    async def interrupt(self) -> None:
        if self.kernel and self.wire and self.wire.cell:
            self.kernel.interrupt()

    async def start_kernel(self) -> None:
        """Set `kernel` and `wire` to new ones that answer. Raises KernelLost."""
        try:
            self.manager, self.kernel = await self.launch()
        except (SandboxUnavailable, OSError) as error:
            raise KernelLost(f"No kernel could be started: {error}") from error
        self.wire = KernelConnection(
            self.kernel, self.manager.session.key, self.limits.stream_chars
        )
        async with on_failure_await(self.drop_kernel):
            await self.wire.connect(self.kernel.sockets)

    async def launch(self) -> tuple[AsyncKernelManager, Launched]:
        """A new kernel in the working folder. Raises KernelLost or SandboxUnavailable."""
        if self.start is None:
            self.start = ForkStart(ServiceLine(await self.daemon.connect()))
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
        if self.work is None:
            return ()
        return await self.read_files(partial(self.watcher.look, self.work))

    async def harvest(self, dest: Path, wanted: Collection[str] = ()) -> Harvest:
        await self.drop_kernel()
        if self.start is None or self.work is None:
            return Harvest()
        with contextlib.suppress(KernelLost):  # should it be gone, the folder is still ours to read
            (await self.start.line.ask({"do": "harvest"})).close()
        return await self.read_files(partial(harvest.harvest, self.work, "output", dest, wanted))

    async def read_files(self, read: Callable[[], Result]) -> Result:
        """In a thread that `close` waits for, so that no descriptor closes under it."""
        reading = asyncio.ensure_future(asyncio.to_thread(read))
        self.readings.add(reading)
        reading.add_done_callback(self.readings.discard)
        return await asyncio.shield(reading)

    async def close(self) -> None:
        try:
            self.is_closed = True
            if self.kernel:
                self.kernel.kill()  # before anything that could be cancelled
            if self.starting:
                self.starting.cancel()
                await asyncio.wait((self.starting,))
            await self.drop_kernel()
            if self.readings:
                await asyncio.wait(self.readings)
        finally:
            await self.release()

    async def release(self) -> None:
        """Release the working folder and all else, once the kernel is dead."""
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
