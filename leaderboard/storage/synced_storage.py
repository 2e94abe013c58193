"""File storage whose files survive a power cut as soon as they are saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage
from django.utils.deconstruct import deconstructible

from runner.synced_files import sync


@deconstructible(path="leaderboard.storage.synced_storage.SyncedFileSystemStorage")
class SyncedFileSystemStorage(FileSystemStorage):
    """Django's storage in a folder, with every saved file and its folders written to the disk.

    A row that names a file is committed after `save` returns, so it never outlives the bytes.
    """

    def _save(self, name: str, content: File[Any]) -> str:
        wanted = Path(self.path(name))
        new_folders = [p for p in wanted.parents if not p.exists()]
        saved: str = super()._save(name, content)  # type: ignore[misc]  # absent from the stubs
        path = Path(self.path(saved))
        sync(path)
        sync(path.parent)
        for folder in new_folders:
            sync(folder.parent)  # the entry of a folder made just now
        return saved
