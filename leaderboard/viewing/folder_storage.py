"""Storage of a viewer: files are read where they lie, and what is made goes to another folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage
from django.utils.deconstruct import deconstructible

PLACES: dict[str, tuple[Path, int]] = {}  # by storage name: the file and its size when it was read


@deconstructible(path="leaderboard.viewing.folder_storage.FolderStorage")
class FolderStorage(FileSystemStorage):
    """Bytes of results by their digest. Nothing outside the listed files can be named."""

    def _open(self, name: str, mode: str = "rb") -> File[Any]:
        if name not in PLACES:
            opened: File[Any] = super()._open(name, mode)  # type: ignore[misc]
            return opened
        return File(os.fdopen(open_regular(PLACES[name][0]), "rb"), name=name)

    def exists(self, name: str) -> bool:
        return name in PLACES or bool(super().exists(name))

    def size(self, name: str) -> int:
        return PLACES[name][1] if name in PLACES else int(super().size(name))


def open_regular(path: Path) -> int:
    """A descriptor of a regular file, reached without following any link.

    Raises FileNotFoundError where the path has become something else since it was listed.
    """
    folder = os.open(path.anchor, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in path.parts[1:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(path.name, flags, dir_fd=folder)
    except OSError as error:
        raise FileNotFoundError(path) from error
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileNotFoundError(path)
    return descriptor
