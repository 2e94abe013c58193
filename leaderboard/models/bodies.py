"""Stored bodies: JSON in zstd, so that any text a model wrote can be kept."""

from __future__ import annotations

import json
from typing import Any

import zstandard

MAX_BODY_BYTES = 64 << 20  # what a stored body may unpack to


def pack(value: Any) -> bytes:
    """JSON in zstd. A byte body keeps NULs and lone surrogates, which text columns refuse."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return zstandard.compress(text.encode(), 6)


def unpack(body: bytes | memoryview) -> Any:
    """The value that `pack` was given; {} for an empty body."""
    if not body:
        return {}
    raw = zstandard.ZstdDecompressor().decompress(bytes(body), max_output_size=MAX_BODY_BYTES)
    return json.loads(raw)


def choices(words: type[Any]) -> list[tuple[str, str]]:
    return [(w.value, w.value.replace("_", " ")) for w in words]
