"""Seconds and memory that it takes to rebuild the boards from a ledger of a million entries.

Usage: python -m bench.files.ledgers [ENTRIES]
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pybench_site.settings")

ENTRIES = 1_000_000
RUNS = 3_000  # of 300 entries, on a suite of 143 tasks
TASKS = [f"task-{number}" for number in range(143)]
SUITE = "pybench@1"


def make_acts(entries: int, draw: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kinds and facts: every so many entries a sealed run, the others rulings and prices."""
    yield "suite changed", {"suite": SUITE, "seed": 1, "past_seeds": [], "tasks": TASKS}
    every, run = max(2, entries // RUNS), 0
    for number in range(1, entries):
        if number % every:
            yield "prices changed", {"reason": "a price list", "new": [{"model": str(number)}]}
            continue
        run += 1
        skill = run % 300 / 300
        yield (
            "run sealed",
            {
                "run": run,
                "suite": SUITE,
                "seed": 1,
                "entry": f"entry-{run % 300}",
                "name": f"Model {run % 300}",
                "organisation": "",
                "provenance": "run here",
                "status": "done",
                "outcomes": " ".join("p" if draw.random() < skill else "f" for _ in TASKS),
            },
        )


def write_ledger(path: Path, entries: int) -> None:
    from runner.evidence.chain import START, canonical, digest_of, link

    before = START
    with path.open("w", encoding="ascii") as file:
        for number, (kind, facts) in enumerate(make_acts(entries, random.Random(7)), 1):
            payload = canonical({"kind": kind, "facts": facts, "salt": "00" * 16})
            entry = {
                "number": number,
                "kind": kind,
                "subject": "",
                "actor": "account 3",
                "at": "2026-11-23T18:00:00.000+00:00",
                "payload_sha256": digest_of(payload),
            }
            before = link(before, entry)
            whole = {**entry, "chain": before, "payload": payload.decode("ascii")}
            file.write(json.dumps(whole) + "\n")


def main(entries: int) -> None:
    import django

    django.setup()
    from leaderboard.evidence.rebuilt_board import list_boards, read_ledger, read_lines

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ledger.jsonl")
        write_ledger(path, entries)
        size_mb = path.stat().st_size / 1e6
        began_s = time.process_time()
        with path.open("rb") as file:
            ledger = read_ledger(read_lines(file))
        read_s = time.process_time() - began_s
        [board] = list_boards(ledger)
        whole_s = time.process_time() - began_s
    ranked = sum(row["rank"] is not None for row in board["rows"])
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{entries:,} entries, {size_mb:,.0f} MB: read and verified in {read_s:.1f} s of CPU")
    print(f"{len(board['rows']):,} rows, {ranked} ranked: {whole_s:.1f} s in all")
    print(f"most memory: {peak_mb:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES)
