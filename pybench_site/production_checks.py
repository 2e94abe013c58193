"""Settings that a public site must not start with, in sentences that say what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cryptography.fernet import Fernet

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "testserver"})
LEAST_SECRET_CHARS = 40
FERNET = "from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())"


@dataclass(frozen=True)
class Chosen:
    """The settings that decide whether a site is safe, as the environment gives them."""

    hosts: Sequence[str]
    is_debug: bool
    secret_key: str  # "": this machine made one
    field_keys: Sequence[str]  # none: this machine made one


def is_for_strangers(hosts: Sequence[str]) -> bool:
    """True if the site answers to a name that is not this machine's own."""
    return not set(hosts) <= LOOPBACK


def find_dangers(chosen: Chosen) -> list[str]:
    """One sentence for each setting that is unsafe on a site for strangers; none on another."""
    if not is_for_strangers(chosen.hosts):
        return []
    said = {
        "PYBENCH_DEBUG is on: error pages would show code and settings. Unset it.": chosen.is_debug,
        "PYBENCH_HOSTS has a *: the site would believe any host name. Name its own.": any(
            host.startswith("*") or host == "." for host in chosen.hosts
        ),
        "PYBENCH_SECRET_KEY is not set, or is short: sessions could be forged, and processes "
        f"would not agree. Give all of them the same {LEAST_SECRET_CHARS} random characters or "
        "more.": len(chosen.secret_key) < LEAST_SECRET_CHARS,
        "PYBENCH_FIELD_KEYS is not set: the key of stored endpoint keys would lie beside the "
        f"database. Give every process the same; make one with: python -c '{FERNET}'": (
            not chosen.field_keys
        ),
        "PYBENCH_FIELD_KEYS holds something that is no Fernet key. Make one with: "
        f"python -c '{FERNET}'": not all(is_fernet_key(key) for key in chosen.field_keys),
    }
    return [sentence for sentence, is_so in said.items() if is_so]


def is_fernet_key(key: str) -> bool:
    try:
        Fernet(key)
    except ValueError:
        return False
    return True


def refusal(dangers: Sequence[str]) -> str:
    """The words with which a process ends instead of starting."""
    lines = "\n".join(f"  - {danger}" for danger in dangers)
    return (
        "This site answers to host names that strangers can use (PYBENCH_HOSTS), so it does not "
        f"start with unsafe settings:\n{lines}"
    )


def chosen_from(environment: Mapping[str, str], hosts: Sequence[str], is_debug: bool) -> Chosen:
    keys = environment.get("PYBENCH_FIELD_KEYS", "")
    return Chosen(
        hosts=hosts,
        is_debug=is_debug,
        secret_key=environment.get("PYBENCH_SECRET_KEY", ""),
        field_keys=[key.strip() for key in keys.split(",") if key.strip()],
    )
