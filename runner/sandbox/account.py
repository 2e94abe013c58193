"""Which user of the host a sandbox runs as: never root, whoever starts it."""

from __future__ import annotations

import os
from pathlib import Path

from runner.sandbox.base import SandboxUnavailable

DEFAULT_UID = 64917  # needs no entry in /etc/passwd


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
