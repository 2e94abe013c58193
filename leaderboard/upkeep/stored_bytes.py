"""Reads stored bytes back to compare them with their SHA-256, many files at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from django.core.files.storage import default_storage

from leaderboard.models import Blob

CHUNK_BYTES = 1 << 20
Item = TypeVar("Item")
Result = TypeVar("Result")
THREADS = 8  # a bucket answers slowly, but many at a time
BATCH = 512  # items whose results are held at once


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


def map_in_threads(call: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """The results in the order of the items. The first exception ends it."""
    waiting = iter(items)
    with ThreadPoolExecutor(THREADS) as pool:
        while batch := list(islice(waiting, BATCH)):
            yield from pool.map(call, batch)
