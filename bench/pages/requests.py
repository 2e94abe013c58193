"""The pages that a bench asks for, and requests for them whose CPU is counted."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench.measuring.process_tree import below, read_all_times
from bench.pages.site import Server
from leaderboard.models import Run

REQUEST_TIMEOUT_S = 60.0
COMPRESSED = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Page:
    """An address and what it shows."""

    name: str
    path: str
    is_unchanged: bool = False  # asked by somebody who has it already: answered with 304


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


def cpu_of(server: Server) -> float:
    """CPU seconds that the server's processes have used so far."""
    times = read_all_times()
    return sum(times[pid].cpu_s for pid in below(server.pid, times))
