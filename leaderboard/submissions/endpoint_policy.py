"""Addresses that the site calls for a submitter, as the settings say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from urllib.parse import urlsplit

from django.conf import settings

from pybench_site.production_checks import is_for_strangers
from runner.endpoint.address_policy import DEFAULT_PORTS, AddressPolicy, check_url

THIS_MACHINE = ("127.0.0.1", "localhost")


def is_for_this_machine() -> bool:
    """True if the site answers to this machine's own names alone."""
    return not is_for_strangers(settings.ALLOWED_HOSTS)


def submission_policy() -> AddressPolicy:
    """The addresses that a submitted endpoint may have, and that a preflight calls.

    Public ones, and ports of this machine that the operator admits; never the scripted port.
    """
    admitted = set(spell_out(settings.ENDPOINT_LOOPBACK_PORTS)) - {settings.SCRIPTED_PORT}
    return make_policy(frozenset(admitted))


def run_policy() -> AddressPolicy:
    """The addresses that runs may call: also the scripted port, where baselines are played."""
    admitted = set(spell_out(settings.ENDPOINT_LOOPBACK_PORTS)) | {settings.SCRIPTED_PORT}
    return make_policy(frozenset(admitted))


def webhook_policy() -> AddressPolicy:
    """The addresses that webhooks may have: public ones. What listens here is no receiver."""
    return replace(make_policy(frozenset()), is_for_models=False)


def require_callable(base_url: str) -> None:
    """ProblemError for an address that no run of this site may call."""
    check_url(base_url, run_policy())


def make_policy(loopback_ports: frozenset[int]) -> AddressPolicy:
    public_ports = frozenset(settings.ENDPOINT_PORTS)
    return cached_policy(
        public_ports, settings.ENDPOINT_HTTP, loopback_ports, settings.SCRIPTED_PORT
    )


@cache
def cached_policy(
    ports: frozenset[int],
    is_http_allowed: bool,
    loopback_ports: frozenset[int],
    scripted_port: int,
) -> AddressPolicy:
    return AddressPolicy(
        ports=ports,
        is_http_allowed=is_http_allowed,
        loopback=frozenset((host, port) for port in loopback_ports for host in THIS_MACHINE),
        own_ports=frozenset({scripted_port}),
    )


def spell_out(ranges: Iterable[str]) -> Iterator[int]:
    """The ports in words such as "8001" and "32768-60999"."""
    for words in ranges:
        first, _, last = words.partition("-")
        yield from range(int(first), int(last or first) + 1)


def is_scripted_address(base_url: str) -> bool:
    """True if an address is that of the site's own scripted endpoints."""
    parts = urlsplit(base_url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    return (parts.hostname or "") in THIS_MACHINE and port == settings.SCRIPTED_PORT
