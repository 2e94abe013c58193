"""Watches a board in Chromium as somebody who comes for the first time and sorts it once."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from bench.measuring.process_tree import below, read_all_times, read_pss_bytes
from bench.pages.site import Server

WAIT_MS = 60_000
SETTLE_MS = 1500  # for what is loaded after the rows

# Notes on every frame when the text of the first row changed, and when something was clicked, by
# the clock of the machine and across pages.
WATCH = """
(() => {
  sessionStorage.removeItem("bench-row");  // a new document: its first row is news
  const now = () => performance.timeOrigin + performance.now();
  const look = () => {
    const row = document.querySelector(ROW);
    const text = row ? row.innerText.trim() : "";
    if (text && text !== sessionStorage.getItem("bench-row")) {
      sessionStorage.setItem("bench-row", text);
      sessionStorage.setItem("bench-at", now());
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  addEventListener("click", () => sessionStorage.setItem("bench-click", now()), true);
})();
"""


@dataclass(frozen=True)
class Board:
    """A board to look at, and how it is sorted."""

    name: str
    first_row: str  # selector
    clicks: tuple[str, ...]  # selectors: together they sort the table, worst rate first
    hover: str = ""  # what the pointer must be over for the first of them to show


@dataclass(frozen=True)
class Sight:
    """One round of one board."""

    start_s: float  # of the server, to its first answer
    paint_ms: float  # first contentful paint, nothing in the cache
    rows_ms: float  # the first row stands
    rows_again_ms: float  # the same at the second visit
    sort_ms: float  # from the last click to the new first row
    sent_kb: float  # everything the first visit loads
    requests: float
    heap_mib: float  # JavaScript, after a collection
    nodes: float  # of the document
    renderer_mib: float  # proportional set size of the browser's largest renderer: the page's
    server_mib: float  # proportional set size of the server's processes


@contextlib.contextmanager
def open_browser() -> Iterator[Browser]:
    """Debian's Chromium, which reaches this machine and nothing else."""
    arguments = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # its own needs an ordinary user
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def look_at(board: Board, server: Server) -> Sight:
    """Visit, visit again, sort; then what the browser and the server hold."""
    with open_browser() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.add_init_script(WATCH.replace("ROW", repr(board.first_row)))
        page, line, loaded = open_page(context)
        rows_ms = visit(page, server)
        page.wait_for_timeout(SETTLE_MS)
        sent_bytes, requests = sum(loaded), len(loaded)
        paint_ms = page.evaluate(
            "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        )
        rows_again_ms = visit(page, server)
        sort_ms = sort(page, board)
        held = measure_held(line)
        return Sight(
            start_s=server.start_s,
            paint_ms=paint_ms,
            rows_ms=rows_ms,
            rows_again_ms=rows_again_ms,
            sort_ms=sort_ms,
            sent_kb=sent_bytes / 1000,
            requests=requests,
            heap_mib=held["JSHeapUsedSize"] / 2**20,
            nodes=held["Nodes"],
            renderer_mib=max(map(read_pss_bytes, list_renderers(browser))) / 2**20,
            server_mib=measure_server(server),
        )


def open_page(context: BrowserContext) -> tuple[Page, CDPSession, list[int]]:
    """A page, the line to its inside, and the bytes of every answer that it gets."""
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    line = context.new_cdp_session(page)
    loaded: list[int] = []
    line.on("Network.loadingFinished", lambda event: loaded.append(int(event["encodedDataLength"])))
    line.send("Network.enable")
    line.send("Performance.enable")
    return page, line, loaded


def visit(page: Page, server: Server) -> float:
    """Milliseconds from the start of the visit until the first row stands."""
    page.goto(server.address)
    page.wait_for_function("sessionStorage.getItem('bench-at') > performance.timeOrigin")
    return float(
        page.evaluate("Number(sessionStorage.getItem('bench-at')) - performance.timeOrigin")
    )


def sort(page: Page, board: Board) -> float:
    """Milliseconds from the last click until another row is the first."""
    if board.hover:
        page.locator(board.hover).first.hover()
    for selector in board.clicks:
        page.locator(selector).first.click()
    page.wait_for_function(
        "+sessionStorage.getItem('bench-at') > +sessionStorage.getItem('bench-click')"
    )
    return float(
        page.evaluate("sessionStorage.getItem('bench-at') - sessionStorage.getItem('bench-click')")
    )


def measure_held(line: CDPSession) -> dict[str, float]:
    """Chromium's own counts of what the page holds, after a collection."""
    line.send("HeapProfiler.collectGarbage")
    answer: Any = line.send("Performance.getMetrics")
    return {metric["name"]: metric["value"] for metric in answer["metrics"]}


def list_renderers(browser: Browser) -> list[int]:
    answer: Any = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return [process["id"] for process in answer["processInfo"] if process["type"] == "renderer"]


def measure_server(server: Server) -> float:
    """MiB that the server's processes hold."""
    return sum(map(read_pss_bytes, below(server.pid, read_all_times()))) / 2**20
