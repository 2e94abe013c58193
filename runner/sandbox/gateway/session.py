"""A session behind a gateway: each kernel with a working folder of its own, which dies with it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Collection
from functools import cache
from pathlib import Path

from runner.contract import FileChange, Harvest, Limits, RefusedFile
from runner.sandbox import kernel_main
from runner.sandbox.base import KernelLost
from runner.sandbox.changes import Look, Watcher
from runner.sandbox.gateway.channel import Channel, NoAnswer
from runner.sandbox.gateway.folder import FarFolder, lost_harvest
from runner.sandbox.gateway.kernel import FarKernel
from runner.sandbox.gateway.rest import Gateway, GatewayFailed
from runner.sandbox.kernel_session import KernelSession

UNBORN_TIMEOUT_S = 20.0  # how long `close` waits for a kernel that nobody waits for any more


class GatewaySession(KernelSession):
    """Implements `runner.sandbox.base.Session` as far as that can be done from here.

    A new kernel finds the inputs and nothing else: files are lost with the kernel that made them,
    and whoever runs a cell after such a loss is told so.
    """

    kernel: FarKernel | None
    wire: Channel | None

    def __init__(self, gateway: Gateway, inputs: Path, limits: Limits) -> None:
        super().__init__(limits)
        self.gateway = gateway
        self.inputs = inputs
        self.folder: FarFolder | None = None  # of the last kernel, None before the first
        self.watcher = Watcher()
        self.making: asyncio.Task[str] | None = None

    async def start_kernel(self) -> None:
        try:
            self.kernel = FarKernel(self.gateway, await self.make_kernel())
            channel = Channel(self.gateway.address, self.kernel, self.limits.stream_chars)
            self.wire = channel
            await channel.connect()
            await channel.evaluate(text_cap())
            self.folder = await FarFolder.open(channel, self.inputs)
        except (GatewayFailed, NoAnswer, OSError) as error:
            await self.drop_kernel()
            raise KernelLost(f"No kernel could be started: {error}") from error
        except BaseException:
            await self.drop_kernel()
            raise

    async def make_kernel(self) -> str:
        """Its id. A request that is under way cannot be called off: `close` sees to the rest."""
        self.making = asyncio.create_task(self.gateway.create())
        kernel_id = await asyncio.shield(self.making)
        self.making = None
        return kernel_id

    async def end_kernel(self) -> None:
        if self.kernel:
            await self.kernel.end()

    async def bury_kernel(self) -> None:
        """Raises KernelLost when it was the gateway that lost it: no model is told of that."""
        kernel = self.kernel
        await self.drop_kernel()
        if kernel and kernel.fault():
            raise KernelLost(kernel.fault())

    def is_folder_there(self) -> bool:
        return self.wire is not None and not self.has_lost_kernel()

    async def changes(self) -> tuple[FileChange, ...]:
        if self.folder is None:
            return ()
        if self.is_folder_there():
            try:
                return await self.folder.look(self.watcher)
            except NoAnswer:
                if self.is_folder_there():
                    return ()  # next time, perhaps
        if self.kernel:
            await self.bury_kernel()
        return self.watcher.end(Look(self.watcher.seen), has_all=True)

    async def harvest(self, dest: Path, wanted: Collection[str] = ()) -> Harvest:
        if self.folder is None:
            return Harvest()
        try:
            harvest = await self.bring_home(self.folder, dest, wanted)
            if self.kernel and self.has_lost_kernel():
                await self.bury_kernel()
        finally:
            await self.drop_kernel()
        return harvest

    async def bring_home(self, folder: FarFolder, dest: Path, wanted: Collection[str]) -> Harvest:
        """What the kernel hands over of the output folder, while it lives."""
        if self.is_folder_there():
            try:
                return await folder.harvest(dest, wanted)
            except NoAnswer as lack:
                if self.is_folder_there():
                    return Harvest(refused=(RefusedFile("output", f"cannot be listed: {lack}"),))
        return lost_harvest(wanted)

    async def close(self) -> None:
        try:
            await super().close()
        finally:
            await self.end_unborn()

    async def end_unborn(self) -> None:
        """End a kernel that was asked for and has not come yet, now or when it comes."""
        making, self.making = self.making, None
        if making is None:
            return
        ending = asyncio.create_task(self.end_when_made(making))
        await asyncio.wait((ending,), timeout=UNBORN_TIMEOUT_S)

    async def end_when_made(self, making: asyncio.Task[str]) -> None:
        try:
            kernel_id = await making
        except GatewayFailed:
            return
        await FarKernel(self.gateway, kernel_id).end()


@cache
def text_cap() -> str:
    """Python that mutes an endless print inside, as in every other kind's kernels."""
    lines = [
        "import sys",
        "from typing import Any",
        f"TEXT_CAP_CHARS = {kernel_main.TEXT_CAP_CHARS}",
        inspect.getsource(kernel_main.cap_text),
        "cap_text()",
        # IPython leaves the method as it was before on its streams, where it hides the class's.
        "for stream in (sys.stdout, sys.stderr): vars(stream).pop('write', None)",
    ]
    source = "\n".join(lines)
    return f"exec({source!r}, {{}})"
