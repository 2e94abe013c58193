"""Files that survive a power cut: written to the disk before anything names them."""

from __future__ import annotations

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Write a file's bytes, or a folder's entries, to the disk. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Write a folder and everything in it to the disk; it may then be given its name."""
    for path in folder.rglob("*"):
        if path.is_file() or path.is_dir():
            sync(path)
    sync(folder)
