"""An IPython kernel in its box: launched on sockets made here, signalled by pidfd."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from dataclasses import dataclass
from functools import cache

from runner.contract import KernelLost
from runner.sandbox.bundle import KERNEL, KERNEL_PARTS, make_bundle
from runner.sandbox.cleanup import on_failure_await
from runner.sandbox.host.async_fds import memory_file, read_until
from runner.sandbox.host.bwrap_command import Boxing
from runner.sandbox.host.cgroups import ControlGroup
from runner.sandbox.host.kernel_env import PYTHON_INSIDE
from runner.sandbox.host.memory_watchdog import watch
from runner.sandbox.host.process_tree import HeldProcess, ProcessTree, first_child, start_box
from runner.sandbox.host.runtime_folders import CHANNELS, Slot
from runner.sandbox.host.work_mount import Rooms

READY_TIMEOUT_S = 60.0


@cache
def read_program() -> bytes:
    return make_bundle(KERNEL, KERNEL_PARTS)


class SandboxedKernel:
    """A running kernel. `died` is set when its pid namespace has ended."""

    def __init__(
        self, box: ProcessTree, pid: int, group: ControlGroup | None, memory_bytes: int
    ) -> None:
        self.box = box
        self.died = box.died
        self.group = group
        self.kills_before = group.kills() if group else 0
        self.main = HeldProcess(os.pidfd_open(pid))
        self.is_over_memory = False
        self.guard = None if group else asyncio.create_task(self.stand_guard(memory_bytes))

    async def stand_guard(self, memory_bytes: int) -> None:
        """End the kernel if it exceeds its memory: for hosts where no cgroup counts that."""
        self.is_over_memory = await watch(self.box.init_pid, memory_bytes, self.died)
        if self.is_over_memory:
            self.kill()

    def interrupt(self) -> None:
        self.main.signal(signal.SIGINT)

    def kill(self) -> None:
        self.box.kill()

    def is_out_of_memory(self) -> bool:
        """True if a memory limit ended it."""
        return self.is_over_memory or (
            self.group is not None and self.group.kills() > self.kills_before
        )

    def fault(self) -> str:
        """None of our processes is between it and the host."""
        return ""

    async def end(self) -> None:
        """Kill it and everything it started; returns when they are dead. May be called again."""
        self.kill()
        if self.guard:
            self.guard.cancel()
        self.main.let_go()
        await self.box.end()


@dataclass(frozen=True)
class BwrapStart:
    """Folders and limits with which a session's kernels run."""

    boxing: Boxing
    rooms: Rooms
    group: ControlGroup | None
    is_warm: bool = False  # with the common libraries imported

    @property
    def slot(self) -> Slot:
        return self.rooms.slot

    @property
    def socket_prefix(self) -> str:
        return self.slot.socket_prefix

    async def launch(self, key: bytes) -> SandboxedKernel:
        """A kernel that listens. Raises KernelLost when it does not come up."""
        listeners = self.slot.listen()
        ready_out, ready_in = os.pipe()
        try:
            try:
                box = await self.start_box(listeners, key, ready_in)
            finally:
                os.close(ready_in)
                for listener in listeners:
                    listener.close()
            async with on_failure_await(box.end):
                return await self.await_ready(box, ready_out)
        finally:
            os.close(ready_out)

    async def start_box(
        self, listeners: list[socket.socket], key: bytes, ready: int
    ) -> ProcessTree:
        sockets = [listener.fileno() for listener in listeners]
        assert len(sockets) == len(CHANNELS)
        spec: dict[str, object] = {"key": key.decode(), "sockets": sockets, "ready": ready}
        spec["is_warm"] = self.is_warm
        spec_fd = memory_file(json.dumps(spec).encode())
        program_fd = memory_file(read_program())
        try:
            return await start_box(
                self.boxing,
                self.rooms,
                self.group,
                [PYTHON_INSIDE, "-I", f"/proc/self/fd/{program_fd}", str(spec_fd)],
                inherited=[*sockets, ready, spec_fd, program_fd],
            )
        finally:
            os.close(spec_fd)
            os.close(program_fd)

    async def await_ready(self, box: ProcessTree, ready: int) -> SandboxedKernel:
        answer = await read_until(ready, b"R", READY_TIMEOUT_S)
        pid = first_child(box.init_pid) if answer else None
        if pid is None:
            raise KernelLost(f"The kernel did not come up: {box.log_text()[-500:]}")
        return SandboxedKernel(box, pid, self.group, self.boxing.policy.memory_bytes)
