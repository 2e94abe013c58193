"""The guard on every request to a submitted address: public, pinned, bounded, never redirected."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache
from typing import Any

import httpcore2
import httpx2

from runner.contract import Fault, Problem, ProblemError, refusal
from runner.endpoint.address_policy import (
    Address,
    AddressPolicy,
    check_address,
    check_port,
    check_scheme,
    check_url,
    not_public,
    plain_address,
)
from runner.endpoint.name_resolution import resolver

__all__ = [
    "AddressPolicy",
    "GuardedTransport",
    "TooSlow",
    "check_url",
    "guarded_client",
    "problem_in",
]

CONNECT_S = 5.0  # to resolve, to connect to each address, to agree on TLS
MAX_ADDRESSES = 4  # of one name that are tried
CHAIN_LINKS = 10  # of an error's causes that are looked through

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
SocketOptions = Iterable[Any]


class TooSlow(ProblemError, httpx2.ReadTimeout):
    """The answer took longer than the policy allows: a time-out to clients, with our words."""


class Unresolved(ProblemError, httpx2.ConnectTimeout):
    """The name service was too slow: a time-out to clients, with our words."""


def guarded_client(
    policy: AddressPolicy,
    timeout: httpx2.Timeout | float = 60.0,
    *,
    resolve: Resolve | None = None,
    network: httpcore2.AsyncNetworkBackend | None = None,
    tls: ssl.SSLContext | None = None,
) -> httpx2.AsyncClient:
    """A client that calls nothing but what `policy` allows. The caller closes it.

    `timeout` (seconds) is for each wait; `policy.response_s` bounds the whole answer. `resolve`,
    `network` and `tls` are the outside: the system's resolver, sockets and trust store by default.
    Requests raise ProblemError when refused, also through a client built on this one; a time-out
    may be wrapped by it, and `problem_in` finds our words again.
    """
    if not isinstance(timeout, httpx2.Timeout):
        timeout = httpx2.Timeout(timeout, connect=min(timeout, CONNECT_S))
    return httpx2.AsyncClient(
        transport=GuardedTransport(policy, resolve=resolve, network=network, tls=tls),
        timeout=timeout,
        trust_env=False,
        follow_redirects=False,
    )


def problem_in(error: BaseException | None) -> Problem | None:
    """The guard's problem in `error` or among what caused it."""
    for _ in range(CHAIN_LINKS):
        if error is None:
            return None
        if isinstance(error, ProblemError):
            return error.problem
        error = error.__cause__ or error.__context__
    return None


