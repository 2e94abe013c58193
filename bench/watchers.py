"""Measures what it costs that many watch a run which goes on: `python -m bench.watchers`.

A fresh site is served as `make run` serves it. A run of 143 attempts is played through the queue's
own door, one change after another, while the watchers poll its live part as the page's script does:
every 3 s, each over a connection of its own, with the ETag that it has. It prints the server's CPU,
the watchers' times, and how often the part was rendered per change. Nothing is judged.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import os
import random
import shutil
import statistics
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bench.pages import site
from bench.pages.site import Server

if TYPE_CHECKING:
    from leaderboard.models import Run

PERIOD_S = 3.0  # of one watcher, as in static/js/live.js
TASKS = 143
ANSWER_TIMEOUT_S = 60.0


@dataclass
class Seen:
    """Totals over all watchers."""

    times_s: list[float] = field(default_factory=list)
    fresh: int = 0  # answers with a part that had changed
    unchanged: int = 0  # 304
    sent_bytes: int = 0


@dataclass(frozen=True)
class Figures:
    """One measurement."""

    watchers: int
    wall_s: float
    changes: int
    renderings: int
    seen: Seen
    cpu_s: float

    def print(self, title: str) -> None:
        seen, answers = self.seen, self.seen.fresh + self.seen.unchanged
        ordered = sorted(seen.times_s)
        print(
            f"{title}: {self.watchers} watchers, {self.wall_s:.0f} s, {self.changes} changes, "
            f"{answers} answers ({seen.fresh} with a changed part, {seen.unchanged} unchanged)\n"
            f"  CPU of the server {100 * self.cpu_s / self.wall_s:.1f} % of a core, "
            f"{1000 * self.cpu_s / answers:.1f} ms per answer\n"
            f"  p50 {1000 * statistics.median(ordered):.1f} ms, "
            f"p95 {1000 * ordered[int(0.95 * len(ordered))]:.1f} ms, "
            f"most {1000 * ordered[-1]:.0f} ms\n"
            f"  {self.renderings} renderings, {self.renderings / max(1, self.changes):.2f} per "
            f"change; {seen.sent_bytes / 1e6:.1f} MB of parts sent"
        )


async def watch(address: str, path: str, seen: Seen, until_s: float, first_s: float) -> None:
    """One watcher: asks, notes how long it took, sleeps, asks again."""
    host = urlsplit(address)
    await asyncio.sleep(first_s)
    reader, writer = await asyncio.open_connection(host.hostname, host.port)
    tag = ""
    try:
        while time.monotonic() < until_s:
            started_s = time.perf_counter()
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                status, tag, length = await ask(reader, writer, path, tag)
            seen.times_s.append(time.perf_counter() - started_s)
            seen.fresh += status == 200
            seen.unchanged += status == 304
            seen.sent_bytes += length
            await asyncio.sleep(PERIOD_S)
    finally:
        writer.close()


async def ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, tag: str
) -> tuple[int, str, int]:
    """The status, the ETag to ask with next, and the bytes of the body."""
    known = f"If-None-Match: {tag}\r\n" if tag else ""
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n{known}\r\n"
    writer.write(head.encode())
    answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(answer[0].split()[1])
    if status not in (200, 304):
        raise SystemExit(f"{path} answered {status}.")
    headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in answer[1:])}
    length = int(headers.get("content-length", 0)) if status == 200 else 0
    await reader.readexactly(length)
    return status, headers.get("etag", tag), length


async def watch_together(server: Server, path: str, count: int, for_s: float) -> Seen:
    """All watchers, their first questions spread over a period as visits are."""
    seen, chance = Seen(), random.Random(1)
    until_s = time.monotonic() + for_s
    await asyncio.gather(
        *(
            watch(server.address, path, seen, until_s, chance.uniform(0, PERIOD_S))
            for _ in range(count)
        )
    )
    return seen


class Player:
    """Plays the run through the queue's door: claims, steps and verdicts, one every `every_s`."""

    def __init__(self, run: Run, every_s: float) -> None:
        self.run, self.every_s, self.changes = run, every_s, 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> Player:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(30)

    def _play(self) -> None:
        for act in self._acts():
            self.changes += act
            if self._over.wait(self.every_s):
                return

    def _acts(self) -> Iterator[int]:
        """Each act, with how often it moves the run's sequence: a verdict's tags are another."""
        from leaderboard.handoff import attempts
        from leaderboard.tests.support.jobs import judged
        from leaderboard.tests.support.rows import failing_steps

        while jobs := attempts.claim(self.run.pk, 1, "bench"):
            yield 1
            for step in failing_steps()[:3]:
                attempts.step(jobs[0], step)
                yield 1
            attempts.record_result(jobs[0], judged(passed=random.random() < 0.6))
            yield 2


def make_run() -> Run:
    from bench.pages import seed_rows
    from leaderboard.models import Suite
    from leaderboard.submissions.run_actions import register, start

    suite = Suite.objects.first() or seed_rows.make_suite(TASKS)
    entry = register(name="Watched", base_url="http://127.0.0.1:9/v1", model="m")
    return start(entry, suite, concurrency=2)


@contextmanager
def counted_server(factory: str) -> Iterator[Server]:
    """`make run`'s web server, with an application that counts."""
    from pybench_site.local import serve

    def counting() -> list[serve.Service]:
        return [
            dataclasses.replace(
                s, command=[*s.command[:-1], f"bench.pages.watched_site:{factory}", "--factory"]
            )
            for s in original()
            if s.name == "web"
        ]

    original = serve.services
    serve.services = counting
    try:
        with site.serve() as server:
            yield server
    finally:
        serve.services = original


def measure(factory: str, watchers: int, for_s: float, every_s: float) -> Figures:
    from bench.pages.requests import cpu_of

    run = make_run()
    with counted_server(factory) as server:
        before_s, started_s = cpu_of(server), time.monotonic()
        with Player(run, every_s) as player:
            path = f"/runs/{run.pk}/progress/?show=&page=1"
            seen = asyncio.run(watch_together(server, path, watchers, for_s))
            changes = player.changes
        wall_s, cpu_s = time.monotonic() - started_s, cpu_of(server) - before_s
        with urllib.request.urlopen(f"{server.address}/-/renderings", timeout=30) as answer:
            renderings = int(answer.read())
    return Figures(watchers, wall_s, changes, renderings, seen, cpu_s)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.watchers", description=__doc__)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two changes")
    parser.add_argument("--also-unshared", action="store_true", help="and rendered for each alone")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="pybench-watchers-"))
    try:
        site.configure(folder)
        ways = ["make_application", *(["make_unshared"] if options.also_unshared else [])]
        for way in ways:
            figures = measure(way, options.watchers, options.seconds, options.every)
            figures.print("shared" if way == "make_application" else "each rendered alone")
        print(f"load average at the end {os.getloadavg()[0]:.1f}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
