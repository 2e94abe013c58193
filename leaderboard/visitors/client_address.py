"""The address of whoever sent a request, as far as the site's own proxies vouch for it."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

from django.conf import settings

IPV6_PREFIX = 64  # one customer's network: its addresses are one visitor


def client_address(meta: Mapping[str, object]) -> str:
    """The visitor's IPv4 address, or the first address of the visitor's IPv6 network.

    `meta` is `request.META`. Behind n proxies (PYBENCH_PROXIES) the nth entry from the end of
    X-Forwarded-For is what the outermost of them saw; entries before it are the visitor's own
    words. A request that came past the proxies has the address of its connection.
    """
    proxies = settings.PROXIES
    words = str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    forwarded = [word for word in words if word.strip()]
    if len(forwarded) >= proxies > 0:
        return normalise(forwarded[-proxies])
    return normalise(str(meta.get("REMOTE_ADDR", "")))


def normalise(text: str) -> str:
    """An address in one spelling; 0.0.0.0 for invalid ones, which thus share a limit."""
    text = text.strip()
    if text.startswith("["):  # "[2001:db8::1]:443"
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:  # "192.0.2.1:443"
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return "0.0.0.0"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    network = ipaddress.ip_network((address, IPV6_PREFIX), strict=False)
    return str(network.network_address)
