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


class Scratch:
    """This process's folder under `root`. Making it removes the folders of dead processes."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        with alone_in(root):
            for folder in root.iterdir():
                remove_if_abandoned(folder)
            self.folder = Path(tempfile.mkdtemp(dir=root, prefix=f"{os.getpid()}-"))
            self.lock = lock(self.folder)

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


def remove_if_abandoned(folder: Path) -> None:
    held = lock(folder)
    if held is not None:
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
