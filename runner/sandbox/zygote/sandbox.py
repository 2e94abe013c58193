"""The sandbox: kernels forked from a warm parent, in a service apart, behind two walls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from runner.contract import Limits
from runner.sandbox.base import Session, ToolJob, ToolResult
from runner.sandbox.host import cgroups
from runner.sandbox.host.commands import describe_programs
from runner.sandbox.host.kernel_env import KernelEnvironment
from runner.sandbox.host.runtime_folders import Site
from runner.sandbox.inside import landlock
from runner.sandbox.zygote.session import ZygoteSession
from runner.sandbox.zygote.tool import run_tool

if TYPE_CHECKING:
    from runner.sandbox.zygote.service_client import Daemon


@lru_cache(maxsize=1)
def programs_in(commands: Path) -> str:
    """Description of the host's programs, of which `commands` has copies; once for each folder."""
    return describe_programs()


LAYERS = (
    "two walls, each of user, mount, pid, net, ipc, uts and cgroup namespaces; seccomp "
    "allow-list; rlimits; "
    "no capabilities; a service without secrets or network"
)


@dataclass
class ZygoteSandbox:
    """Implements `runner.sandbox.base.Sandbox`. Made by `runner.sandbox.factory.open_sandbox`."""

    site: Site
    env: KernelEnvironment
    groups: cgroups.Cgroups | None
    bwrap_version: str
    daemon: Daemon

    async def open(self, inputs: Path, limits: Limits) -> Session:
        return ZygoteSession(self.daemon, self.site.slot(), inputs, limits)

    async def run_tool(self, job: ToolJob) -> ToolResult:
        return await run_tool(job, self.daemon)

    def environment(self) -> dict[str, str]:
        version = landlock.abi()
        memory = f"cgroup {self.groups.version}" if self.groups else "watchdog"
        return {
            "sandbox": "zygote",
            "layers": f"{LAYERS}; Landlock {version}" if version else LAYERS,
            "memory": self.daemon.memory or memory,
            "bubblewrap": self.bwrap_version,
            "python": self.env.python_version,
            "kernel_environment": self.env.digest(),
            "programs": programs_in(self.env.commands),
        }

    async def close(self) -> None:
        """The service stays, for the next who opens a sandbox in this process."""
        self.site.close()
