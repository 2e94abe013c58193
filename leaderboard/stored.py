"""Reading the bytes of stored files, bounded."""

from __future__ import annotations

from django.core.files.storage import default_storage

from leaderboard.models import Blob
from leaderboard.rendering.previews import HEAD_BYTES


def read_head(blob: Blob, limit_bytes: int = HEAD_BYTES) -> bytes:
    """The first bytes of `blob`; empty when the storage no longer has it."""
    try:
        with default_storage.open(blob.storage_name) as file:
            return bytes(file.read(limit_bytes))
    except FileNotFoundError:
        return b""
