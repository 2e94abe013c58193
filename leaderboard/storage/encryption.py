"""Secrets of endpoints at rest: encrypted with Fernet, the newest of our field keys first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from runner.contract import Fault, Problem, ProblemError
from runner.endpoint.extras import extra_body, extra_headers

UNREADABLE = Problem(
    Fault.US,
    "key_unreadable",
    "The stored key of this endpoint can no longer be decrypted.",
    "Restore the field keys (PYBENCH_FIELD_KEYS), or submit the endpoint again with its key.",
)


def encrypt(key: str) -> bytes:
    """The key as it is stored; nothing for no key."""
    return box().encrypt(key.encode()) if key else b""


def decrypt(stored: bytes | memoryview) -> str:
    """The key that `encrypt` was given. ProblemError when none of our field keys opens it."""
    if not stored:
        return ""
    try:
        return box().decrypt(bytes(stored)).decode()
    except InvalidToken:
        raise ProblemError(UNREADABLE) from None


def encrypt_object(value: Mapping[str, object]) -> bytes:
    """An extra body as it is stored; nothing for an empty one."""
    return encrypt(extra_body.dump(value))


def decrypt_object(stored: bytes | memoryview) -> dict[str, Any]:
    """The extra body that `encrypt_object` was given. ProblemError as for a key."""
    return extra_body.read(decrypt(stored))


def encrypt_headers(headers: Mapping[str, str]) -> bytes:
    """Extra headers as they are stored; nothing for none."""
    return encrypt(extra_headers.dump(headers))


def decrypt_headers(stored: bytes | memoryview) -> dict[str, str]:
    """The headers that `encrypt_headers` was given. ProblemError as for a key."""
    return extra_headers.load(decrypt(stored))


def rotate(stored: bytes | memoryview) -> bytes:
    """The same key under the newest field key."""
    return encrypt(decrypt(stored))


def box() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.FIELD_KEYS])
