"""Policy on addresses that the site can call for a submitter: a URL as written, an IP as
resolved."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from runner.contract import LONGEST_REPLY_S, ProblemError, refusal

MAX_URL_CHARS = 500
DEFAULT_PORTS = {"https": 443, "http": 80}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# IANA's special-purpose registries, read as "not for a public server"; the standard library's
# `is_global` follows them only as far as its own release did.
REFUSED_IPV4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT; 100.100.100.200 is a metadata service
            "127.0.0.0/8",
            "168.63.129.16/32",  # a cloud's host agent, on a public number
            "169.254.0.0/16",  # link-local; 169.254.169.254 is a metadata service
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # multicast tunnelling
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarking
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
GLOBAL_IPV6 = ipaddress.IPv6Network("2000::/3")
REFUSED_IPV6 = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments, Teredo and ORCHID among them
            "2001:db8::/32",  # documentation
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052
ISATAP = (0x0000_5EFE, 0x0200_5EFE)  # RFC 5214: the interface identifier's upper half

# RFC 6761, 6762, 7686, 8375, 9476 and what routers and clouds use in their place.
LOCAL_NAMES = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp"}
    | {"private", "arpa", "onion", "alt", "test", "invalid", "example"}
)
LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # a last label that makes a host an IPv4 address


@dataclass(frozen=True)
class AddressPolicy:
    """Addresses that can be called, and the limits on an answer.

    `loopback` lists the (host, port) pairs that may lie on this machine, over plain http too.
    No other address of this machine or its network is ever called.
    """

    ports: frozenset[int] = frozenset({443, 8000, 8080, 8443})
    is_http_allowed: bool = False  # plain http, to public addresses; adds port 80
    loopback: frozenset[tuple[str, int]] = frozenset()
    own_ports: frozenset[int] = frozenset()  # of this machine, that no setting admits
    is_for_models: bool = True  # or for webhooks, which never lie on this machine
    response_bytes: int = 8 << 20  # one answer, its headers included
    header_bytes: int = 32 << 10
    response_s: float = LONGEST_REPLY_S  # one answer; runs have shorter limits of their own

    def is_ours(self, host: str, port: int) -> bool:
        """True if (host, port) is allow-listed on this machine."""
        return (host.lower(), port) in self.loopback

    def is_port_allowed(self, port: int) -> bool:
        return port in self.ports or (self.is_http_allowed and port == 80)

    @property
    def local_ports(self) -> str:
        """The ports of this machine that are called, in words: "8080, 9000-9010"; "" for none."""
        ports = sorted({port for _, port in self.loopback})
        runs: list[list[int]] = []
        for port in ports:
            if runs and runs[-1][1] == port - 1:
                runs[-1][1] = port
            else:
                runs.append([port, port])
        return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs)


def check_url(url: str, policy: AddressPolicy) -> str:
    """`url` as it will be called: host in lower case, no default port, no slash at the end.

    Looks at what is written and resolves nothing; the guard looks again when it connects.
    Raises ProblemError with what to change.
    """
    check_characters(url)
    parts = split(url, policy)
    if "@" in parts.netloc:
        raise refusal(
            "url_credentials",
            "The URL has a user name or password.",
            "Take them out; the key has a field of its own.",
        )
    if "?" in url or "#" in url:
        raise refusal(
            "url_query",
            "The base URL has a query or a fragment.",
            "Give the address up to the version only, such as https://api.your-host.com/v1.",
        )
    host, port = host_and_port(parts)
    check_scheme(parts.scheme, host, port, policy)
    if not policy.is_ours(host, port):
        if is_local(host):
            raise refuse_local("address_not_public", host, port, policy)
        check_port(port, policy)
        check_host(host, policy)
    shown_host = f"[{host}]" if ":" in host else host
    shown_port = "" if port == DEFAULT_PORTS[parts.scheme] else f":{port}"
    return f"{parts.scheme}://{shown_host}{shown_port}{parts.path.rstrip('/')}"


def check_characters(url: str) -> None:
    """Only what a URL may hold: two readers of anything else may see two different hosts."""
    if not url:
        raise refusal("url_malformed", "The URL is empty.", "Give one that begins with https://.")
    if len(url) > MAX_URL_CHARS:
        raise refusal(
            "url_too_long",
            f"The URL has {len(url):,} characters; {MAX_URL_CHARS} are the limit.",
            "Give only the endpoint's base URL.",
        )
    if not url.isascii():
        raise refusal(
            "url_malformed",
            "The URL has characters outside ASCII.",
            "Write the host in its ASCII form (xn--…) and the path percent-encoded.",
        )
    if re.search(r"[\x00-\x20\x7f\\\"<>^`{|}]", url):
        raise refusal(
            "url_malformed",
            "The URL has a space, a control character or a character that no URL can contain.",
            "Copy it again, without blanks or line breaks.",
        )


def split(url: str, policy: AddressPolicy) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise malformed() from error
    if parts.scheme not in DEFAULT_PORTS:
        # "localhost:8000/v1" has no scheme, though it reads as one.
        raise wrong_scheme(parts.scheme if "://" in url else "", policy)
    if not parts.hostname or ("[" in parts.netloc and ":" not in parts.hostname):
        raise malformed()
    return parts


def malformed() -> ProblemError:
    return refusal(
        "url_malformed",
        "The URL cannot be read.",
        "Give one such as https://api.your-host.com/v1.",
    )


def host_and_port(parts: SplitResult) -> tuple[str, int]:
    host = parts.hostname or ""
    if parts.port == 0 or parts.netloc.endswith(":"):
        raise refusal(
            "url_port", "The URL's port is not valid.", "Leave it out, or give its number."
        )
    return host, parts.port or DEFAULT_PORTS.get(parts.scheme, 0)


def check_scheme(scheme: str, host: str, port: int, policy: AddressPolicy) -> None:
    if scheme == "https":
        return
    if scheme == "http" and (policy.is_http_allowed or policy.is_ours(host, port)):
        return
    if is_local(host) or (scheme == "http" and is_loosely_local(host)):
        raise refuse_local("url_scheme", host, port, policy)
    address = plain_address(host)
    if scheme == "http" and (is_private_name(host) if address is None else not is_public(address)):
        raise refuse_private(policy)
    raise wrong_scheme(scheme, policy)


def wrong_scheme(scheme: str, policy: AddressPolicy) -> ProblemError:
    what = f"“{scheme[:20]}:” addresses are" if scheme else "An address without a scheme is"
    ports = policy.local_ports
    here = f", or with http://127.0.0.1: and a port that is called ({ports})" if ports else ""
    setting = " The operator can allow plain http with PYBENCH_ENDPOINT_HTTP."
    return refusal(
        "url_scheme",
        f"{what} not called from here.",
        f"Give an address that begins with https://{here}.{setting if scheme == 'http' else ''}",
    )


def is_local(host: str) -> bool:
    """True if `host` names this machine, in whichever way."""
    address = plain_address(host)
    if address is not None:
        return address.is_loopback or address.is_unspecified
    return host == "localhost" or host.endswith(".localhost")


def is_private_name(host: str) -> bool:
    """True for a name that no public name service has: gpu-box, gpu.lan, host.docker.internal."""
    labels = host.split(".")
    return len(labels) == 1 or labels[-1] in LOCAL_NAMES


def is_loosely_local(host: str) -> bool:
    """True if programs of old take `host` for this machine: 127.1, ::ffff:127.0.0.1, localhost."""
    name = host.lower().rstrip(".")
    mapped = getattr(plain_address(name), "ipv4_mapped", None)
    try:
        return is_local(str(mapped or ipaddress.IPv4Address(socket.inet_aton(name))))
    except (OSError, UnicodeError):
        return is_local(name)


def refuse_local(code: str, host: str, port: int, policy: AddressPolicy) -> ProblemError:
    """The refusal of a port of this machine, with those that are called and how to admit more."""
    if (usual := ("127.0.0.1", port)) in policy.loopback:
        what = f"Port {port} of this machine is not called by the name {host}."
        return refusal(code, what, f"Write the address as http://{usual[0]}:{port}.")
    if port in policy.own_ports:
        what = f"Port {port} of this machine is the site's own and cannot be submitted."
        return refusal(code, what, "Give the port that the model is served on.")
    if not policy.is_for_models:
        what = f"Port {port} of this machine is not called for a webhook."
        return refusal(code, what, "Give a public address that begins with https://.")
    ports = policy.local_ports
    called = (
        f"the ports of this machine that are called: {ports}"
        if ports
        else "no port of this machine is"
    )
    elsewhere = "Serve the model on one of them, or ask" if ports else "Ask"
    return refusal(
        code,
        f"Port {port} of this machine is not called from here; {called}.",
        f"{elsewhere} the operator to add {port} to PYBENCH_LOOPBACK_PORTS (docs/operating.md).",
    )


def check_port(port: int, policy: AddressPolicy) -> None:
    if not policy.is_port_allowed(port):
        known = ", ".join(map(str, sorted(policy.ports)))
        setting = " The operator can allow others with PYBENCH_ENDPOINT_PORTS."
        raise refusal(
            "url_port",
            f"Port {port} is not called from here.",
            f"Serve the endpoint on one of these ports: {known}."
            f"{setting if policy.is_for_models else ''}",
        )


def check_host(host: str, policy: AddressPolicy) -> None:
    """Raises ProblemError unless `host` is a public name or a public IP in its plain form."""
    if "%" in host:
        raise odd_host("has a zone or escaped characters")
    address = plain_address(host)
    if address is not None:
        check_address(address, policy)
        return
    if host.endswith("."):
        raise odd_host("ends in a dot")
    labels = host.split(".")
    if NUMBER.fullmatch(labels[-1]):
        raise odd_host("is an IP address in an unusual notation")
    if len(host) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        raise odd_host("is not a valid host name")
    if is_private_name(host):
        raise not_public(policy)


def refuse_private(policy: AddressPolicy) -> ProblemError:
    """The refusal of plain http to a private network, where https would not help."""
    return refusal(
        "url_scheme",
        "Addresses of private networks are not called from here.",
        "No setting admits them: make the endpoint reachable at a public address with https://"
        f"{or_forward(policy)}.",
    )


def or_forward(policy: AddressPolicy) -> str:
    """What else helps where an address is not public; "" where no port here is called."""
    ports = policy.local_ports
    return f", or forward it to a port of this machine that is called ({ports})" if ports else ""


def odd_host(what: str) -> ProblemError:
    return refusal(
        "url_host",
        f"The URL's host {what}.",
        "Write the host name in full and plainly, such as api.your-host.com.",
    )


def not_public(policy: AddressPolicy) -> ProblemError:
    # Says nothing of where the name leads: our resolver may know names that others must not.
    return refusal(
        "address_not_public",
        "The URL leads to an address that is not on the public internet.",
        f"Make the endpoint reachable at a public address{or_forward(policy)}.",
    )


def plain_address(host: str) -> Address | None:
    """The IP address that `host` is, in the one notation that every reader agrees on."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def check_address(address: Address, policy: AddressPolicy) -> None:
    """Raises ProblemError unless `address` is global unicast, also once unwrapped."""
    if not is_public(address):
        raise not_public(policy)


def is_public(address: Address) -> bool:
    """True if `address` is global unicast and wraps no IPv4 address that is not."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in REFUSED_IPV4) and address.is_global
    if address.scope_id is not None:
        return False
    inner = unwrap(address)
    if inner is not None and not is_public(inner):
        return False
    if address.ipv4_mapped is not None or address in NAT64:
        return True
    if address not in GLOBAL_IPV6 or address.is_multicast:
        return False
    return not any(address in network for network in REFUSED_IPV6)


def unwrap(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that packets to `address` end at: mapped, NAT64, 6to4, ISATAP."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    lower = int(address) & 0xFFFF_FFFF
    if address in NAT64 or (int(address) >> 32) & 0xFFFF_FFFF in ISATAP:
        return ipaddress.IPv4Address(lower)
    return None
