"""One memory budget for all sandboxes of a host: whoever uses most loses, never a neighbour.

Places are for waiting, so there are more of them than their limits of memory add up to. Where the
host grants cgroups, all sandboxes lie in one group that has the budget as its limit: when that is
reached, the kernel's OOM killer takes the process in it that uses most, and with version 2 its
whole sandbox. Elsewhere each process that watches sandboxes ends the one that uses most of those it
watches; the sandbox service watches all kernels of its host.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract import SandboxUnavailable
from runner.sandbox.host import cgroups
from runner.sandbox.host.cgroups import Cgroups, make_group

MIB = 1 << 20
SETTING = "PYBENCH_SANDBOX_MEMORY_MB"
SHARE = 0.75  # of the host's memory, where nothing is set
LEAST_MB = 512  # a kernel with its libraries and some data
GROUP = "pybench"  # the one that all sandboxes lie in
MEMORY_INFO = Path("/proc/meminfo")
LIMITS = ("memory.max", "memory.limit_in_bytes")


def budget_bytes() -> int:
    """Memory that all sandboxes together can use. Raises SandboxUnavailable for a senseless
    setting."""
    setting = os.environ.get(SETTING, "")
    if not setting:
        return int(SHARE * memory_of_host())
    if not setting.isdecimal() or int(setting) < LEAST_MB:
        raise SandboxUnavailable(f"{SETTING} is “{setting}”; it must be {LEAST_MB} or more.")
    return int(setting) * MIB


def memory_of_host() -> int:
    """Bytes of memory that this process and its neighbours can have."""
    for line in cgroups.read_lines(MEMORY_INFO):
        if line.startswith("MemTotal:"):
            total = int(line.split()[1]) << 10
            return min([total, *limits_above()])
    raise SandboxUnavailable(f"{MEMORY_INFO} does not tell the host's memory.")


def limits_above() -> list[int]:
    """The limits of the groups that this process is in, innermost first."""
    found: list[int] = []
    for mount, path in (
        (cgroups.MOUNT, cgroups.own_path("")),
        (cgroups.MOUNT / "unified", cgroups.own_path("")),
        (cgroups.MOUNT / "memory", cgroups.own_path("memory")),
    ):
        folder = mount / path
        for group in (folder, *folder.parents):
            lines = [line for name in LIMITS for line in cgroups.read_lines(group / name)]
            found += [int(line) for line in lines if line.isdecimal()]
            if group == mount:
                break
    return found


def find_groups() -> Cgroups | None:
    """Groups that `cgroups.find` grants, below the group that has the budget as its limit."""
    found = cgroups.find()
    return enclose(found, budget_bytes()) if found else None


def enclose(found: Cgroups, limit_bytes: int) -> Cgroups:
    """Raises SandboxUnavailable if the group cannot be made or limited."""
    bases: list[tuple[str, Path]] = []
    for controller, base in found.bases:
        if controller in ("", "memory"):
            base = base / GROUP
            try:
                limit(base, controller, limit_bytes)
            except OSError as error:
                raise SandboxUnavailable(f"The cgroup {base} cannot be made: {error}.") from error
        bases.append((controller, base))
    return Cgroups(found.version, tuple(bases))


def limit(group: Path, controller: str, limit_bytes: int) -> None:
    """Make the group if it is missing. Raises OSError."""
    make_group(group)
    if controller:
        with contextlib.suppress(OSError):  # version 1: it is on already where that is refused
            (group / "memory.use_hierarchy").write_text("1")
        (group / "memory.limit_in_bytes").write_text(str(limit_bytes))
        return
    cgroups.enable_controllers(group)
    (group / "memory.max").write_text(str(limit_bytes))
    cgroups.write_setting(group / "memory.swap.max", "0", is_vital=False)


@dataclass
class MemoryBudget:
    """Memory use of this process's watched sandboxes, each of which reports whenever it looks."""

    limit_bytes: int | None = None  # None: as `budget_bytes` says at the first look
    used: dict[object, int] = field(default_factory=dict)

    def must_end(self, sandbox: object, used_bytes: int) -> bool:
        """Note what a sandbox uses; True if it must end, being the one that uses most."""
        if self.limit_bytes is None:
            self.limit_bytes = budget_bytes()
        self.used[sandbox] = used_bytes
        is_over = sum(self.used.values()) > self.limit_bytes
        return is_over and used_bytes == max(self.used.values())

    def forget(self, sandbox: object) -> None:
        self.used.pop(sandbox, None)


BUDGET = MemoryBudget()
