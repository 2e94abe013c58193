"""One open sandbox: a working folder from the first cell on, and a kernel that can be replaced."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from jupyter_client.manager import AsyncKernelManager

from runner.contract import (
    CellResult,
    CellStatus,
    FileChange,
    Harvest,
    Limits,
    Output,
    OutputKind,
)
from runner.sandbox import harvest
from runner.sandbox.base import KernelLost, SandboxUnavailable
from runner.sandbox.bubblewrap import Boxing
from runner.sandbox.cgroups import Cgroups, Group
from runner.sandbox.changes import Watcher
from runner.sandbox.kernel_env import KernelEnvironment
from runner.sandbox.policy import Policy
from runner.sandbox.provisioner import Launched, start_kernel
from runner.sandbox.rooms import Rooms, make_rooms
from runner.sandbox.sandboxed_kernel import Start
from runner.sandbox.slots import Site, Slot, group_prefix
from runner.sandbox.wire import LOST, Wire

FOLDERS = ("data", "output")
GROUP_REMOVAL_TRIES = 20
GROUP_REMOVAL_PAUSE_S = 0.01

Result = TypeVar("Result")


class KernelSession(ABC):
    """A session whose kernels live and die while its working folder stays.

    Nothing runs before the first cell. The working folder belongs to the session, not to the
    kernel: a new kernel finds the files of the one before, and nothing else of it. What it takes to
    get a kernel and a folder is each kind's own.
    """

    def __init__(self, slot: Slot, limits: Limits) -> None:
        self.slot = slot
        self.limits = limits
        self.manager: AsyncKernelManager | None = None
        self.kernel: Launched | None = None
        self.wire: Wire | None = None
        self.watcher = Watcher()
        self.dropping = asyncio.Lock()
        self.starting: asyncio.Task[None] | None = None
        self.readings: set[asyncio.Future[Any]] = set()
        self.is_closed = False

    @property
    @abstractmethod
    def work(self) -> int | None:
        """A descriptor of the working folder; None before there is one."""

    @abstractmethod
    async def launch(self) -> tuple[AsyncKernelManager, Launched]:
        """A new kernel in the working folder. Raises KernelLost or SandboxUnavailable."""

    async def settle(self) -> None:  # noqa: B027 (most kinds have nothing to do)
        """Called when the kernel is dead, before the working folder is harvested."""

    @abstractmethod
    async def release(self) -> None:
        """Let go of the working folder and of all else. Called once the kernel is dead."""

    async def run(self, code: str, timeout_s: float) -> CellResult:
        was_lost = self.has_lost_kernel()
        if was_lost:
            await self.drop_kernel()
        if self.wire is None:
            await self.await_kernel()
        assert self.wire is not None
        assert self.kernel is not None
        kernel = self.kernel
        result = await self.wire.execute(code, timeout_s)
        if result.status is CellStatus.KILLED:
            await self.drop_kernel()
            if kernel.fault():
                raise KernelLost(kernel.fault())
        if was_lost:
            notice = Output(OutputKind.NOTICE, text=f"A new kernel was started. {LOST}")
            result = replace(result, outputs=(notice, *result.outputs))
        return result

    def has_lost_kernel(self) -> bool:
        """Whether a kernel died since the last cell."""
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

    async def start_kernel(self) -> None:
        try:
            self.manager, self.kernel = await self.launch()
        except (SandboxUnavailable, OSError) as error:
            raise KernelLost(f"No kernel could be started: {error}") from error
        self.wire = Wire(self.kernel, self.manager.session.key, self.limits.stream_chars)
        try:
            await self.wire.connect(self.slot.socket_path)
        except BaseException:
            await self.drop_kernel()
            raise

    async def drop_kernel(self) -> None:
        """End the kernel and forget it; the working folder stays."""
        async with self.dropping:
            if self.kernel:
                self.kernel.kill()
            if self.wire:
                await self.wire.close()
            if self.manager:
                await self.manager.shutdown_kernel(now=True)
            self.kernel = self.wire = self.manager = None

    async def interrupt(self) -> None:
        if self.kernel and self.wire and self.wire.cell:
            self.kernel.interrupt()

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
        self.is_closed = True
        if self.kernel:
            self.kernel.kill()  # before anything that could be cancelled
        try:
            if self.starting:
                self.starting.cancel()
                await asyncio.wait((self.starting,))
            await self.drop_kernel()
            if self.readings:
                await asyncio.wait(self.readings)
        finally:
            try:
                await self.release()
            finally:
                self.slot.remove()


class BwrapSession(KernelSession):
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
