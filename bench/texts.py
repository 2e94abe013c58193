"""Cost of reading untrusted text: CPU of each reader on the worst text known for it.

    python -m bench.texts [--json PATH]

A reader that stops at a bound is measured at it, and should take at most 50 ms; one that reads
whole documents, which no event loop waits for, at most 50 ms for a million characters.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import django

MOST_MS = 50.0
MILLION = 1e6


@dataclass(frozen=True)
class Cost:
    """One reader on its most expensive text. `ms` is for its bound, or a million characters."""

    reader: str
    text: str
    chars: int
    ms: float
    is_whole: bool

    @property
    def is_within(self) -> bool:
        return self.ms <= MOST_MS


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.texts", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the figures there too")
    options = parser.parse_args(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pybench_site.settings")
    django.setup()
    costs = measure()
    for cost in costs:
        unit = "ms per million" if cost.is_whole else f"ms for {cost.chars:,}"
        over = "" if cost.is_within else "  over"
        print(f"{cost.ms:8.1f} {unit:20} {cost.reader}: {cost.text}{over}")
    print(f"{sum(cost.is_within for cost in costs)} of {len(costs)} readers within {MOST_MS:g} ms")
    if options.json:
        options.json.write_text(json.dumps([asdict(cost) for cost in costs], indent=1))
    return 0 if all(cost.is_within for cost in costs) else 1


def measure() -> list[Cost]:
    """The most expensive text of each reader, the most expensive reader first."""
    from leaderboard.tests.rendering.test_worst_texts import READERS as SHOWN
    from leaderboard.tests.security.test_worst_texts import READERS as OF_SITE
    from runner.tests.reading.test_worst_texts import READERS as OF_RUNNER
    from runner.tests.support.worst_texts import Reader, cpu_s

    def cost(reader: Reader, name: str) -> Cost:
        text = reader.texts[name](reader.reads_chars)
        scale = MILLION / reader.reads_chars if reader.is_whole else 1.0
        ms = 1e3 * scale * cpu_s(reader.read, text)
        return Cost(reader.name, name, reader.reads_chars, round(ms, 2), reader.is_whole)

    dearest = (
        max((cost(reader, name) for name in reader.texts), key=lambda cost: cost.ms)
        for reader in (*OF_RUNNER, *OF_SITE, *SHOWN)
    )
    return sorted(dearest, key=lambda cost: -cost.ms)


if __name__ == "__main__":
    raise SystemExit(main())
