"""The site's signing keys for evidence, and those that were withdrawn, as it publishes them."""

from __future__ import annotations

import base64
import binascii
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from runner.evidence.envelope import KEY_BYTES, key_id, make_key, sign

CURRENT, EARLIER, WITHDRAWN = "current", "earlier", "withdrawn"


@dataclass(frozen=True)
class PublishedKey:
    """A public key as a verifier needs it."""

    keyid: str  # SHA-256 of its 32 bytes
    public: str  # base64
    state: str
    withdrawn_on: str = ""  # as 2026-11-23
    algorithm: str = "ed25519"


def signing_key() -> Ed25519PrivateKey:
    """The key that signs now: that of the first secret."""
    return make_key(settings.EVIDENCE_KEYS[0])


def sign_statement(payload: bytes) -> dict[str, Any]:
    """The statement's envelope. Ed25519 gives the same signature each time."""
    return sign(payload, signing_key())


def list_keys() -> list[PublishedKey]:
    """The key that signs, those that signed before it, and those that were withdrawn."""
    keys = [
        publish(make_key(secret).public_key().public_bytes_raw(), EARLIER if place else CURRENT)
        for place, secret in enumerate(settings.EVIDENCE_KEYS)
    ]
    withdrawn = [read_withdrawn(text) for text in settings.EVIDENCE_WITHDRAWN]
    gone = {key.keyid for key in withdrawn}
    return [*(key for key in keys if key.keyid not in gone), *withdrawn]


def publish(public: bytes, state: str, withdrawn_on: str = "") -> PublishedKey:
    text = base64.b64encode(public).decode("ascii")
    return PublishedKey(key_id(public), text, state, withdrawn_on)


def read_withdrawn(text: str) -> PublishedKey:
    """A key as PYBENCH_EVIDENCE_WITHDRAWN has it: its public bytes in base64, @, and a date.

    Raises ValueError.
    """
    encoded, _, day = text.strip().partition("@")
    try:
        public = base64.b64decode(encoded, validate=True)
        on = date.fromisoformat(day)
    except (binascii.Error, ValueError):
        public = b""
    if len(public) != KEY_BYTES:
        raise ValueError(
            f"PYBENCH_EVIDENCE_WITHDRAWN has “{text[:60]}”. Give a public key as "
            "/.well-known/pybench-keys.json has it, an @, and a date such as 2026-11-23."
        )
    return publish(public, WITHDRAWN, on.isoformat())


def record_keys() -> dict[str, Any]:
    return {"keys": [asdict(key) for key in list_keys()]}
