"""DSSE envelopes (secure-systems-lab/dsse v1) around in-toto statements, signed with Ed25519."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"
KEY_BYTES = 32
MAX_SIGNATURES = 8


class BadEnvelope(ValueError):
    """Something that is not an envelope, in a sentence."""


def authenticate(payload_type: str, payload: bytes) -> bytes:
    """Pre-authentication encoding: the bytes that are signed."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def key_id(public: bytes) -> str:
    """SHA-256 of the 32 bytes of a public key, in hexadecimal digits."""
    return hashlib.sha256(public).hexdigest()


def make_key(secret: str) -> Ed25519PrivateKey:
    """The signing key of a secret text."""
    seed = hashlib.sha256(b"pybench evidence key\n" + secret.encode()).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def sign(payload: bytes, key: Ed25519PrivateKey) -> dict[str, Any]:
    """The envelope of a payload."""
    signature = key.sign(authenticate(PAYLOAD_TYPE, payload))
    return {
        "payloadType": PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode("ascii"),
        "signatures": [
            {
                "keyid": key_id(key.public_key().public_bytes_raw()),
                "sig": base64.b64encode(signature).decode("ascii"),
            }
        ],
    }


def read_payload(envelope: object) -> bytes:
    """The payload, whoever signed it. Raises BadEnvelope."""
    if not isinstance(envelope, Mapping):
        raise BadEnvelope("It is not a DSSE envelope.")
    if envelope.get("payloadType") != PAYLOAD_TYPE:
        raise BadEnvelope("Its payload is not an in-toto statement.")
    return decode(envelope.get("payload"), "payload")


def find_signer(envelope: Mapping[str, Any], keys: Mapping[str, bytes]) -> str:
    """Id of the first of `keys` (public bytes by id) whose signature is right; "" for none.

    Raises BadEnvelope.
    """
    signed = authenticate(PAYLOAD_TYPE, read_payload(envelope))
    for named, signature in list_signatures(envelope):
        for name in [named] if named in keys else []:
            try:
                Ed25519PublicKey.from_public_bytes(keys[name]).verify(signature, signed)
            except (InvalidSignature, ValueError):
                continue
            return name
    return ""


def list_signatures(envelope: Mapping[str, Any]) -> list[tuple[str, bytes]]:
    """Key ids and signatures. Raises BadEnvelope."""
    listed = envelope.get("signatures")
    if not isinstance(listed, list) or not 0 < len(listed) <= MAX_SIGNATURES:
        raise BadEnvelope("It has no signature.")
    if not all(isinstance(one, Mapping) and isinstance(one.get("keyid"), str) for one in listed):
        raise BadEnvelope("Its signatures are not those of an envelope.")
    return [(str(one["keyid"]), decode(one.get("sig"), "signature")) for one in listed]


def decode(text: object, what: str) -> bytes:
    """Base64, plain or for URLs, as the specification wants readers to take both."""
    if not isinstance(text, str):
        raise BadEnvelope(f"It has no {what}.")
    try:
        plain = text.replace("-", "+").replace("_", "/")
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise BadEnvelope(f"Its {what} is not base64.") from None
