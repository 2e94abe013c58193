"""Bytes kept once under their SHA-256, in Django's default storage."""

from __future__ import annotations

import hashlib
import io
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import connection
from PIL import Image, UnidentifiedImageError

from leaderboard.models import Blob
from leaderboard.rendering.previews import HEAD_BYTES
from runner.contract import Fault, Problem, ProblemError

MAX_PIXELS = 40_000_000
OTHER = "application/octet-stream"
MAGIC_BYTES = 16
KNOWN_FOR_S = 60.0
MAX_KNOWN = 20_000

IMAGES = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
IMAGES["jpeg"] = IMAGES["jpg"]
PILLOW_FORMATS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
}

# Markup and scripts are plain text here: nothing a model wrote gets an active type.
PLAIN = {"txt", "md", "py", "sql", "log", "srt", "tex", "ini", "toml", "yaml", "yml"}
PLAIN |= {"html", "htm", "css", "js", "xml"}
TEXTS = dict.fromkeys(PLAIN, "text/plain")
TEXTS |= {"csv": "text/csv", "tsv": "text/tab-separated-values", "json": "application/json"}
TEXTS |= {"svg": "image/svg+xml"}  # shown through <img> alone, where scripts do not run

OFFICE = "application/vnd.openxmlformats-officedocument"
MAGIC: dict[str, tuple[str, Callable[[bytes], bool]]] = {
    "pdf": ("application/pdf", lambda head: head.startswith(b"%PDF-")),
    "wav": ("audio/wav", lambda head: head[:4] == b"RIFF" and head[8:12] == b"WAVE"),
    "mp3": ("audio/mpeg", lambda head: head[:3] == b"ID3" or is_mpeg_frame(head)),
    "ogg": ("audio/ogg", lambda head: head.startswith(b"OggS")),
    "flac": ("audio/flac", lambda head: head.startswith(b"fLaC")),
    "xlsx": (f"{OFFICE}.spreadsheetml.sheet", lambda head: head.startswith(b"PK\x03\x04")),
    "docx": (f"{OFFICE}.wordprocessingml.document", lambda head: head.startswith(b"PK\x03\x04")),
    "pptx": (f"{OFFICE}.presentationml.presentation", lambda head: head.startswith(b"PK\x03\x04")),
    "zip": ("application/zip", lambda head: head.startswith((b"PK\x03\x04", b"PK\x05\x06"))),
    "xls": ("application/vnd.ms-excel", lambda head: head.startswith(b"\xd0\xcf\x11\xe0")),
    "sqlite": ("application/vnd.sqlite3", lambda head: head == b"SQLite format 3\0"),
    "parquet": ("application/vnd.apache.parquet", lambda head: head.startswith(b"PAR1")),
    "mp4": ("video/mp4", lambda head: head[4:8] == b"ftyp"),
    "mov": ("video/quicktime", lambda head: head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide")),
    "webm": ("video/webm", lambda head: head.startswith(b"\x1a\x45\xdf\xa3")),
    "mkv": ("video/x-matroska", lambda head: head.startswith(b"\x1a\x45\xdf\xa3")),
    "avi": ("video/x-msvideo", lambda head: head[:4] == b"RIFF" and head[8:12] == b"AVI "),
}
MAGIC |= {"db": MAGIC["sqlite"], "sqlite3": MAGIC["sqlite"], "m4v": MAGIC["mp4"]}


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
    """From a fixed list by extension, and only if the first bytes agree."""
    extension = PurePosixPath(name).suffix.lower().lstrip(".")
    if extension in IMAGES:
        return image_kind(source, IMAGES[extension])
    if extension in TEXTS:
        return BlobKind(TEXTS[extension])
    if extension in MAGIC:
        mime, agrees = MAGIC[extension]
        source.seek(0)
        return BlobKind(mime if agrees(source.read(MAGIC_BYTES)) else OTHER)
    return BlobKind(OTHER)


def image_kind(source: BinaryIO, mime: str) -> BlobKind:
    """The image's type and size, if Pillow can read it as what it claims to be."""
    source.seek(0)
    try:
        with warnings.catch_warnings(), Image.open(source, formats=[PILLOW_FORMATS[mime]]) as image:
            warnings.simplefilter("ignore")  # about size, which we check ourselves
            width, height = image.size
            if width * height > MAX_PIXELS:
                return BlobKind(OTHER)
            image.verify()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return BlobKind(OTHER)
    return BlobKind(mime, width, height)


def is_mpeg_frame(head: bytes) -> bool:
    """The eleven set bits that start an MPEG audio frame."""
    return len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0


def read_head(blob: Blob, limit_bytes: int = HEAD_BYTES) -> bytes:
    """The first bytes of `blob`; empty when the storage no longer has it."""
    try:
        with default_storage.open(blob.storage_name) as file:
            return bytes(file.read(limit_bytes))
    except FileNotFoundError:
        return b""
