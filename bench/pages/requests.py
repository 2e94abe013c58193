"""Measures pages: the queries, times and bytes of each, and how many a second the server gives."""

from __future__ import annotations

import gzip
import http.client
import statistics
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import Resolver404, resolve

from bench.measuring.process_tree import below, read_all_times
from bench.pages.site import Server
from leaderboard.models import Run

REQUEST_TIMEOUT_S = 60.0
MIN_REQUESTS = 5  # of a slow page, one after another
CLIENTS = 4  # ask at once where requests per second are measured
COMPRESSED = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Page:
    """An address and what it shows."""

    name: str
    path: str
    is_unchanged: bool = False  # asked by somebody who has it already: answered with 304


@dataclass(frozen=True)
class Sizes:
    """Costs of a request that are the same on every machine."""

    queries: int
    raw_bytes: int
    sent_bytes: int  # compressed


@dataclass(frozen=True)
class Times:
    """One round."""

    p50_ms: float
    p95_ms: float
    cpu_ms: float  # of the server's processes, per request
    requests_per_s: float


def list_pages(run: Run) -> list[Page]:
    """The pages about `run`, its suite and its neighbours, wherever the site may have them."""
    suite, task, pair = run.suite, run.suite.tasks.all()[0], f"{run.pk - 1},{run.pk}"
    replay = f"/runs/{run.pk}/tasks/{task.key}/"
    attempt = run.attempts.get(task=task, number=1)
    return [
        Page("board", "/"),
        Page("board, by turns", "/?sort=turns"),
        Page("board.json", "/board.json"),
        Page("board.csv", "/board.csv"),
        Page("run", f"/runs/{run.pk}/"),
        Page("run, failed only", f"/runs/{run.pk}/?show=failed"),
        Page("run, unchanged", f"/runs/{run.pk}/progress/", is_unchanged=True),
        Page("replay", replay),
        Page("attempt.json", f"{replay}attempt.json"),
        Page("tasks", f"/tasks/{suite.name}/"),
        Page("task", f"/tasks/{suite.name}/{task.key}/"),
        Page("entry", f"/models/{run.entry.slug}/"),
        Page("charts", "/charts/"),
        Page("charts of the board", "/charts/list/"),
        Page("compare, choosing", "/compare/"),
        Page("compare", f"/compare/?runs={pair}"),
        Page("failures", "/failures/"),
        Page("failures, one tag", "/failures/?tag=wrong-column"),
        Page("failures, one entry", f"/failures/?entry={run.entry.slug}"),
        Page("failures, common word", "/failures/?q=KeyError"),
        Page("failures, rare word", "/failures/?q=name_900"),
        Page("failures.json", "/failures.json?tag=wrong-column"),
        Page("method", "/about/method/"),
        Page("API board", "/api/v1/board/"),
        Page("API runs", "/api/v1/runs/"),
        Page("API run", f"/api/v1/runs/{run.pk}/"),
        Page("API attempts", f"/api/v1/attempts/?run={run.pk}"),
        Page("API steps", f"/api/v1/attempts/{attempt.pk}/steps/"),
    ]


class PageError(Exception):
    """A page did not answer as it should; the message is a sentence."""


def is_there(path: str) -> bool:
    """True if an address leads to a page of this version of the site."""
    try:
        resolve(urlsplit(path).path)
    except Resolver404:
        return False
    return True


def measure_sizes(page: Page) -> Sizes:
    """Asks in this process, where queries can be counted. Raises PageError."""
    plain = Client(raise_request_exception=False)
    headers = COMPRESSED | condition_of(page, plain)
    client = Client(raise_request_exception=False, headers=headers)
    client.get(page.path)  # the first request fills caches
    with CaptureQueriesContext(connection) as queries:
        response = client.get(page.path)
    expect_status(page, response.status_code)
    sent = response.content
    is_packed = response.get("Content-Encoding") == "gzip"
    return Sizes(len(queries), len(gzip.decompress(sent) if is_packed else sent), len(sent))


