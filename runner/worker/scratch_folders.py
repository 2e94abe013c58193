"""Folders for attempts in flight: one per process and one per try, cleared even after a kill."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from runner.contract import Job

LOCK = ".lock"  # held for as long as the process lives; the kernel releases it at its death
WORKER = ".worker"  # holds the name of the process in the rows


class Scratch:
    """This process's folder under `root`."""

    def __init__(self, root: Path, worker: str = "") -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root
        with alone_in(root):
            self.folder = Path(tempfile.mkdtemp(dir=root, prefix=f"{os.getpid()}-"))
            self.lock = lock(self.folder)
        with contextlib.suppress(OSError):  # on a full disk: what it holds waits for its leases
            (self.folder / WORKER).write_text(worker)

    def clear_abandoned(self) -> list[str]:
        """Remove the folders of dead processes; the names of those."""
        with alone_in(self.root):
            dead = [remove_if_abandoned(folder) for folder in self.root.iterdir()]
        return [name for name in dead if name]

    @contextlib.contextmanager
    def of(self, job: Job) -> Iterator[Path]:
        """An empty folder for one try, gone afterwards."""
        prefix = f"{job.attempt_id}-{job.try_number}-"
        folder = Path(tempfile.mkdtemp(dir=self.folder, prefix=prefix))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.lock is not None:
            os.close(self.lock)


@contextlib.contextmanager
def alone_in(root: Path) -> Iterator[None]:
    """Wait for another process that is clearing `root` at this moment."""
    with (root / LOCK).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def remove_if_abandoned(folder: Path) -> str:
    """The name of its process, "" where that lives or has none."""
    held = lock(folder)
    if held is None:
        return ""
    try:
        return (folder / WORKER).read_text()
    except OSError:
        return ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def lock(folder: Path) -> int | None:
    """A descriptor that holds the folder's lock; None when a living process holds it."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
