"""The service's process: takes connections until it is asked to end or its users are gone.

    python -I <bundle> SPEC_FD

Runs as the sandbox's user with an empty environment, in a network namespace that holds loopback
alone. SPEC_FD holds the JSON that `launch.Spec` describes.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from runner.sandbox.bundle import ZYGOTE, read_own_bundle
from runner.sandbox.host import async_fds
from runner.sandbox.host.cgroups import Cgroups
from runner.sandbox.host.kernel_env import KernelEnvironment
from runner.sandbox.host.memory_budget import BUDGET
from runner.sandbox.inside import confinement
from runner.sandbox.policy import Range
from runner.sandbox.sandboxd.connection import Connection
from runner.sandbox.sandboxd.kernel_pool import Rotation, Stock, say

CONNECTIONS = 1_000
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15


def main() -> None:
    with os.fdopen(int(sys.argv[1])) as file:
        spec = json.load(file)
    async_fds.raise_limit()
    confinement.pass_no_capabilities_on()
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_NAME, b"sandboxd", 0, 0, 0)
    if spec["parent"]:  # changing the user had made us forget it
        libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != spec["parent"]:
            return
    asyncio.run(serve(spec))


async def serve(spec: dict[str, Any]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(sign, stop.set)
    if spec["lifeline"] is not None:
        loop.add_reader(spec["lifeline"], stop.set)  # its other end is closed: nobody needs us
    BUDGET.limit_bytes = spec["budget"]
    stock = make_stock(spec)
    supervision = asyncio.create_task(stock.supervise())
    supervision.add_done_callback(lambda _: stop.set())
    service = SandboxService(stock, socket.socket(fileno=spec["listener"]))
    service.open()
    try:
        await stop.wait()
    finally:
        await service.close()
        supervision.cancel()
        with suppress(asyncio.CancelledError):
            await supervision
        await stock.close()


def make_stock(spec: dict[str, Any]) -> Stock:
    env = KernelEnvironment(Path(spec["env"]), Path(spec["base"]), spec["python"])
    cgroups = None
    if spec["cgroups"]:
        version, bases = spec["cgroups"]
        cgroups = Cgroups(version, tuple((name, Path(folder)) for name, folder in bases))
    return Stock(
        env,
        read_own_bundle(ZYGOTE),
        cgroups,
        spec["token"],
        spec["ahead"],
        Rotation(spec["rotate_forks"], spec["rotate_s"]),
        Range(*spec["users"]) if spec["users"] else None,
    )


class SandboxService:
    """The listening socket and the connections that came through it."""

    def __init__(self, stock: Stock, listener: socket.socket) -> None:
        self.stock = stock
        self.listener = listener
        self.listener.setblocking(False)
        self.serving: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        asyncio.get_running_loop().add_reader(self.listener.fileno(), self.accept)

    def accept(self) -> None:
        with suppress(OSError):
            peer, _ = self.listener.accept()
            if len(self.serving) >= CONNECTIONS:
                say(f"a connection is refused: there are {CONNECTIONS}")
                peer.close()
                return
            peer.setblocking(False)
            task = asyncio.create_task(Connection(peer, self.stock).serve())
            self.serving.add(task)
            task.add_done_callback(self.note_end)

    def note_end(self, task: asyncio.Task[None]) -> None:
        self.serving.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            say(f"a connection ended in an internal error: {error!r}")

    async def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.listener.fileno())
        self.listener.close()
        for task in list(self.serving):
            task.cancel()
        await asyncio.gather(*self.serving, return_exceptions=True)
