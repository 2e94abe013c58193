"""Measures the pages over a board of realistic size, beside the same rows in a Gradio table.

`python -m bench.web` seeds 300 entries with 3 runs of 143 attempts each into a fresh SQLite
database, starts the web server as `make run` does, and prints for every page its queries, times,
bytes and requests per second: medians of `--rounds` rounds, with the lowest and the highest. It
ends with 1 when a page is over its budget of queries or bytes; no time is ever judged.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measuring.spread import spread
from bench.pages import site
from bench.pages.budgets import Budget, check_budgets

if TYPE_CHECKING:
    from bench.pages.browser import Sight
    from bench.pages.requests import Page, Sizes, Times
    from bench.pages.seed_rows import Scale

REQUESTS = 30  # one after another, per page and round
LOAD_S = 1.5  # several clients at once, per page and round


def seed(scale: Scale) -> None:
    """Fill the database where it is empty."""
    from bench.pages import recorded_replays, seed_rows
    from leaderboard.models import Run

    if Run.objects.exists():
        return
    started = time.monotonic()
    if recorded_replays.import_recorded() is None:  # first: the newest suite is the board's
        say("skipped: no recorded trajectories; name their folder in PYBENCH_UPSTREAM")
    seed_rows.seed_rows(scale)
    say(f"seeded {describe(scale)} in {time.monotonic() - started:.0f} s")


def choose_pages() -> list[Page]:
    """The pages that this version of the site has, of those that are measured."""
    from bench.pages import recorded_replays, requests
    from leaderboard.models import Run

    listed = requests.list_pages(Run.objects.filter(suite__is_recorded=False).latest("pk"))
    pages = [page for page in listed if requests.is_there(page.path)]
    for page in listed:
        if page not in pages:
            say(f"skipped: this version has no {page.name} page ({page.path})")
    recorded = Run.objects.filter(suite__is_recorded=True).first()
    return pages + (recorded_replays.choose_replays(recorded) if recorded else [])


def measure_sizes(pages: Sequence[Page]) -> tuple[dict[str, Sizes], list[str]]:
    """Measure the size of every page, by name, and list the broken ones."""
    from bench.pages import requests

    sizes: dict[str, Sizes] = {}
    broken: list[str] = []
    for page in pages:
        try:
            sizes[page.name] = requests.measure_sizes(page)
        except requests.PageError as error:
            broken.append(str(error))
    return sizes, broken


def describe(scale: Scale) -> str:
    return f"{scale.entries} entries × {scale.runs_per_entry} runs × {scale.tasks} attempts"


def measure(pages: Sequence[Page], rounds: int) -> dict[str, list[Times]]:
    """The times of every page in every round, the pages in turn."""
    from bench.pages.requests import measure_times

    times: dict[str, list[Times]] = {page.name: [] for page in pages}
    with site.serve() as server:
        for number in range(rounds):
            for page in pages:
                times[page.name].append(measure_times(page, server, REQUESTS, LOAD_S))
            say(f"round {number + 1} of {rounds} done")
    return times


def say(text: str) -> None:
    print(f"· {text}", file=sys.stderr, flush=True)


def print_pages(
    pages: Sequence[Page], sizes: Mapping[str, Sizes], times: Mapping[str, Sequence[Times]]
) -> None:
    print(
        f"{'page':24} {'queries':>7} {'KB raw':>8} {'KB sent':>8} {'p50 ms':>20} {'p95 ms':>20} "
        f"{'CPU ms':>20} {'requests/s':>20}"
    )
    for page in pages:
        size, rounds = sizes[page.name], times[page.name]
        columns = {
            field.name: spread([getattr(t, field.name) for t in rounds])
            for field in fields(rounds[0])
        }
        print(
            f"{page.name:24} {size.queries:7} {size.raw_bytes / 1000:8.1f} "
            f"{size.sent_bytes / 1000:8.1f} " + " ".join(f"{text:>20}" for text in columns.values())
        )


def main() -> None:
    options = read_options()
    folder = options.site or Path(tempfile.mkdtemp(prefix="pybench-web-"))
    try:
        site.configure(folder)
        failed = run_all(options, folder)
    finally:
        if not options.site:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


def run_all(options: argparse.Namespace, folder: Path) -> bool:
    """Seed, measure, print. Whether a page or a budget is broken."""
    from bench.pages import contest
    from bench.pages.seed_rows import Scale

    seed(Scale(options.entries, options.runs, options.tasks))
    listed = choose_pages()
    sizes, broken = measure_sizes(listed)
    pages = [page for page in listed if page.name in sizes]
    times = measure(pages, options.rounds)
    sights = {} if options.no_peer else contest.compare(options.rounds, folder)
    print(f"medians of {options.rounds} rounds; load average at the end {os.getloadavg()[0]:.1f}")
    print_pages(pages, sizes, times)
    if sights:
        contest.print_sights(sights)
    budgets = check_budgets(sizes)
    for sentence in [*(budget.sentence for budget in budgets), *broken]:
        print(sentence)
    if options.json:
        options.json.write_text(json.dumps(report(sizes, times, sights, budgets), indent=1))
    return bool(broken) or not all(budget.is_kept for budget in budgets)


def report(
    sizes: Mapping[str, Sizes],
    times: Mapping[str, Sequence[Times]],
    sights: Mapping[str, Sequence[Sight]],
    budgets: Sequence[Budget],
) -> dict[str, Any]:
    return {
        "sizes": {name: asdict(size) for name, size in sizes.items()},
        "rounds": {name: [asdict(t) for t in each] for name, each in times.items()},
        "boards": {name: [asdict(s) for s in each] for name, each in sights.items()},
        "budgets": [asdict(budget) for budget in budgets],
    }


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.web", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3, help="of each entry")
    parser.add_argument("--tasks", type=int, default=143)
    parser.add_argument("--no-peer", action="store_true", help="without the Gradio table")
    parser.add_argument(
        "--site", type=Path, metavar="FOLDER", help="kept there, and used as it is when it is there"
    )
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the figures there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
