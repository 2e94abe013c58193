"""The way to get a sandbox on this host, or a sentence why there is none."""

from __future__ import annotations

import shutil
import subprocess

from runner.contract import SandboxUnavailable
from runner.sandbox.base import Sandbox
from runner.sandbox.cleanup import on_failure
from runner.sandbox.host import async_fds
from runner.sandbox.host.account import drop_privileges, sandbox_uid
from runner.sandbox.host.bubblewrap import NEEDED, read_bwrap_version
from runner.sandbox.host.kernel_env import KernelEnvironment, find_kernel_environment
from runner.sandbox.host.memory_budget import find_groups
from runner.sandbox.host.runtime_folders import claim_site
from runner.sandbox.zygote.sandbox import ZygoteSandbox
from runner.sandbox.zygote.service_client import find_daemon
from runner.sandbox.zygote.support import PROBE_TIMEOUT_S, REMEDY, find_lack_of_second_wall


def open_sandbox() -> Sandbox:
    """Ready to open sessions. Raises SandboxUnavailable, saying what this host lacks."""
    async_fds.raise_limit()  # each session holds some
    sandbox_uid()
    check_programs()
    env = find_kernel_environment()
    groups = find_groups()
    check_kernel_environment(env)
    if lack := find_lack_of_second_wall():
        raise SandboxUnavailable(f"No second wall can be built here: {lack} {REMEDY}")
    site = claim_site(None)
    with on_failure(site.close):
        return ZygoteSandbox(site, env, groups, read_bwrap_version(), find_daemon(env, groups))


def check_programs() -> None:
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        raise SandboxUnavailable(
            f"This host lacks {', '.join(missing)}. "
            "Run `apt-get install bubblewrap util-linux mount`."
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
