"""A kernel that runs behind a gateway, as its session sees it."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from runner.sandbox.gateway.rest import Gateway, GatewayFailed

CUT = "The gateway cut the connection to its kernel."
FORGOTTEN = "The gateway no longer knows the kernel: it was culled, or the gateway started anew."
DELETE_TRIES = 4
DELETE_PAUSE_S = 1.0

log = logging.getLogger(__name__)


class FarKernel:
    """`died` is set when the gateway was told to end it. Model code cannot bring a fault about.

    A kernel's own death is announced by its gateway; whatever else takes it from us is the
    gateway's doing, and an attempt that meets it says nothing about the model.
    """

    def __init__(self, gateway: Gateway, kernel_id: str) -> None:
        self.gateway = gateway
        self.id = kernel_id
        self.died = asyncio.Event()
        self.is_told_dead = False  # by the gateway
        self.is_cut = False  # the connection broke off, and not by our doing
        self.what_of_ours = ""
        self.interrupting: asyncio.Task[None] | None = None
        self.ending: asyncio.Task[None] | None = None

    def interrupt(self) -> None:
        if self.interrupting is None or self.interrupting.done():
            self.interrupting = asyncio.create_task(self.be_interrupted())

    async def be_interrupted(self) -> None:
        with contextlib.suppress(GatewayFailed):
            await self.gateway.interrupt(self.id)

    def kill(self) -> None:
        if self.ending is None:
            self.ending = asyncio.create_task(self.be_ended())

    async def end(self) -> None:
        self.kill()
        assert self.ending is not None
        await asyncio.shield(self.ending)

    async def be_ended(self) -> None:
        try:
            was_there = await self.delete()
            trouble = CUT if was_there and self.is_cut else "" if was_there else FORGOTTEN
        except GatewayFailed as failed:
            trouble = str(failed)
            log.warning("a kernel may live on behind the gateway: %s %s", self.id, failed)
        finally:
            if self.interrupting:
                self.interrupting.cancel()
            self.died.set()
        self.what_of_ours = "" if self.is_told_dead else trouble

    async def delete(self) -> bool:
        """Whether it was there. Raises GatewayFailed.

        Tried again: a gateway that is just starting a dead kernel anew cannot end it (500).
        """
        for _ in range(DELETE_TRIES - 1):
            with contextlib.suppress(GatewayFailed):
                return await self.gateway.delete(self.id)
            await asyncio.sleep(DELETE_PAUSE_S)
        return await self.gateway.delete(self.id)

    def is_out_of_memory(self) -> bool:
        """Not told: a kernel that its gateway killed for it has died, like any other."""
        return False

    def fault(self) -> str:
        return self.what_of_ours
