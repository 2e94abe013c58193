"""Provisioner through which jupyter_client's kernel manager launches kernels into the sandbox."""

from __future__ import annotations

import asyncio
import inspect
import signal
import socket
from importlib.metadata import EntryPoint
from typing import Any, Protocol

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase
from traitlets import Any as Anything
from traitlets import Instance

from runner.contract import KernelLost
from runner.sandbox.cleanup import on_failure_await

NAME = "pybench-sandbox"


class Launched(Protocol):
    """A kernel in its sandbox."""

    died: asyncio.Event
    sockets: dict[str, socket.socket]  # our ends of the channels, until a connection has them

    def interrupt(self) -> None: ...

    def kill(self) -> None:
        """End it; returns before that is over."""

    async def end(self) -> None:
        """Kill it and everything it started, wait until they are dead. May be called again."""

    def is_out_of_memory(self) -> bool: ...

    def fault(self) -> str:
        """The infrastructure fault that ended the kernel, or ""."""


class Start(Protocol):
    """Means and limits with which a session's kernels are launched."""

    async def launch(self, key: bytes) -> Launched:
        """A kernel at the other ends of `sockets`. Raises KernelLost when it does not come up."""


class SandboxProvisioner(KernelProvisionerBase):
    """One kernel in a sandbox; `start` launches it."""

    start = Anything()  # a Start
    kernel: Launched | None = None

    @property
    def has_process(self) -> bool:
        return self.kernel is not None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        assert isinstance(self.parent, AsyncKernelManager)
        self.connection_info = self.parent.get_connection_info()
        return {"cmd": [], "env": {}}

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        assert isinstance(self.parent, AsyncKernelManager)
        self.kernel = await self.start.launch(self.parent.session.key)
        return self.connection_info

    async def poll(self) -> int | None:
        return None if self.kernel and not self.kernel.died.is_set() else 1

    async def wait(self) -> int | None:
        if self.kernel:
            await self.kernel.died.wait()
        return 0

    async def send_signal(self, signum: int) -> None:
        if self.kernel and signum == signal.SIGINT:
            self.kernel.interrupt()
        elif self.kernel and signum:
            self.kernel.kill()

    async def kill(self, restart: bool = False) -> None:
        if self.kernel:
            await self.kernel.end()

    async def terminate(self, restart: bool = False) -> None:
        await self.kill(restart)

    async def cleanup(self, restart: bool = False) -> None:
        if self.kernel:
            await self.kernel.end()
            self.kernel = None

    def get_shutdown_wait_time(self, recommended: float = 5.0) -> float:
        return 0.05  # no politeness towards hostile code


class OneKernelSpec(KernelSpecManager):
    """Answers every request with the sandboxed kernel; looks at no folder."""

    spec = Instance(KernelSpec)

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return self.spec


class SandboxManager(AsyncKernelManager):
    """Starts and ends kernels; our own reader talks to them.

    Without what every attempt would pay for and nobody here uses: a control socket, a file that
    tells clients where to connect, and the pause of 10 ms after each start and each end in which
    the library's own tests look at the manager's pending state.
    """

    start_kernel = inspect.unwrap(AsyncKernelManager.start_kernel)
    shutdown_kernel = inspect.unwrap(AsyncKernelManager.shutdown_kernel)

    def _connect_control_socket(self) -> None:
        """Nobody asks a hostile kernel to shut down. A socket takes a context with two threads."""

    def write_connection_file(self, **kwargs: Any) -> None:
        """The kernel gets its sockets and its key by descriptor."""


def make_manager(start: Start) -> AsyncKernelManager:
    """A kernel manager whose kernel is launched as `start` says."""
    factory = KernelProvisionerFactory.instance()
    entry = EntryPoint(NAME, f"{__name__}:SandboxProvisioner", factory.GROUP_NAME)
    factory.provisioners.setdefault(NAME, entry)
    spec = KernelSpec(
        argv=[],
        display_name="Python 3 (sandboxed)",
        language="python",
        metadata={"kernel_provisioner": {"provisioner_name": NAME, "config": {"start": start}}},
    )
    return SandboxManager(kernel_name=NAME, kernel_spec_manager=OneKernelSpec(spec=spec))


async def start_kernel(start: Start) -> tuple[AsyncKernelManager, Launched]:
    """Raises KernelLost when it does not start."""
    manager = make_manager(start)
    async with on_failure_await(end_launched, manager):
        await manager.start_kernel()
    provisioner = manager.provisioner
    if not isinstance(provisioner, SandboxProvisioner) or provisioner.kernel is None:
        raise KernelLost("The kernel did not start.")
    return manager, provisioner.kernel


async def end_launched(manager: AsyncKernelManager) -> None:
    """For a start that was called off between the kernel's launch and our hearing of it."""
    launched = manager.provisioner
    if isinstance(launched, SandboxProvisioner) and launched.kernel:
        await launched.kernel.end()
        await manager.shutdown_kernel(now=True)
