"""Bytes kept once under their SHA-256, in Django's default storage."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from django.core.files.base import File
from django.core.files.storage import default_storage
from PIL import Image, UnidentifiedImageError

from leaderboard.models import Blob
from runner.contract import Fault, Problem, ProblemError

MAX_PIXELS = 40_000_000
OTHER = "application/octet-stream"
HEAD_BYTES = 16

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
    "zip": ("application/zip", lambda head: head.startswith(b"PK\x03\x04")),
}


@dataclass(frozen=True)
class Kind:
    """What some bytes are, as far as we vouch for it."""

    mime: str
    width: int | None = None
    height: int | None = None


def keep_bytes(content: bytes, name: str) -> Blob:
    """The blob that holds `content`; `name` says what it claims to be."""
    return keep(io.BytesIO(content), name, hashlib.sha256(content).hexdigest(), len(content))


def keep_file(path: Path, name: str) -> Blob:
    """The blob that holds the file at `path`; its name is computed from the bytes stored."""
    with path.open("rb") as source:
        sha256 = hashlib.file_digest(source, "sha256").hexdigest()
        return keep(source, name, sha256, path.stat().st_size)


def keep(source: BinaryIO, name: str, sha256: str, size_bytes: int) -> Blob:
    """Store the bytes, then the row: a row always has its bytes. A repeat is harmless.

    Raises ProblemError when the storage does not take them.
    """
    held = Blob.objects.filter(pk=sha256).first()
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
        blob, _ = Blob.objects.get_or_create(sha256=sha256, defaults=defaults)
    return blob


def store_failed(error: Exception) -> Problem:
    reason = (error.strerror if isinstance(error, OSError) else "") or type(error).__name__
    return Problem(
        Fault.US,
        "store_failed",
        f"The store of artifacts did not take a file: {reason}.",
        "It is tried again by itself; an operator sees to the store's room and reach.",
    )


def is_stored(blob: Blob) -> bool:
    """Whether all bytes are there; a writer that was killed leaves fewer."""
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


def kind_of(source: BinaryIO, name: str) -> Kind:
    """From a fixed list by extension, and only if the first bytes agree."""
    extension = PurePosixPath(name).suffix.lower().lstrip(".")
    if extension in IMAGES:
        return image_kind(source, IMAGES[extension])
    if extension in TEXTS:
        return Kind(TEXTS[extension])
    if extension in MAGIC:
        mime, agrees = MAGIC[extension]
        source.seek(0)
        return Kind(mime if agrees(source.read(HEAD_BYTES)) else OTHER)
    return Kind(OTHER)


def image_kind(source: BinaryIO, mime: str) -> Kind:
    """The image's type and size, if Pillow can read it as what it claims to be."""
    source.seek(0)
    try:
        with warnings.catch_warnings(), Image.open(source, formats=[PILLOW_FORMATS[mime]]) as image:
            warnings.simplefilter("ignore")  # about size, which we check ourselves
            width, height = image.size
            if width * height > MAX_PIXELS:
                return Kind(OTHER)
            image.verify()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return Kind(OTHER)
    return Kind(mime, width, height)


def is_mpeg_frame(head: bytes) -> bool:
    """The eleven set bits that start an MPEG audio frame."""
    return len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0
