"""Sessions whose working folder lies on this host, from the first cell on, and outlives kernels."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from jupyter_client.manager import AsyncKernelManager

from runner.contract import FileChange, Harvest, Limits
from runner.sandbox import harvest
from runner.sandbox.base import KernelLost, SandboxUnavailable
from runner.sandbox.bubblewrap import Boxing
from runner.sandbox.cgroups import Cgroups, Group
from runner.sandbox.changes import Watcher
from runner.sandbox.kernel_env import KernelEnvironment
from runner.sandbox.kernel_session import KernelSession
from runner.sandbox.policy import Policy
from runner.sandbox.provisioner import Launched, start_kernel
from runner.sandbox.rooms import Rooms, make_rooms
from runner.sandbox.sandboxed_kernel import Start
from runner.sandbox.slots import Site, Slot, group_prefix
from runner.sandbox.wire import Wire

FOLDERS = ("data", "output")
GROUP_REMOVAL_TRIES = 20
GROUP_REMOVAL_PAUSE_S = 0.01

Result = TypeVar("Result")


class FolderSession(KernelSession):
    """A session whose working folder lies on this host.

    The folder belongs to the session, not to the kernel: a new kernel finds the files of the one
    before, and nothing else of it. What it takes to get a kernel and a folder is each kind's own.
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
        """Let go of the working folder and of all else. Called once the kernel is dead."""

    async def start_kernel(self) -> None:
        try:
            self.manager, self.kernel = await self.launch()
        except (SandboxUnavailable, OSError) as error:
            raise KernelLost(f"No kernel could be started: {error}") from error
        wire = Wire(self.kernel, self.manager.session.key, self.limits.stream_chars)
        self.wire = wire
        try:
            await wire.connect(self.slot.socket_path)
        except BaseException:
            await self.drop_kernel()
            raise

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


class BwrapSession(FolderSession):
    """Implements `runner.sandbox.base.Session`: each kernel starts anew behind bubblewrap."""

    def __init__(
        self,
        site: Site,
        slot: Slot,
        env: KernelEnvironment,
        cgroups: Cgroups | None,
        limits: Limits,
        is_warm: bool = False,
    ) -> None:
        super().__init__(slot, limits)
        self.is_warm = is_warm
        self.boxing = Boxing(site, slot, Policy.of(limits), env, {slot.data: "/work/data"})
        self.cgroups = cgroups
        self.group: Group | None = None
        self.rooms: Rooms | None = None

    @property
    def work(self) -> int | None:
        return self.rooms.work if self.rooms else None

    async def launch(self) -> tuple[AsyncKernelManager, Launched]:
        rooms = await self.open_rooms()
        return await start_kernel(Start(self.boxing, rooms, self.group, self.is_warm))

    async def open_rooms(self) -> Rooms:
        if self.rooms is None:
            slot, policy = self.boxing.slot, self.boxing.policy
            if self.cgroups:
                name = group_prefix(self.boxing.site.token) + slot.folder.name
                self.group = self.cgroups.create(name, policy)
            self.rooms = await make_rooms(slot, policy, folders=FOLDERS)
        return self.rooms

    async def release(self) -> None:
        if self.rooms:
            self.rooms.close()
            self.rooms = None
        group, self.group = self.group, None
        for _ in range(GROUP_REMOVAL_TRIES):
            if group is None or group.remove():
                return
            await asyncio.sleep(GROUP_REMOVAL_PAUSE_S)
