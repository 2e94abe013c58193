"""The plain kind: every kernel starts anew behind bubblewrap."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from runner.contract import Limits
from runner.sandbox import cgroups
from runner.sandbox.base import Session, ToolJob, ToolResult
from runner.sandbox.kernel_env import KernelEnvironment
from runner.sandbox.session import BwrapSession
from runner.sandbox.slots import Site
from runner.sandbox.tool import run_tool

LAYERS = "user, mount, pid, net, ipc, uts and cgroup namespaces; seccomp; rlimits; no capabilities"


@dataclass
class BwrapSandbox:
    """Implements `runner.sandbox.base.Sandbox`. Made by `runner.sandbox.factory.open_sandbox`."""

    site: Site
    env: KernelEnvironment
    groups: cgroups.Cgroups | None
    bwrap_version: str
    kind: str = "bwrap"

    async def open(self, inputs: Path, limits: Limits) -> Session:
        slot = self.site.slot()
        try:
            await asyncio.to_thread(slot.put_inputs, inputs)
        except BaseException:
            slot.remove()
            raise
        return BwrapSession(self.site, slot, self.env, self.groups, limits)

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
        }

    async def close(self) -> None:
        self.site.close()
