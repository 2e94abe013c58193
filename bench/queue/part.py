"""The part of `bench.runner` that plays attempts through the queue, on SQLite and PostgreSQL."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from bench.engine.pipeline import serving
from bench.measuring.postgres import Server, postgres
from bench.measuring.spread import spread
from bench.queue.attempts import TASKS, Figures, Order, medians, run_child

REPLIES = "3"
PER_TASK = 16
KINDS = ("no rows", "SQLite", "PostgreSQL")
PLACES = 8
GOALS = {"worker_ms": 45, "database_ms": 15, "commits": 12}


def bench_queue(options: argparse.Namespace) -> dict[str, list[Figures]]:
    """Whole and streamed replies, without rows and with them on both databases, in turn."""
    told: dict[str, list[Figures]] = {}
    with postgres() as server:
        for number in range(options.rounds):
            for is_streamed in (False, True):
                for kind in KINDS:
                    figures = measure(kind, is_streamed, server, f"bench{number}{is_streamed:d}")
                    name = f"{kind}, {'streamed' if is_streamed else 'whole'} replies"
                    told.setdefault(name, []).append(figures)
                    print(f"queue, round {number + 1}: {name}: {figures}", file=sys.stderr)
    print_queue(told)
    return told


def measure(kind: str, is_streamed: bool, server: Server, database: str) -> Figures:
    how = ("streamed",) if is_streamed else ()
    folder = Path(tempfile.mkdtemp(prefix="pb-"))
    try:
        with serving("bench.engine.slow_server", "0", REPLIES, "lines", *how) as base_url:
            has_server = kind == "PostgreSQL"
            url = server.create(database) if has_server else f"sqlite:///{folder}/site.sqlite3"
            postmaster = server.postmaster if has_server else 0
            has_rows = kind != "no rows"
            order = Order(base_url, PER_TASK, PLACES, is_streamed, has_rows, postmaster)
            return run_child(order, folder, url)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def print_queue(told: dict[str, list[Figures]]) -> None:
    attempts = TASKS * PER_TASK
    print(f"queue: per attempt of {REPLIES} replies and two cells; {attempts} attempts a round")
    heads = ("worker CPU ms", "database CPU ms", "commits")
    print(f"{'':28} " + " ".join(f"{head:>24}" for head in heads))
    for name, each in told.items():
        columns = medians(each).values()
        words = (spread(values) if values else "" for values in columns)
        print(f"{name:28} " + " ".join(f"{word:>24}" for word in words))
    print(f"{'goal, with rows':28} " + " ".join(f"{goal:>24}" for goal in GOALS.values()))
