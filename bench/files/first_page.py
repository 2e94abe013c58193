"""Time from `python -m runner view` to its first page, beside that of an empty Python.

    python -m bench.files.first_page PLACE [--rounds 5]

PLACE is a results folder or a file of trajectories. The first call is timed apart. The goal is
2 s on a quiet machine.
"""

from __future__ import annotations

import argparse
import re
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

MOST_S = 2.0
WAIT_S = 120.0


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.files.first_page", description=__doc__)
    parser.add_argument("place", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(argv)
    print(f"{first_page_s(options.place):6.2f} s  the very first page")
    pages, floors = [], []
    for _ in range(options.rounds):
        pages.append(first_page_s(options.place))
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import django"], check=True, timeout=WAIT_S)
        floors.append(time.perf_counter() - began)
    page, floor = statistics.median(pages), statistics.median(floors)
    print(f"{page:6.2f} s  to a first page, median of {options.rounds} (goal {MOST_S:.0f})")
    print(f"{floor:6.2f} s  a Python that imports Django: {page / floor:.0f} times as long")
    return 0 if page <= MOST_S else 1


def first_page_s(place: Path) -> float:
    """Seconds from the command to the last byte of the page that it leads to."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "runner", "view", str(place), "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address, "the command printed no address"
        with urllib.request.urlopen(address[0], timeout=WAIT_S) as answer:
            assert answer.read()
        return time.perf_counter() - began
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(WAIT_S)


if __name__ == "__main__":
    sys.exit(main())
