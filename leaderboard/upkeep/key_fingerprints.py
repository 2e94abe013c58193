"""Fingerprints of the site's secret keys: which ones a backup needs, without holding them."""

from __future__ import annotations

import hashlib

from django.conf import settings

from runner.evidence.envelope import key_id, make_key

SALT = b"pybench backup key fingerprint"


def fingerprint(secret: str) -> str:
    """Twelve hexadecimal digits that tell keys apart and are slow to guess a weak key from."""
    return hashlib.scrypt(secret.encode(), salt=SALT, n=2**14, r=8, p=1, dklen=6).hex()


def field_keys() -> list[str]:
    """Fingerprints of the keys that encrypt endpoint keys, newest first."""
    return [fingerprint(key) for key in settings.FIELD_KEYS]


def evidence_keys() -> list[str]:
    """Ids of the keys that sign manifests, newest first; they are public."""
    secrets: list[str] = settings.EVIDENCE_KEYS
    return [key_id(make_key(secret).public_key().public_bytes_raw()) for secret in secrets]


def signing_key() -> str:
    return fingerprint(settings.SECRET_KEY)
