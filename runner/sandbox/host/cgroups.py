"""Memory, process and processor caps for a whole sandbox, where the host lets us make cgroups.

Version 2 needs a delegated subtree (a systemd unit with `Delegate=memory pids cpu`), version 1
needs root. Where neither can be had, `runner.sandbox.host.memory_watchdog` looks after memory
instead. Rules of version 2: Linux `Documentation/admin-guide/cgroup-v2.rst`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.contract import Limits, SandboxUnavailable
from runner.sandbox.policy import SandboxPolicy

MOUNT = Path("/sys/fs/cgroup")
CONTROLLERS = ("memory", "pids", "cpu")  # of version 1
WANTED = ("memory", "pids", "cpu")  # of version 2
OWNER = re.compile(r"pybench-[wd]-[0-9a-f]{12}-owner")
HOLD_TRIES = 200
HOLD_REST_S = 0.05  # a sweep holds a lock for some milliseconds for each group on the host
OWN_LEAF = "service"  # where processes go that would keep a group from limiting its children
PERIOD_US = 100_000
VACATE_TRIES = 10
PROBE_TIMEOUT_S = 20.0
SPARE_PROCESSES = 8  # the walls' own, beside what the sandbox may start
ENTER = 'for f in $1; do echo $$ > "$f" || exit 125; done; shift; exec "$@"'


class CgroupRefused(SandboxUnavailable):
    """The group cannot be made here."""


@dataclass(frozen=True)
class ControlGroup:
    """One sandbox's cgroup: a folder in version 2, one per controller in version 1."""

    folders: tuple[Path, ...]

    def enter(self) -> list[str]:
        """A command prefix that joins the group first, so that nothing escapes the counting."""
        members = " ".join(str(folder / "cgroup.procs") for folder in self.folders)
        return ["/bin/sh", "-c", ENTER, "sh", members]

    def add(self, pid: int) -> None:
        """Move a process in; what it starts afterwards is in as well. Raises OSError."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def kills(self) -> int:
        """Number of times that the kernel killed something in here for want of memory."""
        return sum(
            int(line.split()[1])
            for folder in self.folders
            for name in ("memory.events", "memory.oom_control")
            for line in read_lines(folder / name)
            if line.startswith("oom_kill ")
        )

    def remove(self) -> bool:
        """Remove the group; False while a process is in it, which keeps it."""
        for folder in self.folders:
            with contextlib.suppress(OSError):
                folder.rmdir()
        return not any(folder.exists() for folder in self.folders)


@dataclass(frozen=True)
class Hold:
    """A lock on an empty group, by which all know that the groups of its prefix have an owner.

    Unlike folders and numbers of processes it is the same in every mount and pid namespace, and it
    ends with the last process that has the descriptor.
    """

    folder: Path
    fd: int

    def release(self) -> None:
        """Remove the groups; a later sweep does where a process is still in one."""
        with contextlib.suppress(OSError):
            remove_owned(self.folder)
        os.close(self.fd)


@dataclass(frozen=True)
class Cgroups:
    """The way this host grants cgroups: `version` "v1" or "v2", and where new ones go."""

    version: str
    bases: tuple[tuple[str, Path], ...]  # (controller, folder); controller "" for version 2

    def controllers(self) -> list[str]:
        """Controllers that groups made here have."""
        return [
            name
            for controller, base in self.bases
            for name in ([controller] if controller else limited_by(base))
        ]

    def create(self, name: str, policy: SandboxPolicy) -> ControlGroup:
        """Raises CgroupRefused when the host will not have it."""
        group = ControlGroup(tuple(base / name for _, base in self.bases))
        try:
            for (controller, _), folder in zip(self.bases, group.folders, strict=True):
                make_group(folder, exist_ok=False)
                for file, value, is_vital in settings(controller, policy):
                    write_setting(folder / file, value, is_vital)
        except OSError as error:
            group.remove()
            raise CgroupRefused(f"The cgroup {name} cannot be made: {error}.") from error
        return group

    def hold(self, prefix: str) -> Hold:
        """Own the groups whose names will begin so. Raises CgroupRefused."""
        folder = self.bases[0][1] / f"{prefix}owner"
        for _ in range(HOLD_TRIES):  # a sweep may come between the group and its lock
            try:
                make_group(folder)
                fd = lock_folder(folder)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise CgroupRefused(f"The cgroup {folder} cannot be locked: {error}.") from error
            if fd is not None and folder.exists():
                return Hold(folder, fd)
            if fd is not None:
                os.close(fd)
            time.sleep(HOLD_REST_S)
        raise CgroupRefused(f"The cgroup {folder} stays locked by a sweep of leftovers.")


def lock_folder(folder: Path) -> int | None:
    """A descriptor that holds its lock; None if somebody else does. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    except OSError:
        os.close(fd)
        raise
    return fd


def sweep_abandoned() -> bool:
    """Remove the groups whose owner is dead, which their lock tells; False while some are left.

    Whoever cannot be proved dead keeps its groups. A group that still has a process in it stays,
    and so does its lock's, for the next sweep.
    """
    is_clean = True
    owners = [
        Path(parent, name)
        for parent, names, _ in os.walk(MOUNT)
        for name in names
        if OWNER.fullmatch(name)
    ]
    for owner in owners:
        with contextlib.suppress(OSError):  # gone meanwhile
            fd = lock_folder(owner)
            if fd is not None:
                try:
                    is_clean = remove_owned(owner) and is_clean
                finally:
                    os.close(fd)
    return is_clean


