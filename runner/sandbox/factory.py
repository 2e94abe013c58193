"""The sandbox: kernels forked from a warm parent, in a service apart, behind two walls."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runner.contract import Limits, SandboxUnavailable
from runner.sandbox.base import Sandbox, Session, ToolJob, ToolResult
from runner.sandbox.host import async_fds, cgroups
from runner.sandbox.host.account import drop_privileges, sandbox_uid
from runner.sandbox.host.bubblewrap import INSTALL, NEEDED, read_bwrap_version
from runner.sandbox.host.commands import describe_programs
from runner.sandbox.host.kernel_env import KernelEnvironment, find_kernel_environment
from runner.sandbox.host.memory_budget import find_groups
from runner.sandbox.inside import landlock
from runner.sandbox.zygote.service_client import Daemon, find_daemon
from runner.sandbox.zygote.session import ZygoteSession
from runner.sandbox.zygote.support import PROBE_TIMEOUT_S, REMEDY, find_lack_of_second_wall
from runner.sandbox.zygote.tool import run_tool


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
    """Implements `runner.sandbox.base.Sandbox`."""

    env: KernelEnvironment
    groups: cgroups.Cgroups | None
    bwrap_version: str
    daemon: Daemon

    async def open(self, inputs: Path, limits: Limits) -> Session:
        return ZygoteSession(self.daemon, inputs, limits)

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


def open_sandbox() -> Sandbox:
    """Ready to open sessions. Raises SandboxUnavailable, saying what this host lacks."""
    async_fds.raise_limit()  # each session holds some
    sandbox_uid()
    if missing := [name for name in NEEDED if not shutil.which(name)]:
        raise SandboxUnavailable(f"This host lacks {', '.join(missing)}. {INSTALL}")
    env = find_kernel_environment()
    groups = find_groups()
    check_kernel_environment(env)
    if lack := find_lack_of_second_wall():
        raise SandboxUnavailable(f"No second wall can be built here: {lack} {REMEDY}")
    return ZygoteSandbox(env, groups, read_bwrap_version(), find_daemon(env, groups))


def check_kernel_environment(env: KernelEnvironment) -> None:
    """See that the sandbox's user can start its Python."""
    python = str(env.folder / "bin" / "python")
    result = subprocess.run(
        [*drop_privileges(), python, "-I", "-c", "import traitlets, zmq"],
        capture_output=True,
        timeout=PROBE_TIMEOUT_S,
        env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        check=False,
    )
    if result.returncode != 0:
        reason = result.stderr.decode("utf-8", "replace").strip().splitlines()
        raise SandboxUnavailable(
            f"The sandbox's user cannot start {python}: {reason[-1] if reason else 'no answer'}. "
            "Remove it and run `make run`, or make it readable to others."
        )
