"""Which addresses the site calls for a submitter, as the settings say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from urllib.parse import urlsplit

from django.conf import settings

from runner.addresses import DEFAULT_PORTS, Policy

OURS = ("127.0.0.1", "localhost")


def open_policy() -> Policy:
    """What runs and preflights may call: public addresses, and our own scripted endpoints."""
    return make_policy(
        tuple(settings.ENDPOINT_PORTS),
        settings.ENDPOINT_HTTP,
        tuple(settings.ENDPOINT_LOOPBACK_PORTS),
    )


@cache
def make_policy(ports: tuple[int, ...], is_http_allowed: bool, loopback: tuple[str, ...]) -> Policy:
    return Policy(
        ports=frozenset(ports),
        is_http_allowed=is_http_allowed,
        loopback=frozenset((host, port) for port in spell_out(loopback) for host in OURS),
    )


def spell_out(ranges: Iterable[str]) -> Iterator[int]:
    """The ports in words such as "8001" and "32768-60999"."""
    for words in ranges:
        first, _, last = words.partition("-")
        yield from range(int(first), int(last or first) + 1)


def is_ours(base_url: str) -> bool:
    """Whether a checked address is that of our own scripted endpoints."""
    parts = urlsplit(base_url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    return open_policy().is_ours(parts.hostname or "", port)
