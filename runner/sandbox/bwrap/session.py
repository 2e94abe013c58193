"""Sessions whose kernels start anew behind bubblewrap."""

from __future__ import annotations

import asyncio

from jupyter_client.manager import AsyncKernelManager

from runner.contract import Limits
from runner.sandbox.bwrap.kernel import BwrapStart
from runner.sandbox.host.bwrap_command import Boxing
from runner.sandbox.host.cgroups import Cgroups, ControlGroup
from runner.sandbox.host.kernel_env import KernelEnvironment
from runner.sandbox.host.runtime_folders import Site, Slot, group_prefix
from runner.sandbox.host.work_mount import Rooms, make_rooms
from runner.sandbox.kernel.folder_session import FolderSession
from runner.sandbox.kernel.provisioner import Launched, start_kernel
from runner.sandbox.policy import SandboxPolicy

FOLDERS = ("data", "output")
GROUP_REMOVAL_TRIES = 20
GROUP_REMOVAL_PAUSE_S = 0.01


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
        self.boxing = Boxing(site, slot, SandboxPolicy.of(limits), env, {slot.data: "/work/data"})
        self.cgroups = cgroups
        self.group: ControlGroup | None = None
        self.rooms: Rooms | None = None

    @property
    def work(self) -> int | None:
        return self.rooms.work if self.rooms else None

    async def launch(self) -> tuple[AsyncKernelManager, Launched]:
        rooms = await self.open_rooms()
        return await start_kernel(BwrapStart(self.boxing, rooms, self.group, self.is_warm))

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