def condition_of(page: Page, client: Client) -> dict[str, str]:
    """The header of somebody who has the page already; none where the page has no tag."""
    if not page.is_unchanged:
        return {}
    return {"If-None-Match": str(client.get(page.path).get("ETag", ""))}


def expect_status(page: Page, status: int) -> None:
    """Raises PageError when the answer is not the one that is measured."""
    wanted = 304 if page.is_unchanged else 200
    if status != wanted:
        raise PageError(f"{page.name}: {page.path} answered {status} instead of {wanted}.")


class Visitor:
    """Asks for pages over one connection that is kept open."""

    def __init__(self, server: Server) -> None:
        host = urlsplit(server.address)
        self.line = http.client.HTTPConnection(
            host.hostname or "", host.port, timeout=REQUEST_TIMEOUT_S
        )

    def get(self, page: Page, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        self.line.request("GET", page.path, headers=dict(headers))
        response = self.line.getresponse()
        response.read()
        expect_status(page, response.status)
        return response

    def close(self) -> None:
        self.line.close()


def headers_for(page: Page, server: Server) -> dict[str, str]:
    """Request headers of a browser; those of a revisit where the page is requested again."""
    if not page.is_unchanged:
        return COMPRESSED
    visitor = Visitor(server)
    try:
        first = visitor.get(Page(page.name, page.path), COMPRESSED)
    finally:
        visitor.close()
    return {**COMPRESSED, "If-None-Match": first.headers["ETag"] or ""}


def measure_times(page: Page, server: Server, requests: int, load_s: float) -> Times:
    """One request after another, then for `load_s` seconds from several clients at once.

    A slow page is asked for less often: `MIN_REQUESTS` times, and on until `2 * load_s` are over.
    """
    headers = headers_for(page, server)
    visitor = Visitor(server)
    try:
        visitor.get(page, headers)
        before_s = cpu_of(server)
        taken: list[float] = []
        while len(taken) < requests and (len(taken) < MIN_REQUESTS or sum(taken) < 2 * load_s):
            taken.append(time_request(visitor, page, headers))
        cpu_s = cpu_of(server) - before_s
    finally:
        visitor.close()
    return Times(
        p50_ms=statistics.median(taken) * 1000,
        p95_ms=percentile(taken, 0.95) * 1000,
        cpu_ms=cpu_s / len(taken) * 1000,
        requests_per_s=measure_rate(page, server, headers, load_s),
    )


def time_request(visitor: Visitor, page: Page, headers: Mapping[str, str]) -> float:
    started = time.perf_counter()
    visitor.get(page, headers)
    return time.perf_counter() - started


def cpu_of(server: Server) -> float:
    """CPU seconds that the server's processes have used so far."""
    times = read_all_times()
    return sum(times[pid].cpu_s for pid in below(server.pid, times))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that is not exceeded by `share` of them (nearest rank)."""
    ordered = sorted(values)
    rank = -(-share * len(ordered) // 1)  # rounded up
    return ordered[max(0, int(rank) - 1)]


def measure_rate(page: Page, server: Server, headers: Mapping[str, str], load_s: float) -> float:
    """Answers per second that several clients get together. Raises PageError."""
    rates: list[float] = []

    def ask() -> None:
        visitor, count, started = Visitor(server), 0, time.monotonic()
        try:
            while time.monotonic() - started < load_s:
                visitor.get(page, headers)
                count += 1
        finally:
            visitor.close()
        rates.append(count / (time.monotonic() - started))

    clients = [threading.Thread(target=ask) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join(load_s + REQUEST_TIMEOUT_S)
    if len(rates) != CLIENTS:
        raise PageError(f"{page.name}: {CLIENTS - len(rates)} of {CLIENTS} clients failed.")
    return sum(rates)
