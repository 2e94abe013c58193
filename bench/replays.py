"""Cost of drawing the worst replays: CPU of a first look and of the next, at bounds.

    python -m bench.replays

Each attempt is stored in a database of its own in memory and asked for through the site's views.
Goals: 100 ms of CPU for the first look at any window, 15 ms for those after it.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from leaderboard.models import Attempt

COLD_MS, WARM_MS = 100.0, 15.0
LOOKS = 7
STEPS = 10_000


def main() -> int:
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    os.environ["DJANGO_SETTINGS_MODULE"] = "pybench_site.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print(f"{'first':>8} {'next':>8}  ms of CPU, median of {LOOKS}")
    is_within = True
    for name, attempt, query in make_attempts():
        cold, warm = measure(attempt.get_absolute_url() + query)
        is_within = is_within and cold <= COLD_MS and warm <= WARM_MS
        over = "" if cold <= COLD_MS and warm <= WARM_MS else "  over"
        print(f"{cold:8.1f} {warm:8.1f}  {name}{over}")
    return 0 if is_within else 1


def measure(url: str) -> tuple[float, float]:
    from django.test import Client

    from leaderboard.views.replay import KEPT

    client = Client()

    def look() -> float:
        began = time.process_time()
        assert client.get(url).status_code == 200, url
        return 1000 * (time.process_time() - began)

    look()  # imports and templates
    cold, warm = [], []
    for _ in range(LOOKS):
        KEPT.clear()
        cold.append(look())
        warm.append(look())
    return statistics.median(cold), statistics.median(warm)


def make_attempts() -> Iterator[tuple[str, Attempt, str]]:
    """Attempts that are worst in one way each, with the window that is asked for."""
    from leaderboard.models import Step
    from leaderboard.tests.support.rows import (
        add_step,
        change,
        finish_run,
        make_run,
        make_step,
        make_suite,
        printed,
        show,
    )

    attempts = iter(
        finish_run(make_run(make_suite()), 3).attempts.select_related("task", "run").order_by("pk")
    )

    def filled(step: Callable[[int], Any], count: int = 20) -> Attempt:
        attempt: Attempt = next(attempts)
        attempt.steps.all().delete()
        for index in range(1, count + 1):
            add_step(attempt, step(index))
        return attempt

    yield "ordinary: 10 steps", filled(lambda n: make_step(n), 10), ""
    pipes = "|a|b|\n|-|-|\n" + "|" * 60_000
    yield "tables of pipes in thoughts", filled(lambda n: make_step(n, thought=pipes)), ""
    code = "a b + c\n" * 8_000
    yield "64,000 characters of code a step", filled(lambda n: make_step(n, code=code)), ""
    colours = [printed("\x1b[1ma" * 12_000)] * 60
    yield "60 coloured outputs a step", filled(lambda n: make_step(n, outputs=colours)), ""
    frame = [show({"text/html": "<table>" + "<tr><td>1</td></tr>" * 3_000})] * 60
    yield "60 tables a step", filled(lambda n: make_step(n, outputs=frame)), ""
    files = [change(f"output/{n}.csv", b"a,b\n" * 4_000) for n in range(40)]
    yield "40 files a step", filled(lambda n: make_step(n, changes=files)), ""
    long = filled(lambda n: make_step(n), 1)
    one = long.steps.get()
    Step.objects.bulk_create(
        Step(attempt=long, try_number=1, index=n, status=one.status, body=one.body)
        for n in range(2, STEPS + 1)
    )
    yield f"{STEPS:,} steps, the first window", long, ""
    yield f"{STEPS:,} steps, a window in the middle", long, f"?from={STEPS // 2}"


if __name__ == "__main__":
    raise SystemExit(main())
