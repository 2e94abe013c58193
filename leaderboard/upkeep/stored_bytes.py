"""Reads stored bytes back to compare them with their SHA-256."""

from __future__ import annotations

import hashlib

from django.core.files.storage import default_storage

from leaderboard.models import Blob

CHUNK_BYTES = 1 << 20


def name_of(sha256: str) -> str:
    """The file's name in the storage."""
    return Blob(sha256=sha256).storage_name


def digest_of_stored(name: str) -> str:
    """SHA-256 of a stored file, in hexadecimal. Raises FileNotFoundError."""
    digest = hashlib.sha256()
    with default_storage.open(name) as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
