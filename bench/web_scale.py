"""Measures what pages cost at 128,700 and at 429,000 attempts, on PostgreSQL and on SQLite.

`python -m bench.web_scale` seeds four sites in SQL (some 15 minutes and 7 GB in a temporary folder,
or in `--folder`, which is kept and used again), starts the web server of each as `make run` does,
and prints for every page the CPU of the web process and of the database per request, warm, as
medians of `--rounds` in which the small site and the large one are asked in turns, the growth
between them, and the first look after the start. SQLite works inside the web process. No time is
judged. `--entries 75 250` takes smaller sites, where there is no time for these.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measuring.postgres import Server, cpu_of, postgres_in
from bench.measuring.process_tree import below, read_all_times, read_pss_bytes
from bench.pages import site as web_site

if TYPE_CHECKING:
    from bench.pages.requests import Page

ENTRIES = (300, 1000)  # of the small site and the large one, of three runs of 143 attempts each
SIZES = ("small", "large")
DATABASES = ("postgresql", "sqlite")
SETTINGS = ("fsync=off", "shared_buffers=512MB", "max_wal_size=4GB")  # of PostgreSQL
REQUESTS = 10  # of a page, in each round: CPU is reported in hundredths of a second
WARMING = 3  # before the rounds
ANSWER = "= "  # begins the lines that a site's process answers with
SWEEPS = 20


@dataclass(frozen=True)
class Cost:
    """CPU time of one request of a page, in ms."""

    web: float
    database: float
    first_web: float
    first_database: float


@dataclass(frozen=True)
class Figures:
    """One site."""

    attempts: int
    pages: Mapping[str, Cost]
    sweep_ms: float  # CPU of this process, with nothing to do
    pss_mb: float  # of the web server's processes, after all pages


def main() -> None:
    options = read_options()
    if options.measure:
        measure_here(options)
        return
    folder = options.folder or Path(tempfile.mkdtemp(prefix="pybench-scale-"))
    folder.chmod(0o755)
    try:
        for database in options.databases:
            sizes = measure_sites(folder, database, options)
            print_sites(database, sizes)
            (folder / f"{database}.json").write_text(
                json.dumps({size: asdict(figures) for size, figures in sizes.items()}, indent=1)
            )
    finally:
        if not options.folder:
            shutil.rmtree(folder, ignore_errors=True)


def measure_sites(folder: Path, database: str, options: argparse.Namespace) -> dict[str, Figures]:
    """Both sizes: each alone, then page by page in turns, so that both are asked under the same
    load. A process for each site: settings are read once."""
    with contextlib.ExitStack() as stack:
        server = None
        if database == "postgresql":
            server = stack.enter_context(postgres_in(folder / "postgresql", *SETTINGS))
        alone = {}
        for size in SIZES:
            with site_of(folder, database, size, server, options.entries) as site:
                alone[size] = site.read()
        sites = {
            size: stack.enter_context(
                site_of(folder, database, size, server, options.entries, is_asked=True)
            )
            for size in SIZES
        }
        warm = ask_in_turns(sites, list(alone["large"]["pages"]), options.rounds)
    return {size: join(facts, warm[size]) for size, facts in alone.items()}


def join(facts: dict[str, Any], warm: Mapping[str, tuple[float, float]]) -> Figures:
    pages = {name: Cost(*warm[name], *first) for name, first in facts.pop("pages").items()}
    return Figures(pages=pages, **facts)


def ask_in_turns(
    sites: Mapping[str, Site], pages: Sequence[str], rounds: int
) -> dict[str, dict[str, tuple[float, float]]]:
    """Per site and page the medians of the rounds; a round before them warms both."""
    looks: dict[str, dict[str, list[tuple[float, float]]]] = {size: {} for size in sites}
    for turn in range(rounds + 1):
        for name in pages:
            for size, site in sites.items():
                look = site.ask(name, REQUESTS if turn else WARMING)
                if turn:
                    looks[size].setdefault(name, []).append(look)
    return {
        size: {name: median_of(of_page) for name, of_page in of_site.items()}
        for size, of_site in looks.items()
    }


def median_of(looks: Sequence[tuple[float, float]]) -> tuple[float, float]:
    web, database = (statistics.median(values) for values in zip(*looks, strict=True))
    return web, database


class Site:
    """A process that serves a site and asks it for pages on command."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, page: str, times: int) -> tuple[float, float]:
        """CPU ms of the web process and of the database, per request."""
        assert self.process.stdin is not None
        print(json.dumps([page, times]), file=self.process.stdin, flush=True)
        web, database = self.read()
        return web, database

    def read(self) -> Any:
        """Its next answer. Exits when it has none."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(ANSWER):
                return json.loads(line.removeprefix(ANSWER))
        raise SystemExit(f"A site was not measured ({self.process.wait(60)}).")


@contextlib.contextmanager
def site_of(
    folder: Path,
    database: str,
    size: str,
    server: Server | None,
    entries: Sequence[int],
    *,
    is_asked: bool = False,
) -> Iterator[Site]:
    home, address = (
        folder / f"{database}-{size}",
        f"sqlite:///{folder}/{database}-{size}/site.sqlite3",
    )
    if server:
        address = server.create(size)
    command = [sys.executable, "-m", "bench.web_scale", "--measure", size, "--folder", str(home)]
    command += [
        "--entries",
        *map(str, entries),
        "--server",
        str(server.postmaster if server else 0),
        *(["--asked"] if is_asked else []),
    ]
    process = subprocess.Popen(
        command,
        env={**os.environ, "DATABASE_URL": address},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Site(process)
    finally:
        process.communicate(timeout=60)  # it ends with its questions


def measure_here(options: argparse.Namespace) -> None:
    """Alone: each page's first look, one after the other, and then all once more. Asked: what the
    lines of stdin name."""
    home, address = options.folder, os.environ["DATABASE_URL"]
    web_site.configure(home, database=address)
    from bench.pages import grown_rows
    from bench.pages.requests import Page, list_pages
    from leaderboard.models import Attempt, Run
    from leaderboard.scoring import filing

    if not Run.objects.exists():
        say(f"seeding {home.name}")
        grown_rows.grow(options.entries[SIZES.index(options.measure)])
    while filing.file_runs():  # as the sweep does, a few at a time
        pass
    Run.objects.filter(is_sealed=False).update(is_sealed=True)  # the ledger is not measured here
    pages = [*list_pages(Run.objects.latest("pk")), Page("metrics", "/metrics")]
    pages.insert(0, pages.pop([page.name for page in pages].index("failures")))
    cpu_of_database = cpu_meter(options.server)
    with web_site.serve() as server:
        if options.asked:
            named = {page.name: page for page in pages}
            for line in sys.stdin:
                name, times = json.loads(line)
                answer(ask(named[name], times, server, cpu_of_database))
            return
        firsts = {page.name: ask(page, 1, server, cpu_of_database) for page in pages}
        for page in pages:
            ask(page, REQUESTS, server, cpu_of_database)
        pss = sum(read_pss_bytes(pid) for pid in below(server.pid, read_all_times())) / 2**20
    facts = {"attempts": Attempt.objects.count(), "sweep_ms": measure_sweep(), "pss_mb": pss}
    answer({"pages": firsts, **facts})


def answer(value: object) -> None:
    print(ANSWER + json.dumps(value), flush=True)


def cpu_meter(server: int) -> Callable[[], float]:
    return (lambda: cpu_of(server)) if server else (lambda: 0.0)


def ask(
    page: Page, times: int, server: web_site.Server, cpu_of_database: Callable[[], float]
) -> tuple[float, float]:
    """CPU ms of the web process and of the database, per request."""
    from bench.pages.requests import Visitor, cpu_of, headers_for

    visitor, headers = Visitor(server), headers_for(page, server)
    before = cpu_of(server), cpu_of_database()
    try:
        for _ in range(times):
            visitor.get(page, headers)
    finally:
        visitor.close()
    used = cpu_of(server) - before[0], cpu_of_database() - before[1]
    return used[0] / times * 1000, used[1] / times * 1000


def measure_sweep() -> float:
    """CPU ms of a sweep that has nothing to do."""
    from time import process_time

    from leaderboard.handoff.sweep import sweep_queue

    for _ in range(3):
        sweep_queue()
    taken = []
    for _ in range(SWEEPS):
        started = process_time()
        sweep_queue()
        taken.append((process_time() - started) * 1000)
    return statistics.median(taken)


def print_sites(database: str, sizes: Mapping[str, Figures]) -> None:
    small, large = sizes["small"], sizes["large"]
    print(f"{database}: CPU ms per request, web + database; load {os.getloadavg()[0]:.0f}")
    heads = f"{small.attempts:,} warm", f"{large.attempts:,} warm", "growth", "first look"
    print(f"{'page':24} {heads[0]:>16} {heads[1]:>16} {heads[2]:>7} {heads[3]:>16}")
    for name, cost in large.pages.items():
        before = small.pages[name]
        growth = (cost.web + cost.database) / max(1.0, before.web + before.database)
        print(
            f"{name:24} {before.web:8.1f} + {before.database:5.1f} "
            f"{cost.web:8.1f} + {cost.database:5.1f} {growth:7.2f} "
            f"{cost.first_web:8.0f} + {cost.first_database:5.0f}"
        )
    print(f"sweep with nothing to do: {small.sweep_ms:.1f} and {large.sweep_ms:.1f} ms here")
    print(f"web process after all pages: {small.pss_mb:.0f} and {large.pss_mb:.0f} MB", flush=True)


def say(text: str) -> None:
    print(f"· {text}", file=sys.stderr, flush=True)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.web_scale", description=__doc__)
    parser.add_argument(
        "--folder", type=Path, help="kept there, and used as it is when it is there"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--databases", nargs="+", choices=DATABASES, default=list(DATABASES))
    parser.add_argument(
        "--entries",
        nargs=2,
        type=int,
        default=ENTRIES,
        metavar=("SMALL", "LARGE"),
        help="of the two sites, multiples of 25",
    )
    parser.add_argument("--measure", choices=SIZES, help=argparse.SUPPRESS)
    parser.add_argument("--asked", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--server", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
