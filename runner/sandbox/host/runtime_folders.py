"""Places on the host for sandboxes: a worker's own folder under a lock, a slot in it for each.

A dead worker's locks are free, so the next one to start removes what it left behind: its folder
by the lock in it, its cgroups by the lock on one of them. Each is proof in whatever namespace the
two stand; that a folder or a process is not seen is none.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import secrets
import shutil
import socket
import stat
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract import SandboxUnavailable
from runner.sandbox.host.cgroups import Cgroups, Hold, sweep_abandoned

CHANNELS = ("shell", "iopub")  # numbered from 1, as Jupyter's "ports"; nobody asks for more
PASSABLE = 0o711  # the sandbox's user may pass through, but not look round
LONGEST_SOCKET_PATH = 107


def runtime_folder() -> Path:
    """Folder for the folders of this user's workers; short, since socket paths are."""
    return Path(os.environ.get("PYBENCH_SANDBOX_DIR") or f"/tmp/pybench-{os.geteuid()}")


@dataclass
class Slot:
    """One session's place: its private listening sockets."""

    folder: Path

    @property
    def socket_prefix(self) -> str:
        return str(self.folder / "s" / "k")

    def socket_path(self, channel: str) -> str:
        return f"{self.socket_prefix}-{CHANNELS.index(channel) + 1}"

    def listen(self) -> list[socket.socket]:
        """The kernel's listening sockets, made here and handed in as descriptors.

        Were the kernel to bind a path of its own, it could swap it for a link to one of the host's
        sockets.
        """
        sockets: list[socket.socket] = []
        try:
            for channel in CHANNELS:
                path = Path(self.socket_path(channel))
                path.unlink(missing_ok=True)
                sockets.append(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                sockets[-1].bind(str(path))
                sockets[-1].listen(16)
        except OSError:
            for listener in sockets:
                listener.close()
            raise
        return sockets

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass
class Site:
    """A worker's folder on this host. Made by `claim_site`, given back by `close`."""

    folder: Path
    lock: int
    hold: Hold | None = None  # of the cgroups
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def locks(self) -> list[int]:
        """Descriptors that say that this site is alive, for whoever carries it on."""
        return [self.lock, *([self.hold.fd] if self.hold else [])]

    @property
    def token(self) -> str:
        return self.folder.name

    def slot(self) -> Slot:
        slot = Slot(self.folder / str(next(self.numbers)))
        make_folder(slot.folder, PASSABLE)
        make_folder(slot.folder / "s", 0o700)
        return slot

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.hold:
            self.hold.release()
        os.close(self.lock)


def claim_site(cgroups: Cgroups | None, kind: str = "w") -> Site:
    """A folder of this worker's own, once the leavings of dead ones are swept.

    `kind` is "w" for a worker, "d" for the service that keeps sandboxes warm.

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
    token = f"{kind}-{secrets.token_hex(6)}"
    young = parent / f".{token}"
    make_folder(young, PASSABLE)
    lock = take_lock(young / "lock")
    if lock is None:
        raise SandboxUnavailable(f"{young} cannot be locked. Use a file system with locks.")
    folder = young.rename(parent / token)
    return Site(folder, lock, cgroups.hold(group_prefix(token)) if cgroups else None)


def sweep(parent: Path) -> bool:
    """Remove the folders and groups of dead workers; False while some groups are left."""
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
