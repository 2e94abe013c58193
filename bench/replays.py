"""Cost of drawing the worst replays: CPU of a first look and of the next, at bounds.

    python -m bench.replays

Each attempt is stored in a database of its own in memory and asked for through the site's views.
Goals: 100 ms of CPU for the first look at any window, 15 ms for those after it; 80 ms for two
attempts side by side; 50 ms for a search in 1,000 steps.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from leaderboard.models import Attempt

COLD_MS, WARM_MS = 100.0, 15.0
SIDE_BY_SIDE_MS, SEARCH_MS = 80.0, 50.0
LOOKS = 7
STEPS, STEP_BYTES = 10_000, 5_000


def main() -> int:
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    os.environ["DJANGO_SETTINGS_MODULE"] = "pybench_site.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print(f"{'first':>8} {'next':>8}  ms of CPU, median of {LOOKS}")
    over = 0
    attempts = list(make_attempts())
    for name, attempt, query in attempts:
        over += show(name, measure(attempt.get_absolute_url() + query), (COLD_MS, WARM_MS))
    pair = "&".join(f"a={attempt.run_id}" for attempt in make_pair())
    task = attempts[0][1].task
    together = f"/tasks/{task.suite.name}/{task.key}/side-by-side/?{pair}"
    over += show("two of 10 steps side by side", measure(together), (SIDE_BY_SIDE_MS, WARM_MS))
    found = search(attempts[-1][1])
    over += show("search in 1,000 steps", (found, found), (SEARCH_MS, SEARCH_MS))
    return 1 if over else 0


def show(name: str, took: tuple[float, float], goals: tuple[float, float]) -> bool:
    """Print a line; True if a goal is missed."""
    is_over = took[0] > goals[0] or took[1] > goals[1]
    print(f"{took[0]:8.1f} {took[1]:8.1f}  {name}{'  over' if is_over else ''}")
    return is_over


def search(attempt: Attempt) -> float:
    """Milliseconds of a search in the first thousand steps of a long attempt, median."""
    from leaderboard.replay.step_search import search_steps

    attempt.steps.filter(index__gt=1_000).delete()
    took = []
    for _ in range(LOOKS):
        began = time.process_time()
        assert search_steps(attempt, attempt.counted_try, "print", is_pattern=False).hits
        took.append(1000 * (time.process_time() - began))
    return statistics.median(took)


def make_pair() -> list[Attempt]:
    """The first task's attempts in two runs, of ten steps each."""
    from leaderboard.models import Suite
    from leaderboard.tests.support.rows import add_step, finish_run, make_run, make_step

    pair = []
    for variant in range(2):
        run = finish_run(make_run(Suite.objects.get()), 3)
        attempt = run.attempts.select_related("task__suite").order_by("pk")[0]
        attempt.steps.all().delete()
        for index in range(1, 11):
            code = f"print({index * (1 + variant * (index > 5))})"
            add_step(attempt, make_step(index, code=code))
        pair.append(attempt)
    return pair


def measure(url: str) -> tuple[float, float]:
    from django.test import Client

    from leaderboard.views import side_by_side
    from leaderboard.views.replay import KEPT

    client = Client()

    def look() -> float:
        began = time.process_time()
        assert client.get(url).status_code == 200, url
        return 1000 * (time.process_time() - began)

    look()  # imports and templates
    cold, warm = [], []
    for _ in range(LOOKS):
        for kept in (KEPT, side_by_side.ALIGNED, side_by_side.DRAWN):
            kept.clear()
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
    page = [printed(random.Random(7).randbytes(STEP_BYTES // 2).hex())]
    long = filled(lambda n: make_step(n, outputs=page), 1)
    one = long.steps.get()
    Step.objects.bulk_create(
        Step(attempt=long, try_number=1, index=n, status=one.status, body=one.body)
        for n in range(2, STEPS + 1)
    )
    size = f"{STEPS:,} steps, {STEPS * STEP_BYTES // 1_000_000} MB"
    yield f"{size}, the first window", long, ""
    yield f"{size}, a window in the middle", long, f"?from={STEPS // 2}"


if __name__ == "__main__":
    raise SystemExit(main())
