"""Bytes kept once under their SHA-256, in Django's default storage."""

from __future__ import annotations

import hashlib
import io
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import connection
from PIL import Image, UnidentifiedImageError

from leaderboard.models import Blob
from leaderboard.rendering.kinds import (
    HEAD_BYTES,
    LARGE_PICTURE,
    OTHER,
    PICTURES,
    kind_by_bytes,
    suffix_of,
)
from runner.contract import Fault, Problem, ProblemError

MAX_PIXELS = 40_000_000
PICTURE_SUFFIXES = {"png", "jpg", "jpeg", "jfif", "gif", "webp", "bmp", "ico", "avif"}
KNOWN_FOR_S = 60.0
MAX_KNOWN = 20_000


@dataclass(frozen=True)
class BlobKind:
    """Kind of some bytes, as far as we vouch for it."""

    mime: str
    width: int | None = None
    height: int | None = None


@dataclass
class KnownBlobs:
    """Digests that this process found stored a moment ago, so that it need not look again.

    `collect_garbage` removes nothing that was in use so lately.
    """

    found_s: dict[str, float] = field(default_factory=dict)  # digest: time.monotonic()

    def has(self, sha256: str) -> bool:
        return time.monotonic() - self.found_s.get(sha256, float("-inf")) < KNOWN_FOR_S

    def add(self, sha256: str) -> None:
        """Remember a row that is committed."""
        if connection.in_atomic_block:
            return
        if len(self.found_s) >= MAX_KNOWN:
            self.found_s.clear()
        self.found_s[sha256] = time.monotonic()


KNOWN = KnownBlobs()


def keep_digest(content: bytes, name: str) -> str:
    """Keep `content`; its digest. Costs no query for bytes that were kept a moment ago."""
    sha256 = hashlib.sha256(content).hexdigest()
    return sha256 if KNOWN.has(sha256) else keep_bytes(content, name).sha256


def keep_file_digest(path: Path, name: str) -> str:
    """The same for a file; its digest is computed from the bytes stored."""
    with path.open("rb") as source:
        sha256 = hashlib.file_digest(source, "sha256").hexdigest()
        if KNOWN.has(sha256):
            return sha256
        return keep(source, name, sha256, path.stat().st_size).sha256


def keep_bytes(content: bytes, name: str) -> Blob:
    """The blob that holds `content`; `name` says what it claims to be."""
    return keep(io.BytesIO(content), name, hashlib.sha256(content).hexdigest(), len(content))


def keep(source: BinaryIO, name: str, sha256: str, size_bytes: int) -> Blob:
    """Store the bytes, then the row: a row always has its bytes. A repeat is harmless.

    Raises ProblemError when the storage does not take them.
    """
    held = held_blob(sha256)
    blob = held or Blob(sha256=sha256, size_bytes=size_bytes)
    try:
        if held is None or not is_stored(blob):
            source.seek(0)
            store(blob, source)
    except Exception as error:  # Django names no class for what a storage may raise
        raise ProblemError(store_failed(error)) from error
    if held is None:
        kind = kind_of(source, name)
        defaults = {
            "size_bytes": size_bytes,
            "mime": kind.mime,
            "width": kind.width,
            "height": kind.height,
        }
        blob, is_new = Blob.objects.get_or_create(sha256=sha256, defaults=defaults)
        if not is_new and blob.mime == OTHER != kind.mime:  # found by its bytes alone until now
            Blob.objects.filter(pk=sha256).update(**defaults)
            blob.refresh_from_db()
    KNOWN.add(sha256)
    return blob


def held_blob(sha256: str) -> Blob | None:
    """The row of these bytes, in use from now on; None if there is none, or none any longer."""
    held = Blob.objects.filter(pk=sha256).first()
    if held is None or held.unreferenced_since is None:
        return held
    # Garbage so far: its collector may be removing it now, and this waits for that.
    is_there = Blob.objects.filter(pk=sha256).update(unreferenced_since=None)
    held.unreferenced_since = None
    return held if is_there and held.mime != OTHER else None


def store_failed(error: Exception) -> Problem:
    reason = (error.strerror if isinstance(error, OSError) else "") or type(error).__name__
    return Problem(
        Fault.US,
        "store_failed",
        f"The store of artifacts did not take a file: {reason}.",
        "It is tried again by itself. An operator should check the store's free space.",
    )


def is_stored(blob: Blob) -> bool:
    """True if all bytes are there; a writer that was killed leaves fewer."""
    try:
        return default_storage.size(blob.storage_name) == blob.size_bytes
    except FileNotFoundError:
        return False


def store(blob: Blob, source: BinaryIO) -> None:
    if is_stored(blob):
        return
    default_storage.delete(blob.storage_name)  # the remains of a writer that was killed
    name = default_storage.save(blob.storage_name, File(source))
    if name != blob.storage_name:  # another writer was faster, with the same bytes
        default_storage.delete(name)


def kind_of(source: BinaryIO, name: str) -> BlobKind:
    """The kind of the bytes, and the size of a picture; they count for more than the name."""
    source.seek(0)
    mime = kind_by_bytes(source.read(HEAD_BYTES), name)
    claims_picture = suffix_of(name) in PICTURE_SUFFIXES
    return ((claims_picture or mime == OTHER) and image_kind(source)) or BlobKind(mime)


def image_kind(source: BinaryIO) -> BlobKind | None:
    """Type and size of a picture that browsers show; None for what Pillow cannot read as one."""
    source.seek(0)
    try:
        with warnings.catch_warnings(), Image.open(source, formats=[*PICTURES.values()]) as image:
            warnings.simplefilter("ignore")  # about size, which we check ourselves
            width, height = image.size
            mime = next(m for m, known in PICTURES.items() if known == image.format)
            if width * height > MAX_PIXELS:
                return BlobKind(LARGE_PICTURE, width, height)
            image.verify()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, StopIteration):
        return None
    except Image.DecompressionBombError:
        return BlobKind(LARGE_PICTURE)
    return BlobKind(mime, width, height)


def read_head(blob: Blob, limit_bytes: int) -> bytes:
    """The first bytes of `blob`; empty when the storage no longer has it."""
    try:
        with default_storage.open(blob.storage_name) as file:
            return bytes(file.read(limit_bytes))
    except FileNotFoundError:
        return b""
