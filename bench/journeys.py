"""Walks a visitor's journeys in Chromium and counts clicks, seconds and bytes.

`python -m bench.journeys` fills a fresh site, serves it as `make run` does, and walks each journey
from the front page with an empty cache, until its answer is seen without scrolling. It ends with 1
when a journey takes more clicks than it may, or does not lead to its answer; no time is judged.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, Error, Locator, expect

from bench.pages import site
from bench.pages.browser import open_browser, open_page

if TYPE_CHECKING:
    from bench.pages.site import Server

WAIT_MS = 15_000
SIZE = (1440, 900)
MODELS = (("Aurora 72B", 7), ("Borealis Pro", 6), ("Cirrus Mini", 3))  # tasks solved


@dataclass(frozen=True)
class Journey:
    """A question, the clicks that lead to its answer, and the answer as it is read."""

    question: str
    most: int  # clicks
    clicks: Sequence[str]  # selectors, one after the other
    place: str  # selector of what holds the answer
    answer: str  # a pattern that its text has


@dataclass(frozen=True)
class Walked:
    """One journey's measures."""

    journey: Journey
    seconds: float
    sent_bytes: int
    problem: str  # "" when the answer was seen

    @property
    def is_kept(self) -> bool:
        return not self.problem and len(self.journey.clicks) <= self.journey.most


JOURNEYS = (
    Journey(
        "Which model for spreadsheets?",
        2,
        ['.readings a:has-text("spreadsheets")'],
        "#table tbody tr >> nth=0",
        r"Aurora 72B.*\d",
    ),
    Journey(
        "Do the first two differ?",
        1,
        ['.answer a:has-text("Compare the first two")'],
        ".lead",
        r"this could easily be chance \(p = ",
    ),
    Journey("What does it cost?", 0, [], "#table tbody tr >> nth=0", r"\$0\.\d+"),
    Journey(
        "What changed?", 1, ['.foot a:has-text("What changed")'], ".changes li >> nth=0", r"\w+"
    ),
    Journey(
        "Why did it fail?",
        2,
        ['#table th a:has-text("Cirrus Mini")', 'main a[href*="/tasks/static-page/"] >> nth=0'],
        ".verdict-line",
        r"quarters\.csv has 5 rows, the query asks for 4",
    ),
)


def fill() -> None:
    """Three ranked models of a priced suite; an attempt of the last failed with everything."""
    from leaderboard.handoff.sweep import sweep_queue
    from leaderboard.suites.task_facets import Described, store_facets
    from leaderboard.tests.support.rows import (
        finish_run,
        make_entry,
        make_run,
        make_suite,
        set_price,
        tell_failure,
    )

    suite = make_suite()
    store_facets(suite, Described())
    for name, solved in MODELS:
        set_price(name.lower())
        run = finish_run(make_run(suite, make_entry(name)), solved)
    failed = run.attempts.select_related("task", "run").get(task__key="static-page")
    tell_failure(failed)
    sweep_queue()


def walk(browser: Browser, server: Server, journey: Journey) -> Walked:
    """One journey by a visitor who was never here."""
    context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]})
    page, _, loaded = open_page(context)
    started, problem = time.monotonic(), ""
    try:
        page.goto(server.address)
        for selector in journey.clicks:
            page.locator(selector).click()
        see(page.locator(journey.place), journey.answer)
    except (Error, AssertionError) as error:
        problem = str(error).partition("\n")[0]
    seconds = time.monotonic() - started
    context.close()
    return Walked(journey, seconds, sum(loaded), problem)


def see(place: Locator, answer: str) -> None:
    """Wait until the answer is there and in sight."""
    expect(place).to_contain_text(re.compile(answer, re.DOTALL), timeout=WAIT_MS)
    expect(place).to_be_in_viewport(timeout=WAIT_MS)


def walk_all() -> list[Walked]:
    with site.serve() as server, open_browser() as browser:
        return [walk(browser, server, journey) for journey in JOURNEYS]


def show(walked: Sequence[Walked]) -> None:
    print(f"{'question':32} {'clicks':>8} {'seconds':>8} {'KB':>7}")
    for one in walked:
        clicks = f"{len(one.journey.clicks)} of {one.journey.most}"
        said = f"  {one.problem}" if one.problem else ""
        row = f"{one.journey.question:32} {clicks:>8} {one.seconds:8.1f}"
        print(f"{row} {one.sent_bytes / 1000:7.0f}{said}")


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="pybench-journeys-"))
    try:
        site.configure(folder)
        fill()
        walked = walk_all()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    show(walked)
    sys.exit(0 if all(one.is_kept for one in walked) else 1)


if __name__ == "__main__":
    main()
