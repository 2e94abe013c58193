"""Kernels behind bubblewrap that run before they are asked for, where none can be forked.

Each costs what a kernel costs, but not while somebody waits for it. A pool belongs to the event
loop in which it was first used.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from runner.contract import KernelLost, Limits
from runner.sandbox.cleanup import on_failure_await

if TYPE_CHECKING:
    from runner.sandbox.bwrap.session import BwrapSession

log = logging.getLogger(__name__)


class WarmPool:
    """Sessions whose kernel listens, with limits as they were asked for last."""

    def __init__(self, make: Callable[[Limits], BwrapSession], size: int) -> None:
        self.make = make
        self.size = size
        self.limits = Limits()
        self.ready: list[BwrapSession] = []
        self.filling: asyncio.Task[None] | None = None
        self.loop = asyncio.get_running_loop()

    async def take(self, limits: Limits) -> BwrapSession | None:
        """One with these limits, None when none is ready; another is made meanwhile."""
        if asyncio.get_running_loop() is not self.loop:
            return None
        if limits != self.limits:
            self.limits = limits
            await self.discard(self.ready)
        session = None
        while self.ready and session is None:
            session = self.ready.pop(0)
            if session.has_lost_kernel():
                await session.close()
                session = None
        if self.filling is None or self.filling.done():
            self.filling = asyncio.create_task(self.fill())
        return session

    async def fill(self) -> None:
        """Start kernels one after the other until there are enough."""
        while len(self.ready) < self.size:
            session = self.make(self.limits)
            try:
                async with on_failure_await(session.close):
                    await session.await_kernel()
            except KernelLost as lost:
                log.warning("no kernel could be started ahead: %s", lost)
                return
            if session.limits == self.limits:
                self.ready.append(session)
            else:
                await session.close()

    async def discard(self, sessions: list[BwrapSession]) -> None:
        while sessions:
            await sessions.pop().close()

    async def close(self) -> None:
        if asyncio.get_running_loop() is not self.loop:
            return  # that loop's end took the kernels' watchers along; they end with this process
        if self.filling:
            self.filling.cancel()
            with suppress(asyncio.CancelledError):
                await self.filling
        await self.discard(self.ready)
