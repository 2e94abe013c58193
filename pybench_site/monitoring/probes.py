"""Probes of a process of the site: is it alive, can it work, what does it count."""

from __future__ import annotations

import hmac
import ipaddress
import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

JSON = "application/json"
PLAIN = "text/plain; charset=utf-8"
METRICS = "text/plain; version=1.0.0; charset=utf-8"
LOOK_EVERY_S = 5.0  # however often somebody asks


@dataclass(frozen=True)
class ProbeRequest:
    """A request, as far as it matters here."""

    path: str
    address: str  # of the peer
    authorization: str = ""
    is_forwarded: bool = False  # by a proxy: then the address is the proxy's


@dataclass(frozen=True)
class ProbeAnswer:
    """Answer to a probe, before it becomes HTTP."""

    status: int
    content_type: str
    body: bytes


@dataclass
class Probes:
    """`/healthz`, `/readyz` and `/metrics` of one process.

    Each of `checks` says "" when what it is named after answers, else a short sentence without
    secrets. Metrics are for this machine alone, or with a token for whoever has it.
    """

    checks: Mapping[str, Callable[[], str]]
    metrics: Callable[[], bytes]
    token: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    looked_s: float = float("-inf")
    troubles: Mapping[str, str] = field(default_factory=dict)

    def answer(self, asked: ProbeRequest) -> ProbeAnswer | None:
        """The answer; None for any other path."""
        match asked.path:
            case "/healthz":
                return ProbeAnswer(200, PLAIN, b"alive\n")
            case "/readyz":
                return self.readiness()
            case "/metrics":
                return self.scrape(asked)
        return None

    def readiness(self) -> ProbeAnswer:
        troubles = self.look()
        told = {name: trouble or "ok" for name, trouble in troubles.items()}
        is_ready = not any(troubles.values())
        body = json.dumps({"ready": is_ready, "checks": told}, indent=1) + "\n"
        return ProbeAnswer(200 if is_ready else 503, JSON, body.encode())

    def look(self) -> Mapping[str, str]:
        """Results of the checks, repeated after a few seconds at the earliest."""
        with self.lock:
            if time.monotonic() - self.looked_s > LOOK_EVERY_S:
                self.troubles = {name: ask(check) for name, check in self.checks.items()}
                self.looked_s = time.monotonic()
            return self.troubles

    def scrape(self, asked: ProbeRequest) -> ProbeAnswer:
        if not self.may_scrape(asked):
            words = b"Metrics are for this machine, or for whoever sends PYBENCH_METRICS_TOKEN.\n"
            return ProbeAnswer(403, PLAIN, words)
        return ProbeAnswer(200, METRICS, self.metrics())

    def may_scrape(self, asked: ProbeRequest) -> bool:
        if self.token:
            sent = asked.authorization.removeprefix("Bearer ").encode("utf-8", "replace")
            return hmac.compare_digest(sent, self.token.encode())
        return is_loopback(asked.address) and not asked.is_forwarded


def ask(check: Callable[[], str]) -> str:
    """Run a check and return its result; a failure is named by its kind, never by its message."""
    try:
        return check()
    except Exception as error:
        return f"does not answer ({type(error).__name__})"


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


class QuietHandler(WSGIRequestHandler):
    """Handles probes without a line of log for each."""

    timeout = 10  # for somebody who connects and says nothing

    def log_message(self, *_: object) -> None:
        pass


def serve(probes: Probes, host: str, port: int, after: Callable[[], None]) -> WSGIServer:
    """Answer on a port of this process, in a thread that ends with it; `after` each request."""

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        try:
            answer = probes.answer(asked_of(environ)) or ProbeAnswer(404, PLAIN, b"No such page.\n")
        finally:
            after()
        start(f"{answer.status} -", [("Content-Type", answer.content_type)])
        return [answer.body]

    server = make_server(host, port, application, handler_class=QuietHandler)
    threading.Thread(target=server.serve_forever, name="probes", daemon=True).start()
    return server


def asked_of(environ: Mapping[str, Any]) -> ProbeRequest:
    """The request in a WSGI environment, or in Django's `request.META`."""
    return ProbeRequest(
        path=str(environ.get("PATH_INFO", "")),
        address=str(environ.get("REMOTE_ADDR", "")),
        authorization=str(environ.get("HTTP_AUTHORIZATION", "")),
        is_forwarded="HTTP_X_FORWARDED_FOR" in environ or "HTTP_FORWARDED" in environ,
    )
