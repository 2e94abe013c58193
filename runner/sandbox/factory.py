"""The way to get a sandbox on this host: the fast kind, the plain one, or a sentence why not."""

from __future__ import annotations

import re
import shutil
import subprocess

from runner.sandbox import cgroups
from runner.sandbox.account import drop_privileges, sandbox_uid
from runner.sandbox.base import Sandbox, SandboxUnavailable
from runner.sandbox.bwrap import BwrapSandbox
from runner.sandbox.daemon import find_daemon
from runner.sandbox.gateway.sandbox import GatewaySandbox, find_gateway
from runner.sandbox.kernel_env import KernelEnvironment, find_kernel_environment
from runner.sandbox.none import NoSandbox, refuse_unless_debugging
from runner.sandbox.sandboxd.launch import kernels_ahead
from runner.sandbox.second_wall import (
    PROBE_TIMEOUT_S,
    REMEDY,
    find_lack_of_second_wall,
    wanted_kind,
)
from runner.sandbox.slots import claim_site
from runner.sandbox.zygote import ZygoteSandbox

KINDS = ("auto", "zygote", "bwrap", "gateway", "none")
NEEDED = ("bwrap", "setpriv", "nsenter", "unshare", "prlimit", "nice", "mount")


def open_sandbox(wanted: str | None = None) -> Sandbox:
    """Ready to open sessions: of the kind that is wanted, or that PYBENCH_SANDBOX names.

    Raises SandboxUnavailable, saying what this host lacks.
    """
    kind = wanted or wanted_kind()
    if kind not in KINDS:
        raise SandboxUnavailable(f"PYBENCH_SANDBOX is “{kind}”; it may be {', '.join(KINDS)}.")
    if kind == "none":
        refuse_unless_debugging()
        return NoSandbox(claim_site(None), find_kernel_environment())
    if kind == "gateway":
        gateway, version = find_gateway()
        return GatewaySandbox(gateway, version, tools=open_sandbox("auto"))
    plain = open_bwrap()
    try:
        if kind == "bwrap":
            plain.ahead = kernels_ahead() if wanted is None else 0
            return plain
        lack = find_lack_of_second_wall()
        if not lack:
            return ZygoteSandbox(plain, find_daemon(plain.env, plain.groups))
        if kind == "zygote":
            raise SandboxUnavailable(f"No sandbox can be forked here: {lack} {REMEDY}")
    except BaseException:
        plain.site.close()
        raise
    plain.ahead = kernels_ahead()
    return plain


def open_bwrap() -> BwrapSandbox:
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
