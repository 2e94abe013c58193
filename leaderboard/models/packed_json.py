"""Stored bodies: JSON in zstd, so that any text a model wrote can be kept."""

from __future__ import annotations

import json
import re
from typing import Any

import zstandard

from leaderboard.models.large_values import write_within

MAX_BODY_BYTES = 64 << 20  # what a stored body may unpack to
FRAME_HEAD_BYTES = 32  # of a body, which tell its unpacked size
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL's text refuses these


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
