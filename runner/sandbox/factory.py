"""The way to get a sandbox on this host: the one kind there is, or a sentence why not."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from runner.contract import Limits
from runner.sandbox import cgroups
from runner.sandbox.account import drop_privileges, sandbox_uid
from runner.sandbox.base import Sandbox, SandboxUnavailable, Session, ToolJob, ToolResult
from runner.sandbox.kernel_env import KernelEnvironment, find_kernel_environment
from runner.sandbox.session import BwrapSession
from runner.sandbox.slots import Site, claim_site
from runner.sandbox.tool import run_tool

NEEDED = ("bwrap", "setpriv", "nsenter", "unshare", "prlimit", "nice", "mount")
LAYERS = "user, mount, pid, net, ipc, uts and cgroup namespaces; seccomp; rlimits; no capabilities"
PROBE_TIMEOUT_S = 20.0


@dataclass
class BwrapSandbox:
    """Implements `runner.sandbox.base.Sandbox` with bubblewrap. Made by `open_sandbox`."""

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


def open_sandbox() -> Sandbox:
    """Ready to open sessions. Raises SandboxUnavailable, saying what this host lacks."""
    sandbox_uid()
    check_programs()
    env = find_kernel_environment()
    groups = cgroups.find()
    check_kernel_environment(env)
    return BwrapSandbox(claim_site(groups), env, groups, read_bwrap_version())


def check_programs() -> None:
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        raise SandboxUnavailable(
            f"This host lacks {', '.join(missing)}. "
            "Run `apt-get install bubblewrap util-linux mount coreutils`."
        )


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


def read_bwrap_version() -> str:
    result = subprocess.run(
        ["bwrap", "--version"], capture_output=True, text=True, timeout=PROBE_TIMEOUT_S, check=False
    )
    found = re.search(r"[\d.]+", result.stdout)
    return found.group() if found else "unknown"
