"""Sessions whose working folder lies on this host, from the first cell on, and outlives kernels."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from jupyter_client.manager import AsyncKernelManager

from runner.contract import FileChange, Harvest, KernelLost, Limits, SandboxUnavailable
from runner.sandbox.cleanup import on_failure_await
from runner.sandbox.files import harvest
from runner.sandbox.files.changes import Watcher
from runner.sandbox.host.runtime_folders import Slot
from runner.sandbox.kernel.provisioner import Launched
from runner.sandbox.kernel.session import KernelSession
from runner.sandbox.kernel.socket_channel import Wire

Result = TypeVar("Result")


class FolderSession(KernelSession):
    """A session whose working folder lies on this host.

    The folder belongs to the session, not to the kernel: a new kernel finds the files of the one
    before, and nothing else of it.
    """

    def __init__(self, slot: Slot, limits: Limits) -> None:
        super().__init__(limits)
        self.slot = slot
        self.manager: AsyncKernelManager | None = None
        self.watcher = Watcher()
        self.readings: set[asyncio.Future[Any]] = set()

    @property
    @abstractmethod
    def work(self) -> int | None:
        """A descriptor of the working folder; None before there is one."""

    @abstractmethod
    async def launch(self) -> tuple[AsyncKernelManager, Launched]:
        """A new kernel in the working folder. Raises KernelLost or SandboxUnavailable."""

    async def settle(self) -> None:
        """Called when the kernel is dead, before the working folder is harvested."""

    @abstractmethod
    async def release(self) -> None:
        """Release the working folder and all else. Called once the kernel is dead."""

    async def start_kernel(self) -> None:
        try:
            self.manager, self.kernel = await self.launch()
        except (SandboxUnavailable, OSError) as error:
            raise KernelLost(f"No kernel could be started: {error}") from error
        wire = Wire(self.kernel, self.manager.session.key, self.limits.stream_chars)
        self.wire = wire
        async with on_failure_await(self.drop_kernel):
            await wire.connect(self.slot.socket_path)

    async def end_kernel(self) -> None:
        if self.manager:
            await self.manager.shutdown_kernel(now=True)
        self.manager = None

    async def changes(self) -> tuple[FileChange, ...]:
        if self.work is None:
            return ()
        return await self.read_files(partial(self.watcher.look, self.work))

    async def harvest(self, dest: Path, wanted: Collection[str] = ()) -> Harvest:
        await self.drop_kernel()
        if self.work is None:
            return Harvest()
        await self.settle()
        return await self.read_files(partial(harvest.harvest, self.work, "output", dest, wanted))

    async def read_files(self, read: Callable[[], Result]) -> Result:
        """In a thread that `close` waits for, so that no descriptor closes under it."""
        reading = asyncio.ensure_future(asyncio.to_thread(read))
        self.readings.add(reading)
        reading.add_done_callback(self.readings.discard)
        return await asyncio.shield(reading)

    async def close(self) -> None:
        try:
            await super().close()
            if self.readings:
                await asyncio.wait(self.readings)
        finally:
            try:
                await self.release()
            finally:
                self.slot.remove()
