"""Public keys that a verifier trusts: a site's published ones, or one that was given."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runner.contract import ProblemError
from runner.evidence.envelope import KEY_BYTES, BadEnvelope, find_signer, key_id, list_signatures
from runner.suite.reader import problem

MAX_KEYS = 1_000
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class TrustedKeys:
    """Keys by id, and the day on which some of them were withdrawn."""

    public: Mapping[str, bytes]
    withdrawn: Mapping[str, str]


def read_key(text: str) -> TrustedKeys:
    """One key, as base64. ProblemError for anything else."""
    try:
        public = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        public = b""
    if len(public) != KEY_BYTES:
        raise problem(
            "bad_key", "--key is not a public Ed25519 key in base64.", "Copy it from /about/keys/."
        )
    return TrustedKeys({key_id(public): public}, {})


def read_published(content: Any) -> TrustedKeys:
    """The keys as /.well-known/pybench-keys.json lists them. ProblemError."""
    public: dict[str, bytes] = {}
    withdrawn: dict[str, str] = {}
    try:
        for one in content["keys"][:MAX_KEYS]:
            key = base64.b64decode(one["public"], validate=True)
            public[key_id(key)] = key  # never by the id that is claimed
            if one["state"] == "withdrawn":
                day = str(one["withdrawn_on"])
                withdrawn[key_id(key)] = day if DAY.fullmatch(day) else "an unknown day"
    except (KeyError, TypeError, AttributeError, ValueError):
        raise problem(
            "bad_keys",
            "The site's list of keys is not one.",
            "Check that the address is that of a PyBench site, or give --key.",
        ) from None
    return TrustedKeys(public, withdrawn)


def check_signature(envelope: Mapping[str, Any], keys: TrustedKeys) -> str:
    """Id of the key that signed. ProblemError for none of these keys, or a withdrawn one."""
    try:
        signer = find_signer(envelope, keys.public)
        named = [name for name, _ in list_signatures(envelope)]
    except BadEnvelope as error:
        raise bad_signature(str(error)) from None
    if not signer and not set(named) & set(keys.public):
        raise bad_signature(
            f"It is signed with key {named[0][:12]!a}, which is none of these keys: "
            "it is of another site, or forged."
        )
    if not signer:
        raise bad_signature("The signature does not match: the manifest was changed.")
    if signer in keys.withdrawn:
        raise bad_signature(
            f"It is signed with key {signer[:12]}, which was withdrawn on {keys.withdrawn[signer]}."
        )
    return signer


class BrokenEvidence(ProblemError):
    """Evidence that is not what its signature or its digests say."""


def bad_signature(what: str) -> BrokenEvidence:
    next_step = "Download the manifest again from the run's page; do not rely on this copy."
    return BrokenEvidence(problem("bad_signature", what, next_step).problem)
