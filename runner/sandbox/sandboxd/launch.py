"""Starting the service: what it is given, and how it becomes the sandbox's user without a network.

Runs where the service is asked for: in `python -m runner.sandbox.sandboxd`, or in a worker that
starts one of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from runner.contract import SandboxUnavailable
from runner.sandbox.bundle import ENTER_RANGE, FILTER, SERVICE, make_bundle
from runner.sandbox.host import seccomp
from runner.sandbox.host.account import drop_privileges, sandbox_uid
from runner.sandbox.host.async_fds import memory_file
from runner.sandbox.host.cgroups import ENTER, OWN_LEAF, Cgroups, enable_controllers, make_group
from runner.sandbox.host.kernel_env import KernelEnvironment
from runner.sandbox.host.memory_budget import budget_bytes
from runner.sandbox.host.runtime_folders import Site, group_prefix
from runner.sandbox.policy import Range

AHEAD = 2
MOST_AHEAD = 64
NETWORK = ("/usr/bin/unshare", "--user", "--map-current-user", "--net", "--")


def kernels_ahead() -> int:
    """Number of kernels kept ready, by PYBENCH_SANDBOX_AHEAD."""
    setting = os.environ.get("PYBENCH_SANDBOX_AHEAD", str(AHEAD))
    if not setting.isdecimal() or int(setting) > MOST_AHEAD:
        raise SandboxUnavailable(
            f"PYBENCH_SANDBOX_AHEAD is “{setting}”; it may be a number from 0 to {MOST_AHEAD}."
        )
    return int(setting)


@dataclass(frozen=True)
class Keeping:
    """Amount that is kept warm, and for how long."""

    ahead: int = AHEAD  # kernels
    rotate_forks: int = 2_000
    rotate_s: float = 3_600.0


@dataclass(frozen=True)
class Spec:
    """Specification with which a service is started. Its descriptors are listed in `inherited`."""

    site: Site
    env: KernelEnvironment
    cgroups: Cgroups | None  # delegated to it
    keeping: Keeping
    listener: int
    lifeline: int | None = None  # ends with its other end
    parent: int = 0  # ends with this process
    users: Range | None = None  # one for each sandbox, where the host gives them

    @property
    def inherited(self) -> list[int]:
        lifeline = [] if self.lifeline is None else [self.lifeline]
        return [self.listener, *lifeline, *self.site.locks]

    def as_json(self) -> bytes:
        cgroups = self.cgroups and (
            self.cgroups.version,
            [(name, str(folder)) for name, folder in self.cgroups.bases],
        )
        facts = {
            "env": str(self.env.folder),
            "base": str(self.env.base),
            "python": self.env.python_version,
            "cgroups": cgroups,
            "budget": budget_bytes(),
            "token": f"{group_prefix(self.site.token)}k",
            **vars(self.keeping),
            "listener": self.listener,
            "lifeline": self.lifeline,
            "parent": self.parent,
            "users": astuple(self.users) if self.users else None,
        }
        return json.dumps(facts).encode()


def service_command(spec: Spec) -> tuple[list[str], list[int]]:
    """The command line, and all descriptors that it needs."""
    archive, facts = memory_file(make_service_bundle()), memory_file(spec.as_json())
    # The interpreter of the kernel environment, which the sandbox's user can read; it needs only
    # the standard library.
    python = str(spec.env.folder / "bin" / "python")
    argv = [python, "-I", "-S", f"/proc/self/fd/{archive}", str(facts)]
    if spec.users is None:
        return [*drop_privileges(), *NETWORK, *argv], [*spec.inherited, archive, facts]
    entry = memory_file(make_bundle(ENTER_RANGE))
    trusted = sys.executable if os.geteuid() == 0 else python  # root runs its own alone
    argv = [*spec.users.enter(trusted, entry), *argv]
    return argv, [*spec.inherited, archive, facts, entry]


def make_service_bundle() -> bytes:
    return make_bundle(SERVICE, files={FILTER: seccomp.build()})


def delegate(cgroups: Cgroups | None, token: str) -> Cgroups | None:
    """A part of the cgroups in which the sandbox's user may make its own; None without any."""
    if cgroups is None or os.geteuid() != 0:
        return cgroups
    uid = sandbox_uid()
    bases: list[tuple[str, Path]] = []
    for controller, base in cgroups.bases:
        folder = base / f"{group_prefix(token)}d"
        make_group(folder)
        if not controller:
            prepare_version_2(folder, uid)
        for path in (folder, folder / "cgroup.procs"):
            os.chown(path, uid, uid)
        bases.append((controller, folder))
    return Cgroups(cgroups.version, tuple(bases))


def prepare_version_2(folder: Path, uid: int) -> None:
    """Version 2 moves processes only below a group that is delegated as a whole."""
    enable_controllers(folder)
    os.chown(folder / "cgroup.subtree_control", uid, uid)
    make_group(folder / OWN_LEAF)


def join_delegated(cgroups: Cgroups | None) -> list[str]:
    """The files in which a service of version 2 must enter itself before it is another user."""
    if cgroups is None or cgroups.version != "v2" or os.geteuid() != 0:
        return []
    return [str(folder / OWN_LEAF / "cgroup.procs") for _, folder in cgroups.bases]


def start_service(spec: Spec, log: int) -> subprocess.Popen[bytes]:
    """As a child. Call it from a thread that stays."""
    argv, fds = service_command(spec)
    try:
        return subprocess.Popen(
            [*enter_groups(join_delegated(spec.cgroups)), *argv],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=tuple(fds),
            env={"PATH": "/usr/bin:/bin"},
            cwd="/",
            umask=0o022,
            start_new_session=True,
        )
    finally:
        for fd in set(fds) - set(spec.inherited):
            os.close(fd)


def become_service(spec: Spec) -> None:
    """Never returns: this process becomes it."""
    argv, fds = service_command(spec)
    os.umask(0o022)  # of kernels too: the same on every host
    for fd in fds:
        os.set_inheritable(fd, True)
    os.chdir("/")
    words = [*enter_groups(join_delegated(spec.cgroups)), *argv]
    os.execve(words[0], words, {"PATH": "/usr/bin:/bin"})


def enter_groups(members: Sequence[str]) -> list[str]:
    if not members:
        return []
    return ["/bin/sh", "-c", ENTER, "sh", " ".join(members)]
