"""Cold deep links into recorded attempts: our replay beside a real `inspect view` on the same ones.

    python -m bench.files.inspect_view [--rounds 5]

The recorded trajectories are imported into a fresh site, which is served as `make run` does, and
the attempt with the most steps, and the median one, are exported as Inspect logs. In turn each
viewer is asked for a step of each in a browser context without a cache, until the step's code
stands on the page. Inspect comes from `make test-peers`, the recordings from PYBENCH_UPSTREAM.
Goals: 0.3 s and 150 KB on a quiet machine; bytes decide how it ends, seconds are printed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Browser

from bench.pages import site
from bench.pages.browser import open_browser, open_page

if TYPE_CHECKING:
    from leaderboard.models import Attempt

INSPECT = Path(__file__).parents[2] / "var" / "peers" / "inspect-ai" / "bin" / "inspect"
MOST_S, MOST_KB = 0.3, 150.0
START_TIMEOUT_S = 120.0
LEAST_CHARS = 12  # of a line that is looked for
SHOWN = "line => (document.body?.innerText ?? '').includes(line)"


@dataclass(frozen=True)
class Link:
    """An attempt's address in one viewer, and the line of code that it leads to."""

    viewer: str
    attempt: str
    address: str
    line: str


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.files.inspect_view", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(argv)
    if not INSPECT.exists():
        raise SystemExit("Inspect is not installed: `make test-peers` does it.")
    folder = Path(tempfile.mkdtemp(prefix="pb-inspect-"))
    try:
        site.configure(folder)
        chosen = choose_attempts()
        (folder / "logs").mkdir()
        names = {which: export(attempt, folder / "logs") for which, attempt in chosen.items()}
        with site.serve() as ours, serve_inspect(folder) as theirs:
            links = [
                link
                for which, attempt in chosen.items()
                for link in links_to(attempt, which, ours.address, theirs, names[which])
            ]
            looks = look_in_turn(links, options.rounds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    is_small = True
    for link in links:
        seconds = statistics.median(s for each, (s, _) in looks if each is link)
        kilobytes = statistics.median(kb for each, (_, kb) in looks if each is link)
        print(f"{seconds:6.2f} s {kilobytes:8.0f} KB  {link.viewer}, {link.attempt}")
        is_small &= link.viewer != "ours" or kilobytes <= MOST_KB
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(
        f"goals: {MOST_S} s and {MOST_KB:.0f} KB; load of the machine {load:.1f} on {cores} cores"
    )
    return 0 if is_small else 1


def choose_attempts() -> dict[str, Attempt]:
    """The recorded attempts with the median number of steps and with the most, with code."""
    from bench.pages.recorded_replays import import_recorded
    from leaderboard.models import Attempt

    run = import_recorded()
    if run is None:
        raise SystemExit("Set PYBENCH_UPSTREAM to a checkout that holds trajectory.jsonl.")
    ordered = sorted(
        Attempt.objects.filter(run=run).select_related("task", "run__entry", "run__suite"),
        key=lambda attempt: (attempt.steps.count(), attempt.pk),
    )
    median = next(a for a in ordered[len(ordered) // 2 :] if line_of(a))
    most = next(a for a in reversed(ordered) if line_of(a))
    return {"median of steps": median, "most steps": most}


def line_of(attempt: Attempt) -> str:
    """A line of the first step's code that is long enough to be found; "" for none."""
    from leaderboard.trajectories.export import trajectory_of

    first = next(iter(trajectory_of(attempt).steps))
    lines = (line.strip() for line in (first.get("code") or "").splitlines())
    return next((ln for ln in lines if len(ln) >= LEAST_CHARS and not ln.startswith("#")), "")


def export(attempt: Attempt, folder: Path) -> str:
    """Write the attempt as an Inspect log; its name."""
    from leaderboard.trajectories.export import inspect_bytes

    name = f"2026-11-23T10-00-00+00-00_recorded_{attempt.pk}.json"
    (folder / name).write_bytes(inspect_bytes(attempt))
    return name


def links_to(attempt: Attempt, which: str, ours: str, theirs: str, log: str) -> list[Link]:
    line, path = line_of(attempt), attempt.get_absolute_url()
    sample = f"#/logs/{log}/samples/sample/{attempt.task.key}/1/messages"
    return [
        Link("ours", which, f"{ours}{path}#step-1", line),
        Link("inspect view", which, f"{theirs}{sample}", line),
    ]


@contextmanager
def serve_inspect(folder: Path) -> Iterator[str]:
    port = site.find_free_port()
    process = subprocess.Popen(
        [INSPECT, "view", "--log-dir", folder / "logs", "--host", "127.0.0.1",
         "--port", str(port)],
        env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}/"
    try:
        await_answer(address)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def await_answer(address: str) -> None:
    until_s = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < until_s:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise SystemExit(f"Inspect did not answer within {START_TIMEOUT_S:.0f} s.")


def look_in_turn(links: Sequence[Link], rounds: int) -> list[tuple[Link, tuple[float, float]]]:
    with open_browser() as browser:
        for link in links:
            look(browser, link)  # the servers' own first answers are not meant
        return [(link, look(browser, link)) for _ in range(rounds) for link in links]


def look(browser: Browser, link: Link) -> tuple[float, float]:
    """Seconds until the line stands on the page, and kilobytes of all that was loaded."""
    context = browser.new_context()
    try:
        page, _, loaded = open_page(context)
        began = time.perf_counter()
        page.goto(link.address, wait_until="commit")
        page.wait_for_function(SHOWN, arg=link.line, polling="raf")
        seconds = time.perf_counter() - began
        page.wait_for_load_state("networkidle")
        return seconds, sum(loaded) / 1000
    finally:
        context.close()


if __name__ == "__main__":
    sys.exit(main())
