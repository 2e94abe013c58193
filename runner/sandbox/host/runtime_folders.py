"""Places on the host for sandboxes: a service's own folder under a lock.

A dead service's locks are free, so the next one to start removes what it left behind: its folder
by the lock in it, its cgroups by the lock on one of them. Each is proof in whatever namespace the
two stand; that a folder or a process is not seen is none.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from runner.contract import SandboxUnavailable
from runner.sandbox.host.cgroups import Cgroups, Hold, sweep_abandoned

PASSABLE = 0o711  # the sandbox's user may pass through, but not look round
LONGEST_SOCKET_PATH = 107


def runtime_folder() -> Path:
    """Folder for the folders of this user's services; short, since socket paths are."""
    return Path(os.environ.get("PYBENCH_SANDBOX_DIR") or f"/tmp/pybench-{os.geteuid()}")


@dataclass
class Site:
    """A service's folder on this host. Made by `claim_site`, given back by `close`."""

    folder: Path
    lock: int
    hold: Hold | None = None  # of the cgroups

    @property
    def locks(self) -> list[int]:
        """Descriptors that say that this site is alive, for whoever carries it on."""
        return [self.lock, *([self.hold.fd] if self.hold else [])]

    @property
    def token(self) -> str:
        return self.folder.name

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.hold:
            self.hold.release()
        os.close(self.lock)


def claim_site(cgroups: Cgroups | None) -> Site:
    """A folder of this service's own, once the leavings of dead ones are swept.

    Raises SandboxUnavailable when the folder above it is not ours alone.
    """
    parent = runtime_folder()
    make_folder(parent, PASSABLE)
    found = parent.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise SandboxUnavailable(
            f"{parent} is not a folder of this user's alone. "
            "Remove it, or set PYBENCH_SANDBOX_DIR to another short path."
        )
    if len(str(parent)) + 40 > LONGEST_SOCKET_PATH:
        raise SandboxUnavailable(
            f"{parent} is too long a path for sockets. Set PYBENCH_SANDBOX_DIR to a short one."
        )
    sweep(parent)
    token = f"d-{secrets.token_hex(6)}"
    young = parent / f".{token}"
    make_folder(young, PASSABLE)
    lock = take_lock(young / "lock")
    if lock is None:
        raise SandboxUnavailable(f"{young} cannot be locked. Use a file system with locks.")
    folder = young.rename(parent / token)
    return Site(folder, lock, cgroups.hold(group_prefix(token)) if cgroups else None)


def sweep(parent: Path) -> bool:
    """Remove the folders and groups of dead services; False while some groups are left."""
    for folder in parent.glob("[wd]-*"):
        lock = take_lock(folder / "lock")
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)
    return sweep_abandoned()


def group_prefix(token: str) -> str:
    return f"pybench-{token}-"


def take_lock(path: Path) -> int | None:
    """A descriptor that holds the lock, None when somebody else does."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return fd


def make_folder(path: Path, mode: int) -> None:
    """With exactly this mode, whatever the umask; one that exists is left alone."""
    with contextlib.suppress(FileExistsError):
        path.mkdir()
        path.chmod(mode)
