"""The way to get a sandbox on this host: the fast kind, the plain one, or a sentence why not."""

from __future__ import annotations

import shutil
import subprocess

from runner.contract import SandboxUnavailable
from runner.sandbox.base import Sandbox
from runner.sandbox.bwrap.sandbox import BwrapSandbox
from runner.sandbox.cleanup import on_failure
from runner.sandbox.host import async_fds
from runner.sandbox.host.account import drop_privileges, sandbox_uid
from runner.sandbox.host.bwrap_command import NEEDED, read_bwrap_version
from runner.sandbox.host.kernel_env import KernelEnvironment, find_kernel_environment
from runner.sandbox.host.memory_budget import find_groups
from runner.sandbox.host.runtime_folders import claim_site
from runner.sandbox.sandboxd.launch import kernels_ahead
from runner.sandbox.zygote.sandbox import ZygoteSandbox
from runner.sandbox.zygote.service_client import find_daemon
from runner.sandbox.zygote.support import (
    PROBE_TIMEOUT_S,
    REMEDY,
    find_lack_of_second_wall,
    wanted_kind,
)

KINDS = ("auto", "zygote", "bwrap")


def open_sandbox(wanted: str | None = None) -> Sandbox:
    """Ready to open sessions: of the kind that is wanted, or that PYBENCH_SANDBOX names.

    Raises SandboxUnavailable, saying what this host lacks.
    """
    async_fds.raise_limit()  # each session holds some
    kind = wanted or wanted_kind()
    if kind not in KINDS:
        raise SandboxUnavailable(f"PYBENCH_SANDBOX is “{kind}”; it may be {', '.join(KINDS)}.")
    plain = open_bwrap()
    with on_failure(plain.site.close):
        if kind == "bwrap":
            plain.ahead = kernels_ahead() if wanted is None else 0
            return plain
        lack = find_lack_of_second_wall()
        if not lack:
            return ZygoteSandbox(plain, find_daemon(plain.env, plain.groups))
        if kind == "zygote":
            raise SandboxUnavailable(f"No sandbox can be forked here: {lack} {REMEDY}")
        plain.ahead = kernels_ahead()
        return plain


def open_bwrap() -> BwrapSandbox:
    sandbox_uid()
    check_programs()
    env = find_kernel_environment()
    groups = find_groups()
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
