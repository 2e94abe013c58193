"""Jupyter messages, signed: written for the kernel, read from it with every type checked.

Protocol: jupyter-client.readthedocs.io, "Messaging in Jupyter", version 5.3.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

DELIMITER = b"<IDS|MSG>"
HEADER_BYTES = 1 << 16
METADATA_BYTES = 1 << 20
JSON_NODES = 300_000  # 12 MB of "[],[],…" would become 250 MB of objects


@dataclass(frozen=True)
class KernelMessage:
    """A message of the right form. `content` is still whatever the kernel likes."""

    type: str
    parent: str  # the id of the request it answers, "" when it names none
    content: dict[str, Any]


@dataclass(frozen=True)
class Codec:
    """Signs messages to a kernel, and checks the signatures of its replies."""

    key: bytes
    session: str

    @classmethod
    def of(cls, key: bytes) -> Codec:
        return cls(key, secrets.token_hex(8))

    def sign(self, parts: Sequence[bytes]) -> bytes:
        digest = hmac.new(self.key, digestmod=hashlib.sha256)
        for part in parts:
            digest.update(part)
        return digest.hexdigest().encode()

    def request(self, kind: str, content: dict[str, Any]) -> tuple[str, list[bytes]]:
        """(message id, frames)."""
        header = make_header(kind, self.session)
        parts = [json.dumps(part).encode() for part in (header, {}, {}, content)]
        return header["msg_id"], [DELIMITER, self.sign(parts), *parts]

    def parse(self, frames: Sequence[bytes]) -> KernelMessage | None:
        """None for anything that is no message of this protocol, or too large to unpack."""
        try:
            start = frames.index(DELIMITER)
            signature, parts = frames[start + 1], frames[start + 2 : start + 6]
        except (ValueError, IndexError):
            return None
        if len(parts) != 4 or not is_modest(parts):
            return None
        if not hmac.compare_digest(signature, self.sign(parts)):
            return None
        try:
            header, parent, content = (read_json(parts[place]) for place in (0, 1, 3))
        except (ValueError, RecursionError):
            return None
        return read_parts(header, parent, content)


def read_json(part: bytes) -> Any:
    """Its value; bytes that are no UTF-8, as Jupyter sends for halves of surrogate pairs, are
    shown as such. Raises ValueError or RecursionError.
    """
    return json.loads(part.decode("utf-8", "replace"))


def make_header(kind: str, session: str) -> dict[str, str]:
    return {
        "msg_id": secrets.token_hex(16),
        "msg_type": kind,
        "username": "",
        "session": session,
        "date": datetime.now(UTC).isoformat(),
        "version": "5.3",
    }


def read_parts(header: object, parent: object, content: object) -> KernelMessage | None:
    """A message's parts as JSON gave them; None where one is no object."""
    if not (isinstance(header, dict) and isinstance(parent, dict) and isinstance(content, dict)):
        return None
    return KernelMessage(text(header.get("msg_type")), text(parent.get("msg_id")), content)


def is_modest(parts: Sequence[bytes]) -> bool:
    """True if the parts are small enough to be parsed; the metadata is signed and never parsed."""
    header, parent, metadata, content = parts
    if max(len(header), len(parent)) > HEADER_BYTES or len(metadata) > METADATA_BYTES:
        return False
    return sum(map(count_nodes, (header, parent, content))) <= JSON_NODES


def count_nodes(json_text: bytes) -> int:
    """At least as many as parsing it would make, commas and brackets inside strings included."""
    return sum(map(json_text.count, (b",", b"[", b"{")))


def text(value: object, cap_chars: int = 200) -> str:
    """A string, cut; the empty one for anything else."""
    return value[:cap_chars] if isinstance(value, str) else ""