@cache
def system_tls() -> ssl.SSLContext:
    """The system's trust store, whatever the environment says; read once (it takes 28 ms)."""
    return httpx2.create_ssl_context(trust_env=False)


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """Checks each request and each answer's head; its connections check the rest.

    Any client can be built on it; one that follows redirects still meets a refusal.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        resolve: Resolve | None = None,
        network: httpcore2.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        tls = tls or system_tls()
        super().__init__(verify=tls, trust_env=False)
        self.policy = policy
        # A private attribute: httpx2 is pinned, and the tests fail when it moves.
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls,
            network_backend=PinnedBackend(
                policy, resolve or resolver().resolve, network or httpcore2.AnyIOBackend()
            ),
            max_connections=None,  # callers bound how many requests are under way
            max_keepalive_connections=100,
            keepalive_expiry=5.0,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        port = url.port or (443 if url.scheme == "https" else 80)
        check_scheme(url.scheme, url.host, port, self.policy)
        request.headers["Accept-Encoding"] = "identity"
        response = await super().handle_async_request(request)
        try:
            check_head(response, self.policy)
        except ProblemError:
            await response.aclose()
            raise
        response.headers.pop("Set-Cookie", None)  # nothing is kept from request to request
        return response


def check_head(response: httpx2.Response, policy: AddressPolicy) -> None:
    """Raises ProblemError for an answer that would lead elsewhere or unpack to any size."""
    size_bytes = sum(len(name) + len(value) + 4 for name, value in response.headers.raw)
    if size_bytes > policy.header_bytes:
        raise too_large(policy.header_bytes, "headers")
    if 300 <= response.status_code < 400:
        raise refusal(
            "endpoint_redirects",
            f"The endpoint redirects ({response.status_code}), which is not followed.",
            "Give the address that it redirects to, if that is the endpoint.",
        )
    if response.status_code < 200:
        raise refusal(
            "endpoint_switches",
            f"The endpoint wants another protocol ({response.status_code}).",
            "Serve the OpenAI protocol over plain HTTPS.",
        )
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise refusal(
            "endpoint_encoded",
            "The endpoint compresses its answer although the request forbids it.",
            "Switch compression off for requests with “Accept-Encoding: identity”.",
        )


def unresolved_in_time(host: str, timeout_s: float) -> Unresolved:
    return Unresolved(
        Problem(
            Fault.SUBMITTER,
            "endpoint_unresolved",
            f"The name service did not resolve {host[:253]} within {timeout_s:g} s.",
            "Check the name and its name servers, or try again later.",
        )
    )


def too_large(limit_bytes: int, part: str = "answer") -> ProblemError:
    return refusal(
        "endpoint_too_large",
        f"The endpoint's {part} went past the limit of {limit_bytes:,} bytes.",
        "Check that the base URL leads to an OpenAI-compatible endpoint.",
    )


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Resolves a host once, checks every answer, and connects to those addresses alone.

    TLS and the Host header keep the name: only the socket is pinned.
    """

    def __init__(
        self, policy: AddressPolicy, resolve: Resolve, network: httpcore2.AsyncNetworkBackend
    ) -> None:
        self.policy = policy
        self.resolve = resolve
        self.network = network

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: SocketOptions | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        wait_s = min(timeout or CONNECT_S, CONNECT_S)
        addresses = await self.checked_addresses(host, port, wait_s)
        for address in addresses[:MAX_ADDRESSES]:
            try:
                stream = await self.network.connect_tcp(
                    str(address), port, wait_s, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return MeteredStream(stream, self.policy)
        raise failure

    async def checked_addresses(self, host: str, port: int, timeout_s: float) -> list[Address]:
        """Resolve `host` to its addresses. Raises ProblemError unless every answer may be
        called."""
        is_ours = self.policy.is_ours(host, port)
        if not is_ours:
            check_port(port, self.policy)
        addresses = await self.addresses(host, port, timeout_s)
        for address in addresses:
            if not is_ours:
                check_address(address, self.policy)
            elif not address.is_loopback:
                raise not_public(self.policy)
        return addresses

    async def addresses(self, host: str, port: int, timeout_s: float) -> list[Address]:
        written = plain_address(host)
        if written is not None:
            return [written]
        try:
            async with asyncio.timeout(timeout_s):
                answers = await self.resolve(host, port)
        except TimeoutError as error:
            raise unresolved_in_time(host, timeout_s) from error
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"{host} could not be resolved") from error
        if not answers:
            raise httpcore2.ConnectError(f"{host} has no address")
        return [ipaddress.ip_address(answer) for answer in dict.fromkeys(answers)]

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: SocketOptions | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise not_public(self.policy)

    async def sleep(self, seconds: float) -> None:
        await self.network.sleep(seconds)


class MeteredStream(httpcore2.AsyncNetworkStream):
    """A connection that counts an answer's bytes and seconds, headers and framing included.

    Each request's last write starts the count anew, so that connections can be kept open.
    """

    def __init__(self, stream: httpcore2.AsyncNetworkStream, policy: AddressPolicy) -> None:
        self.stream = stream
        self.policy = policy
        self.restart()

    def restart(self) -> None:
        self.read_bytes = 0
        self.deadline = time.monotonic() + self.policy.response_s

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        left_s = self.deadline - time.monotonic()
        if left_s <= 0:
            raise self.too_slow()
        try:
            data = await self.stream.read(max_bytes, min(timeout or left_s, left_s))
        except httpcore2.ReadTimeout as error:
            if timeout is None or left_s <= timeout:
                raise self.too_slow() from error
            raise
        self.read_bytes += len(data)
        if self.read_bytes > self.policy.response_bytes:
            raise too_large(self.policy.response_bytes)
        return data

    def too_slow(self) -> TooSlow:
        return TooSlow(
            Problem(
                Fault.SUBMITTER,
                "endpoint_too_slow",
                f"The endpoint's answer was not complete after {self.policy.response_s:g} s.",
                "Check that the endpoint is not overloaded, and try again.",
            )
        )

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        longest_s = self.policy.response_s
        try:
            await self.stream.write(buffer, min(timeout or longest_s, longest_s))
        except httpcore2.WriteTimeout as error:
            raise self.too_slow() from error
        self.restart()

    async def aclose(self) -> None:
        await self.stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        wait_s = min(timeout or CONNECT_S, CONNECT_S)
        stream = await self.stream.start_tls(ssl_context, server_hostname, wait_s)
        return MeteredStream(stream, self.policy)

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)
