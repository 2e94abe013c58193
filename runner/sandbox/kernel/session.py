"""A session's kernel, wherever it runs: started at the first cell, replaced when lost, ended."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from dataclasses import replace

from runner.contract import CellResult, CellStatus, KernelLost, Limits, Output, OutputKind
from runner.sandbox.kernel.conversation import LOST, Conversation
from runner.sandbox.kernel.provisioner import Launched


class KernelSession(ABC):
    """A session whose kernels may come and go. Nothing runs before the first cell."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.kernel: Launched | None = None
        self.wire: Conversation | None = None
        self.what_is_lost = LOST
        self.dropping = asyncio.Lock()
        self.starting: asyncio.Task[None] | None = None
        self.is_closed = False

    @abstractmethod
    async def start_kernel(self) -> None:
        """Set `kernel` and `wire` to new ones that answer. Raises KernelLost."""

    @abstractmethod
    async def end_kernel(self) -> None:
        """Wait until `kernel`, if any, is dead; its wire is closed already."""

    async def run(self, code: str, timeout_s: float) -> CellResult:
        was_lost = self.has_lost_kernel()
        if was_lost:
            await self.bury_kernel()
        is_first = self.wire is None and not was_lost
        result, has_begun = await self.run_on_kernel(code, timeout_s)
        if not has_begun and not is_first and not was_lost:
            # What an earlier cell left behind ended the kernel just then: none of this one ran.
            was_lost = True
            result, _ = await self.run_on_kernel(code, timeout_s)
        if was_lost:
            notice = Output(
                OutputKind.NOTICE, text=f"A new kernel was started. {self.what_is_lost}"
            )
            result = replace(result, outputs=(notice, *result.outputs))
        return result

    async def run_on_kernel(self, code: str, timeout_s: float) -> tuple[CellResult, bool]:
        """Run a cell on the kernel, or a new one; False if the kernel died before it began it."""
        if self.wire is None:
            await self.await_kernel()
        assert self.wire is not None
        assert self.kernel is not None
        kernel, wire = self.kernel, self.wire
        self.what_is_lost = wire.what_is_lost
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

    async def bury_kernel(self) -> None:
        """Give up one that was lost between cells, so that another takes its place."""
        await self.drop_kernel()

    async def drop_kernel(self) -> None:
        """End the kernel and forget it."""
        async with self.dropping:
            if self.kernel:
                self.kernel.kill()
            if self.wire:
                await self.wire.close()
            await self.end_kernel()
            self.kernel = self.wire = None

    async def interrupt(self) -> None:
        if self.kernel and self.wire and self.wire.cell:
            self.kernel.interrupt()

    async def close(self) -> None:
        self.is_closed = True
        if self.kernel:
            self.kernel.kill()  # before anything that could be cancelled
        if self.starting:
            self.starting.cancel()
            await asyncio.wait((self.starting,))
        await self.drop_kernel()
