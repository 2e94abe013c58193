"""Stored bodies: JSON in zstd, so that any text a model wrote can be kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import zstandard

MAX_BODY_BYTES = 64 << 20  # what a stored body may unpack to
FRAME_HEAD_BYTES = 32  # of a body, which tell its unpacked size
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL's text refuses these
# Characters of a text and entries of a list that are kept, tried in this order until it fits.
STEPS = (
    (4 << 20, 1 << 20),
    (1 << 20, 100_000),
    (1 << 16, 20_000),
    (1 << 12, 4_000),
    (1 << 10, 400),
    (100, 40),
    (10, 4),
)
NOTE = "Too large to keep whole: texts are cut at {chars} characters, lists at {entries} entries."


def clean(text: str, limit_chars: int | None = None) -> str:
    """Text that every database's text column takes, and every parser of markup."""
    text = text[:limit_chars]
    if text.isascii() and "\x00" not in text:  # known of most at once, without a look at each
        return text
    return UNSTORABLE.sub("\ufffd", text)


def pack(value: Any) -> bytes:
    """JSON in zstd. A byte body keeps NULs and lone surrogates, which text columns refuse.

    Of a value that is too large to be read again, long texts and lists are cut, and say so.
    """
    return zstandard.compress(write_within(value, MAX_BODY_BYTES).encode(), 6)


def unpack(body: bytes | memoryview) -> Any:
    """The value that `pack` was given; {} for an empty body.

    Raises zstandard.ZstdError for what is no body, or would unpack to more than MAX_BODY_BYTES.
    """
    return json.loads(unpack_bytes(body)) if body else {}


def unpack_bytes(body: bytes | memoryview) -> bytes:
    """The JSON of a body. The library ignores its bound where a frame names its size."""
    if unpacked_size(body) > MAX_BODY_BYTES:
        raise zstandard.ZstdError(f"the body unpacks to more than {MAX_BODY_BYTES} bytes")
    return zstandard.ZstdDecompressor().decompress(bytes(body), max_output_size=MAX_BODY_BYTES)


def unpacked_size(body: bytes | memoryview) -> int:
    """Unpacked size of a body in bytes, by its frame's header; 0 where that does not say."""
    return max(0, zstandard.frame_content_size(bytes(body[:FRAME_HEAD_BYTES]))) if body else 0


def choices(words: type[Any]) -> list[tuple[str, str]]:
    return [(w.value, w.value.replace("_", " ")) for w in words]


def write_within(value: Any, most_bytes: int) -> str:
    """The value as JSON of at most `most_bytes`; what does not fit is cut.

    A text that is cut ends in how much is missing. An object with a list of `notes` gets a note.
    Raises ValueError for what cannot be made to fit: objects of very many keys.
    """
    written = write(value)
    for chars, entries in STEPS:
        if len(written) <= most_bytes:
            return written
        shorter = shorten(value, chars, entries)
        if isinstance(shorter, dict) and isinstance(shorter.get("notes"), list):
            shorter["notes"].append(NOTE.format(chars=chars, entries=entries))
        written = write(shorter)
    if len(written) > most_bytes:
        raise ValueError(f"a body of {len(written)} bytes cannot be cut to {most_bytes}")
    return written


def write(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def shorten(value: Any, chars: int, entries: int) -> Any:
    """The same value with its long texts and lists cut."""
    if isinstance(value, str):
        missing = len(value) - chars
        return f"{value[:chars]}\n[{missing} characters are not kept.]" if missing > 0 else value
    if isinstance(value, Mapping):
        return {key: shorten(entry, chars, entries) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [shorten(entry, chars, entries) for entry in value[:entries]]
    return value
