"""The plain kind: every kernel starts anew behind bubblewrap, a few of them ahead."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from runner.contract import Limits
from runner.sandbox.base import Session, ToolJob, ToolResult
from runner.sandbox.bwrap.session import BwrapSession
from runner.sandbox.bwrap.warm_pool import WarmPool
from runner.sandbox.cleanup import on_failure_await
from runner.sandbox.host import cgroups
from runner.sandbox.host.commands import describe_programs
from runner.sandbox.host.kernel_env import KernelEnvironment
from runner.sandbox.host.runtime_folders import Site
from runner.sandbox.tool import run_tool

LAYERS = (
    "user, mount, pid, net, ipc, uts and cgroup namespaces; seccomp allow-list; rlimits; "
    "no capabilities"
)


@dataclass
class BwrapSandbox:
    """Implements `runner.sandbox.base.Sandbox`. Made by `runner.sandbox.factory.open_sandbox`."""

    site: Site
    env: KernelEnvironment
    groups: cgroups.Cgroups | None
    bwrap_version: str
    ahead: int = 0  # kernels started before they are asked for
    kind: str = "bwrap"
    pool: WarmPool | None = None

    async def open(self, inputs: Path, limits: Limits) -> Session:
        session = await self.take_warm(limits) or self.make_session(limits)
        async with on_failure_await(session.close):
            await asyncio.to_thread(session.slot.put_inputs, inputs)
        return session

    async def take_warm(self, limits: Limits) -> BwrapSession | None:
        """One whose kernel runs already; its inputs are shown when they are known."""
        if not self.ahead:
            return None
        if self.pool is None:
            self.pool = WarmPool(partial(self.make_session, is_warm=True), self.ahead)
        return await self.pool.take(limits)

    def make_session(self, limits: Limits, is_warm: bool = False) -> BwrapSession:
        return BwrapSession(self.site, self.site.slot(), self.env, self.groups, limits, is_warm)

    async def run_tool(self, job: ToolJob) -> ToolResult:
        return await run_tool(job, self.site, self.env, self.groups)

    def environment(self) -> dict[str, str]:
        memory = f"cgroup {self.groups.version}" if self.groups else "watchdog"
        return {
            "sandbox": self.kind,
            "layers": LAYERS,
            "memory": memory,
            "bubblewrap": self.bwrap_version,
            "python": self.env.python_version,
            "kernel_environment": self.env.digest(),
            "programs": describe_programs(),
        }

    async def close(self) -> None:
        if self.pool:
            await self.pool.close()
        self.site.close()
