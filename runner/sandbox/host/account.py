"""Choice of the host user that a sandbox runs as: never root, whoever starts it."""

from __future__ import annotations

import os
import pwd
import re
from dataclasses import dataclass
from pathlib import Path

from runner.contract import SandboxUnavailable
from runner.sandbox.policy import CAP_SETGID, CAP_SETUID, Range

DEFAULT_UID = 64917  # needs no entry in /etc/passwd
DEFAULT_RANGE = "64918-65417"  # below 65,536: containers as a rule have no more
MOST_USERS = 1_000
NO_UID = (1 << 32) - 1


def sandbox_uid() -> int:
    """The uid on the host. Raises SandboxUnavailable for a setting that is no ordinary user."""
    if os.geteuid() != 0:
        return os.geteuid()
    setting = os.environ.get("PYBENCH_SANDBOX_UID", str(DEFAULT_UID))
    if not setting.isdecimal() or int(setting) == 0:
        raise SandboxUnavailable(
            f"PYBENCH_SANDBOX_UID is “{setting}”, but a sandbox never runs as root. "
            "Set it to the number of a user that owns nothing."
        )
    return int(setting)


def drop_privileges() -> list[str]:
    """A command prefix that gives up root for good; empty for an ordinary user.

    bubblewrap started by root would show another user inside and be root all the same outside.
    """
    if os.geteuid() != 0:
        return []
    uid = sandbox_uid()
    return [
        "/usr/bin/setpriv",
        f"--reuid={uid}",
        f"--regid={uid}",
        "--clear-groups",
        "--inh-caps=-all",
        "--",
    ]


def find_closed_folder(path: Path) -> Path | None:
    """The first folder above `path` that the sandbox's user may not pass through."""
    if os.geteuid() != 0:
        return next((p for p in reversed(path.parents) if not os.access(p, os.X_OK)), None)
    uid = sandbox_uid()
    for folder in reversed(path.parents):
        found = folder.stat()
        if not found.st_mode & (0o100 if found.st_uid == uid else 0o001):
            return folder
    return None


@dataclass(frozen=True)
class FoundAccount:
    """The users that the host gives sandboxes, or the sentence that says why there are none."""

    given: Range | None
    lack: str = ""


def find_range() -> FoundAccount:
    """A range of users for the service: given to root as a setting, to others by /etc/subuid."""
    if os.environ.get("PYBENCH_SANDBOX_UIDS") == "none":
        return FoundAccount(None, "PYBENCH_SANDBOX_UIDS says so")
    try:
        return FoundAccount(range_for_root() if os.geteuid() == 0 else range_for_user())
    except LookupError as lack:
        return FoundAccount(None, str(lack))


def range_for_root() -> Range:
    first, last = read_range()
    if not has_capabilities(CAP_SETGID, CAP_SETUID):
        raise LookupError("this root may not become other users (CAP_SETUID, CAP_SETGID)")
    for name in ("uid_map", "gid_map"):
        if not is_mapped(first, last, Path("/proc/self", name).read_text()):
            raise LookupError(f"users {first} to {last} are not in this user namespace")
    uid = sandbox_uid()
    return Range(uid, uid, first, first, last - first + 1)


def read_range() -> tuple[int, int]:
    """The first and the last uid of PYBENCH_SANDBOX_UIDS."""
    setting = os.environ.get("PYBENCH_SANDBOX_UIDS") or DEFAULT_RANGE
    found = re.fullmatch(r"([0-9]{1,10})-([0-9]{1,10})", setting)
    first, last = (int(part) for part in found.groups()) if found else (0, 0)
    if not 0 < first <= last < NO_UID or first <= sandbox_uid() <= last:
        raise SandboxUnavailable(
            f"PYBENCH_SANDBOX_UIDS is “{setting}”; it may be a range such as {DEFAULT_RANGE}, of "
            "users that own nothing, without PYBENCH_SANDBOX_UID among them."
        )
    return first, last


def range_for_user() -> Range:
    """Range that subuid(5) gives this user, where it can be mapped."""
    check_that_users_can_be_mapped()
    uid = os.geteuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    first_uid, uids = read_subordinate(Path("/etc/subuid"), (name, str(uid)))
    first_gid, gids = read_subordinate(Path("/etc/subgid"), (name, str(uid)))
    return Range(uid, os.getegid(), first_uid, first_gid, min(uids, gids, MOST_USERS))


def check_that_users_can_be_mapped() -> None:
    """By ourselves, or by newuidmap, which is set-uid root. Raises LookupError."""
    if has_capabilities(CAP_SETGID, CAP_SETUID):
        return
    if not all(Path("/usr/bin", name).exists() for name in ("newuidmap", "newgidmap")):
        raise LookupError("newuidmap is missing")
    if "NoNewPrivs:\t0" not in Path("/proc/self/status").read_text():
        raise LookupError("newuidmap cannot work under no_new_privs")


def read_subordinate(path: Path, names: tuple[str, ...]) -> tuple[int, int]:
    """The first number of the range that subuid(5) gives one of these names, and how many."""
    lines = path.read_text().splitlines() if path.exists() else []
    for line in lines:
        name, _, numbers = line.partition(":")
        first, _, count = numbers.partition(":")
        if name in names and first.isdecimal() and count.isdecimal() and int(count) > 0:
            return int(first), int(count)
    raise LookupError(f"{path} has no line for {names[0]}")


def has_capabilities(*wanted: int) -> bool:
    """True if this process has them."""
    found = re.search(
        r"^CapEff:\s*([0-9a-f]+)", Path("/proc/self/status").read_text(), re.MULTILINE
    )
    held = int(found.group(1), 16) if found else 0
    return all(held >> capability & 1 for capability in wanted)


def is_mapped(first: int, last: int, table: str) -> bool:
    """True if the numbers have a meaning in a user namespace, by its uid_map.

    >>> is_mapped(64918, 65417, "0 100000 65536"), is_mapped(70000, 70010, "0 100000 65536")
    (True, False)
    """
    spans = (map(int, line.split()) for line in table.splitlines())
    return any(inside <= first and last < inside + count for inside, _, count in spans)
