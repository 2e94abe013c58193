"""Hash chain of the public ledger: canonical JSON, the digest of an entry, and its verification."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

START = "0" * 64  # the chain digest before the first entry
ENCODER = json.JSONEncoder(
    ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False
)
HEAD = ("number", "kind", "subject", "actor", "at", "payload_sha256")


@dataclass(frozen=True)
class ChainHead:
    """A place in the chain: how many entries it has, and the digest over all of them."""

    number: int = 0
    digest: str = START


def canonical(value: object) -> bytes:
    """JSON with sorted keys, without spaces, in ASCII: the same bytes for the same value.

    Numbers that JSON does not have, such as infinity, are written as texts.
    """
    try:
        return ENCODER.encode(value).encode("ascii")
    except ValueError:
        return ENCODER.encode(replace_non_finite(value)).encode("ascii")


def replace_non_finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: replace_non_finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [replace_non_finite(each) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def digest_of(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def link(before: str, head: Mapping[str, Any]) -> str:
    """Chain digest of an entry: SHA-256 of the one before, a line feed, and its public head."""
    public = {name: head[name] for name in HEAD}
    return digest_of(before.encode("ascii") + b"\n" + canonical(public))


def read_entry(line: bytes) -> dict[str, Any] | None:
    """An entry of an exported ledger, with the fields and types of one; None for anything else."""
    try:
        entry: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_entry = (
        isinstance(entry, dict)
        and type(entry.get("number")) is int
        and all(isinstance(entry.get(name), str) for name in (*HEAD[1:], "chain"))
        and isinstance(entry.get("payload"), str | None)
        and f"{entry['chain']}{entry.get('payload')}".isascii()  # as both are always written
    )
    return entry if is_entry else None


def find_breaks(entries: Iterable[Mapping[str, Any]], head: ChainHead) -> Iterator[str]:
    """A sentence for each entry that does not follow from the one before it, from `head` on.

    `entries` have the fields of HEAD, `chain`, and their `payload` as text where it is known.
    """
    for entry in entries:
        if fault := fault_of(entry, head):
            yield fault
        head = ChainHead(int(entry["number"]), str(entry["chain"]))


def fault_of(entry: Mapping[str, Any], head: ChainHead) -> str:
    """Fault of the entry that should follow `head`; "" if it does."""
    number, payload = entry["number"], entry.get("payload")
    if number != head.number + 1:
        return f"ledger: entry {number} follows entry {head.number}"
    if payload is not None and digest_of(payload.encode()) != entry["payload_sha256"]:
        return f"ledger: the payload of entry {number} has another SHA-256"
    if link(head.digest, entry) != entry["chain"]:
        return f"ledger: entry {number} has another chain digest than its head and entry " + (
            f"{head.number} give"
        )
    return ""
