"""Shortens values that are too large to be stored, so that the rest of them can be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

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
