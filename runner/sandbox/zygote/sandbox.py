"""The fast kind: kernels forked from a warm parent, in a service apart, behind two walls."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner.contract import Limits
from runner.sandbox.base import Session, ToolJob, ToolResult
from runner.sandbox.inside import landlock
from runner.sandbox.zygote.session import ZygoteSession
from runner.sandbox.zygote.tool import is_forkable, run_forked_tool

if TYPE_CHECKING:
    from runner.sandbox.bwrap.sandbox import BwrapSandbox
    from runner.sandbox.zygote.service_client import Daemon

LAYERS = (
    "two walls, each of user, mount, pid, net, ipc, uts and cgroup namespaces; seccomp "
    "allow-list; rlimits; "
    "no capabilities; a service without secrets or network"
)


@dataclass
class ZygoteSandbox:
    """Implements `runner.sandbox.base.Sandbox`. Made by `runner.sandbox.factory.open_sandbox`."""

    plain: BwrapSandbox  # its place on the host, and the tools
    daemon: Daemon
    kind: str = "zygote"

    async def open(self, inputs: Path, limits: Limits) -> Session:
        return ZygoteSession(self.daemon, self.plain.site.bare_slot(), inputs, limits)

    async def run_tool(self, job: ToolJob) -> ToolResult:
        if is_forkable(job):
            return await run_forked_tool(job, self.daemon)
        return await self.plain.run_tool(job)

    def environment(self) -> dict[str, str]:
        version = landlock.abi()
        layers = f"{LAYERS}; Landlock {version}" if version else LAYERS
        facts = {**self.plain.environment(), "sandbox": self.kind, "layers": layers}
        return facts | {"memory": self.daemon.memory or facts["memory"]}

    async def close(self) -> None:
        """The service stays, for the next who opens a sandbox in this process."""
        await self.plain.close()
