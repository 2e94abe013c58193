"""The HTTP clients through which model endpoints are reached: bounded, and silent about us."""

from __future__ import annotations

import codecs
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import cache

import httpx2

from runner.endpoint.extras.extra_headers import unwrap

MAX_BODY_BYTES = 8 << 20
READ_ERROR_BYTES = 64 << 10  # of an error's body; the rest is received and left unread
CONNECT_TIMEOUT_S = 10.0

# Headers that an endpoint gets with the request itself. The client library would add this
# machine's system, Python version, and headers and accounts named in our environment.
SENT_HEADERS = frozenset(
    {"host", "content-type", "content-length", "authorization", "accept", "accept-encoding"}
    | {"user-agent", "connection"}
)
USER_AGENT = "pybench-runner"


# What an error's text may be encoded in. Python knows more by such names: codecs that turn bytes
# into bytes, raise whatever comes, or take the square of a text's length (punycode).
CHARSETS = frozenset(
    {"utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "ascii", "iso8859-1", "cp1252"}
    | {"gbk", "gb2312", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp949", "koi8-r"}
)


class BodyTooLarge(httpx2.RequestError):
    """The endpoint sent more than MAX_BODY_BYTES."""


class BodyEncoded(httpx2.RequestError):
    """The endpoint compressed its reply though asked not to: its size cannot be bounded."""


class BoundedStream(httpx2.AsyncByteStream):
    """A response body that fails once it is larger than `limit_bytes`, of which some is read."""

    def __init__(
        self, stream: httpx2.AsyncByteStream, limit_bytes: int, read_bytes: int | None = None
    ) -> None:
        self.stream = stream
        self.limit_bytes = limit_bytes
        self.read_bytes = limit_bytes if read_bytes is None else read_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = 0
        async for chunk in self.stream:
            left = self.read_bytes - total
            total += len(chunk)
            if total > self.limit_bytes:
                raise BodyTooLarge(f"more than {self.limit_bytes:,} bytes")
            if left > 0:
                yield chunk[:left]

    async def aclose(self) -> None:
        await self.stream.aclose()


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Any transport, with bounded bodies and no header but the needed ones and a submitter's."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self.inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        extra = dict(unwrap(request.headers))
        for name in list(request.headers):
            if name not in SENT_HEADERS:
                del request.headers[name]
        request.headers.update(extra)
        request.headers["user-agent"] = USER_AGENT
        request.headers["accept-encoding"] = "identity"
        response = await self.inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise BodyEncoded("compressed reply")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        read_bytes = READ_ERROR_BYTES if response.status_code >= 400 else MAX_BODY_BYTES
        response.stream = BoundedStream(response.stream, MAX_BODY_BYTES, read_bytes)
        response.encoding = known_charset(response.charset_encoding)
        return response

    async def aclose(self) -> None:
        await self.inner.aclose()


def known_charset(name: str | None) -> str:
    """The charset that a response names, if text comes in it; else UTF-8."""
    try:
        found = codecs.lookup(name or "utf-8").name
    except (LookupError, ValueError):
        return "utf-8"
    return found if found in CHARSETS else "utf-8"


@cache
def trust() -> ssl.SSLContext:
    """The system's certificates, read once per process (it takes 28 ms)."""
    return ssl.create_default_context()


def open_http(inner: httpx2.AsyncBaseTransport | None = None) -> httpx2.AsyncClient:
    """A client for any number of endpoints, for one event loop; the caller closes it.

    No proxies, no .netrc, no redirects, no time limit but on connecting: callers have deadlines.
    `inner` does the connecting; a guarded one may be given.
    """
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
    inner = inner or httpx2.AsyncHTTPTransport(verify=trust(), trust_env=False, limits=limits)
    return httpx2.AsyncClient(
        transport=BoundedTransport(inner),
        trust_env=False,
        follow_redirects=False,
        timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT_S),
    )


class Clients:
    """HTTP clients for one event loop, each lent to one attempt at a time.

    One for all would look through the connections of all at every request.
    """

    def __init__(self, connect: Callable[[], httpx2.AsyncBaseTransport | None] = lambda: None):
        self.connect = connect
        self.idle: list[httpx2.AsyncClient] = []

    @contextmanager
    def lend(self) -> Iterator[httpx2.AsyncClient]:
        """A client for one attempt, and afterwards for the next."""
        http = self.idle.pop() if self.idle else open_http(self.connect())
        try:
            yield http
        finally:
            self.idle.append(http)

    async def aclose(self) -> None:
        """To be called when none is lent."""
        for http in self.idle:
            await http.aclose()