def remove_owned(owner: Path) -> bool:
    """Remove the groups that a locked one stands for, and at last itself; False if some stay."""
    prefix = owner.name.removesuffix("owner")
    are_left = False
    for parent, names, _ in os.walk(MOUNT, topdown=False):  # those within others first
        is_within = Path(parent).name.startswith(prefix)
        for name in names:
            if (is_within or name.startswith(prefix)) and name != owner.name:
                try:
                    Path(parent, name).rmdir()
                except OSError:
                    are_left = are_left or Path(parent, name).exists()
    if not are_left:
        owner.rmdir()
    return not are_left


def settings(controller: str, policy: SandboxPolicy) -> Sequence[tuple[str, str, bool]]:
    """(file, value, whether the cap is void without it)."""
    memory, pids = str(policy.memory_bytes), str(policy.processes + SPARE_PROCESSES)
    quota = str(int(policy.cores * PERIOD_US))
    return {
        "": (
            ("memory.max", memory, True),
            ("memory.swap.max", "0", False),
            ("memory.oom.group", "1", False),
            ("pids.max", pids, False),
            ("cpu.max", f"{quota} {PERIOD_US}", False),
        ),
        "memory": (
            ("memory.limit_in_bytes", memory, True),
            ("memory.memsw.limit_in_bytes", memory, False),
        ),
        "pids": (("pids.max", pids, True),),
        "cpu": (("cpu.cfs_quota_us", quota, False),),
    }[controller]


def write_setting(path: Path, value: str, is_vital: bool) -> None:
    try:
        path.write_text(value)
    except OSError:
        if is_vital:
            raise


def read_lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def own_path(controller: str) -> str:
    """The cgroup this process is in, for a controller of version 1 or, with "", of version 2."""
    for line in read_lines(Path("/proc/self/cgroup")):
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return path.lstrip("/")
    return ""


def find_version_2() -> Cgroups | None:
    """The group this process is in, or the one that the operator names in PYBENCH_CGROUP."""
    named = os.environ.get("PYBENCH_CGROUP")
    own = own_path("")
    for base in [Path(named)] if named else [MOUNT / own, MOUNT / "unified" / own]:
        if named and is_in_the_way(base):
            vacate(base)
        if "memory" in enable_controllers(base) and os.access(base, os.W_OK):
            return Cgroups("v2", (("", base),))
    return None


def is_in_the_way(base: Path) -> bool:
    """True if this process keeps a group from limiting its children; in the root group none does.

    Version 2 asks that no process is in the group itself, and systemd before 254 starts a unit's
    processes just there.
    """
    is_root = not (base / "cgroup.type").exists()
    return not is_root and str(os.getpid()) in read_lines(base / "cgroup.procs")


def make_group(folder: Path, *, exist_ok: bool = True) -> None:
    """A group that the sandbox's user can look into, whatever the umask. Raises OSError."""
    folder.mkdir(exist_ok=exist_ok)
    with contextlib.suppress(PermissionError):  # one that is there can be another user's
        folder.chmod(0o755)


def vacate(base: Path) -> None:
    """Move the processes of a group into one below it, as far as we may."""
    leaf = base / OWN_LEAF
    for _ in range(VACATE_TRIES):  # one may fork while we look
        members = read_lines(base / "cgroup.procs")
        if not members:
            return
        with contextlib.suppress(OSError):
            make_group(leaf)
        for pid in members:
            with contextlib.suppress(OSError):
                (leaf / "cgroup.procs").write_text(pid)


def enable_controllers(base: Path) -> list[str]:
    """Those that now limit the groups below `base`; one that is refused does not cost the rest."""
    for controller in WANTED:
        with contextlib.suppress(OSError):
            (base / "cgroup.subtree_control").write_text(f"+{controller}")
    return limited_by(base)


def limited_by(base: Path) -> list[str]:
    """The controllers of version 2 that limit the groups below `base`."""
    return " ".join(read_lines(base / "cgroup.subtree_control")).split()


def find_version_1() -> Cgroups | None:
    bases = [(name, MOUNT / name / own_path(name)) for name in CONTROLLERS]
    usable = [(name, base) for name, base in bases if base.is_dir() and os.access(base, os.W_OK)]
    return Cgroups("v1", tuple(usable)) if "memory" in dict(usable) else None


def find() -> Cgroups | None:
    """Find the groups that this host grants, tried out; None if it grants none."""
    for found in (find_version_2(), find_version_1()):
        if found and can_be_used(found):
            return found
    return None


def can_be_used(cgroups: Cgroups) -> bool:
    """True if a group can be made and entered: version 2 may grant the first without the second.

    Moving a process needs write access to the group that both its old and its new one lie in.
    """
    try:
        group = cgroups.create(f"pybench-probe-{secrets.token_hex(4)}", SandboxPolicy.of(Limits()))
    except CgroupRefused:
        return False
    probe = [*group.enter(), "/bin/true"]
    try:
        done = subprocess.run(probe, capture_output=True, timeout=PROBE_TIMEOUT_S, check=False)
        can_enter = done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        can_enter = False
    return group.remove() and can_enter
