"""Cost of reading files of trajectories: CPU per megabyte of each format, and of the recorded ones.

    python -m bench.files.trajectories [--megabytes 4] [--recorded PATH]

Each format's small file of the tests is repeated to the size, as attempts, samples or steps, with
code of 600 characters and output of 900, about as recorded attempts have them. A reader should
take at most 50 ms for each megabyte, and the same for four times as many.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import django

MOST_MS = 50.0
ROUNDS = 3
MEGABYTE = 1_000_000


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.files.trajectories", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=4)
    parser.add_argument("--recorded", type=Path, metavar="PATH", help="PyBench's trajectory.jsonl")
    options = parser.parse_args(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pybench_site.settings")
    django.setup()
    slow = 0
    for name, make in files().items():
        small, large = (cpu_ms_per_mb(make(share)) for share in (1, options.megabytes))
        slow += max(small, large) > MOST_MS
        print(f"{small:6.1f} ms/MB at 1 MB {large:6.1f} at {options.megabytes}  {name}")
    if options.recorded:
        print_recorded(options.recorded)
    return 1 if slow else 0


def cpu_ms_per_mb(data: bytes) -> float:
    """The least CPU time of several readings."""
    from leaderboard.trajectories.readers.any_format import read_any

    times = []
    for _ in range(ROUNDS):
        gc.collect()
        began = time.process_time()
        reading = read_any(data)
        times.append(time.process_time() - began)
        assert reading.rows, reading.errors[:1]
    return min(times) * 1000 / (len(data) / MEGABYTE)


Maker = Callable[[int], bytes]
CODE = "frame = pd.read_csv('./data/sales.csv')\nprint(frame.describe())\n" * 10
SHOWN = "north  1,234.50  17.25\nsouth    987.00  11.50\n" * 20


def files() -> dict[str, Maker]:
    """A maker of a file of so many megabytes, by its format."""
    from leaderboard.tests.support import foreign_files as made

    def repeated(key: str, value: dict[str, Any]) -> Maker:
        wide = widened(value)
        return lambda size: made.dumped({**wide, key: wide[key] * times(wide[key], size)})

    def lines(value: dict[str, Any], key: str) -> Maker:
        wide = widened(value)
        return lambda size: made.lines_of(
            *({**wide, key: str(number)} for number in range(times(wide, size)))
        )

    def archive(size: int) -> bytes:
        sample = made.dumped(widened(made.inspect_sample()))
        head = {"header.json": made.dumped(made.inspect_log(0)), "_journal/start.json": b"{}"}
        count = times_of(sample, size)
        samples = {f"samples/s{number}_epoch_1.json": sample for number in range(count)}
        return made.zipped(head | samples, zipfile.ZIP_STORED)

    def sessions(size: int) -> bytes:
        parts = [widened(json.loads(line)) for line in made.session_trace().splitlines()]
        return made.lines_of(*parts) * times(parts, size)

    row = {"user": "Sum it.", "messages": made.chat_messages()}
    return {
        "PyBench jsonl": lines(row, "index"),
        "chat, one conversation": repeated("messages", {"messages": made.chat_messages()}),
        "ATIF": repeated("steps", made.atif()),
        "Inspect log": repeated("samples", made.inspect_log()),
        "Inspect archive": archive,
        "SWE-agent": repeated("trajectory", made.document("swe_agent")),
        "OpenHands": lines(made.openhands_row(), "instance_id"),
        "notebook": repeated("cells", made.notebook()),
        "session traces": sessions,
    }


def widened(value: Any) -> Any:
    """The value with code and output as long as those of recorded attempts."""
    if isinstance(value, dict):
        return {key: widened(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [widened(inner) for inner in value]
    if not isinstance(value, str):
        return value
    code = json.dumps(CODE)[1:-1] if value.startswith("{") else CODE
    return value.replace("print(6 * 7)", code).replace("42\n", SHOWN)


def times(part: Any, megabytes: int) -> int:
    """Repetitions of a part that make so many megabytes."""
    return times_of(json.dumps(part).encode(), megabytes)


def times_of(part: bytes, megabytes: int) -> int:
    return max(1, megabytes * MEGABYTE // len(part))


def print_recorded(path: Path) -> None:
    """CPU time of reading the recorded trajectories."""
    from leaderboard.trajectories.readers.any_format import read_any

    data = path.read_bytes()
    began = time.process_time()
    rows = read_any(data).rows
    taken = time.process_time() - began
    print(f"{taken:6.2f} s for {len(rows)} recorded trajectories ({len(data) / 1e6:.1f} MB)")


if __name__ == "__main__":
    raise SystemExit(main())
