"""Starting the service: what it is given, and how it becomes the sandbox's user without a network.

Runs where the service is asked for: in `python -m runner.sandbox.sandboxd`, or in a worker that
starts one of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from runner.sandbox.account import drop_privileges, sandbox_uid
from runner.sandbox.base import SandboxUnavailable
from runner.sandbox.cgroups import ENTER, OWN_LEAF, Cgroups, enable_controllers
from runner.sandbox.descriptors import memory_file
from runner.sandbox.kernel_env import KernelEnvironment
from runner.sandbox.sandboxd.bundle import SERVICE, make_bundle
from runner.sandbox.slots import Site, group_prefix

AHEAD = 2
MOST_AHEAD = 64
NETWORK = ("/usr/bin/unshare", "--user", "--map-current-user", "--net", "--")


def kernels_ahead() -> int:
    """How many kernels are kept ready, by PYBENCH_SANDBOX_AHEAD."""
    setting = os.environ.get("PYBENCH_SANDBOX_AHEAD", str(AHEAD))
    if not setting.isdecimal() or int(setting) > MOST_AHEAD:
        raise SandboxUnavailable(
            f"PYBENCH_SANDBOX_AHEAD is “{setting}”; it may be a number from 0 to {MOST_AHEAD}."
        )
    return int(setting)


@dataclass(frozen=True)
class Keeping:
    """How much is kept warm, and for how long."""

    ahead: int = AHEAD  # kernels
    rotate_forks: int = 2_000
    rotate_s: float = 3_600.0


@dataclass(frozen=True)
class Spec:
    """What a service is started with. Its descriptors are listed in `inherited`."""

    site: Site
    env: KernelEnvironment
    cgroups: Cgroups | None  # delegated to it
    keeping: Keeping
    listener: int
    lifeline: int | None = None  # ends with its other end
    parent: int = 0  # ends with this process

    @property
    def inherited(self) -> list[int]:
        return [fd for fd in (self.listener, self.lifeline, self.site.lock) if fd is not None]

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
            "token": f"{group_prefix(self.site.token)}k",
            **vars(self.keeping),
            "listener": self.listener,
            "lifeline": self.lifeline,
            "parent": self.parent,
        }
        return json.dumps(facts).encode()


def service_command(spec: Spec) -> tuple[list[str], list[int]]:
    """The command line, and the descriptors that it needs; the caller closes the last two."""
    archive, facts = memory_file(make_bundle(SERVICE)), memory_file(spec.as_json())
    # The interpreter of the kernel environment, which the sandbox's user can read; only the
    # standard library is asked of it.
    python = str(spec.env.folder / "bin" / "python")
    argv = [*drop_privileges(), *NETWORK, python, "-I", "-S", f"/proc/self/fd/{archive}"]
    return [*argv, str(facts)], [*spec.inherited, archive, facts]


def delegate(cgroups: Cgroups | None, token: str) -> Cgroups | None:
    """A part of the cgroups in which the sandbox's user may make its own; None without any."""
    if cgroups is None or os.geteuid() != 0:
        return cgroups
    uid = sandbox_uid()
    bases: list[tuple[str, Path]] = []
    for controller, base in cgroups.bases:
        folder = base / f"{group_prefix(token)}d"
        with suppress(FileExistsError):
            folder.mkdir()
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
    (folder / OWN_LEAF).mkdir()


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
            start_new_session=True,
        )
    finally:
        for fd in fds[-2:]:
            os.close(fd)


def become_service(spec: Spec) -> None:
    """Never returns: this process becomes it."""
    argv, fds = service_command(spec)
    for fd in fds:
        os.set_inheritable(fd, True)
    os.chdir("/")
    words = [*enter_groups(join_delegated(spec.cgroups)), *argv]
    os.execve(words[0], words, {"PATH": "/usr/bin:/bin"})


def enter_groups(members: Sequence[str]) -> list[str]:
    if not members:
        return []
    return ["/bin/sh", "-c", ENTER, "sh", " ".join(members)]
