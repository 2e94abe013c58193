"""Holds a filled site against Lighthouse 12 with its desktop preset, and prints what it says.

`python -m bench.pages.lighthouse` seeds a site in a temporary folder (some two minutes), starts its
web server as `make run` does, and asks Lighthouse in Chromium for each page of `PAGES`: the four
scores, the time that scripts block, and what is below the goal. Pages that are kept from search
engines on purpose are asked without the rule `is-crawlable`. `make test-peers` installs it. Exits
with 1 where a score is below `GOAL` or charts block for longer than `MOST_BLOCKED_MS`: run it on a
quiet machine.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.pages import site as web_site
from pybench_site.local.install import PAGE_TOOLS

PROGRAM = Path("node_modules") / "lighthouse" / "cli" / "index.js"
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = "--headless=new --no-sandbox"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GOAL = 0.95
MOST_BLOCKED_MS = 200
TIMEOUT_S = 300
TRIES = 3
ENTRIES = 100


@dataclass(frozen=True)
class LighthousePage:
    """A page to ask for; `is_hidden` from search engines on purpose."""

    name: str
    path: str  # {run} and {other} are runs
    is_hidden: bool = False


PAGES = (
    LighthousePage("board", "/"),
    LighthousePage("run", "/runs/{run}/"),
    LighthousePage("replay", "/runs/{run}/tasks/task-1/", is_hidden=True),
    LighthousePage("failures", "/failures/", is_hidden=True),
    LighthousePage("compare", "/compare/?runs={run},{other}"),
    LighthousePage("charts", "/charts/"),
)


@dataclass(frozen=True)
class Report:
    """Findings on one page."""

    scores: Mapping[str, float]
    blocked_ms: float
    faults: tuple[str, ...]  # rules that are not met, of the categories below the goal

    @property
    def lowest(self) -> float:
        return min(self.scores.values())


def ask(program: Path, address: str, *, is_hidden: bool) -> Report:
    """Ask Lighthouse for one page, again where it lost the trace of a busy machine.

    Raises CalledProcessError where it fails each time.
    """
    for _ in range(TRIES - 1):
        with contextlib.suppress(subprocess.CalledProcessError):
            return ask_once(program, address, is_hidden=is_hidden)
    return ask_once(program, address, is_hidden=is_hidden)


def ask_once(program: Path, address: str, *, is_hidden: bool) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        left_out = ["--skip-audits=is-crawlable"] if is_hidden else []
        subprocess.run(
            ["node", str(program), address, "--preset=desktop", "--quiet", "--output=json",
             f"--output-path={path}", f"--chrome-flags={FLAGS}", *left_out],
            check=True, timeout=TIMEOUT_S, env={**os.environ, "CHROME_PATH": CHROMIUM},
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return read_report(json.loads(path.read_text("utf-8")))


def read_report(told: Mapping[str, Any]) -> Report:
    scores = {name: float(told["categories"][name]["score"] or 0) for name in CATEGORIES}
    faults = [fault for name in CATEGORIES if scores[name] < GOAL for fault in unmet(told, name)]
    blocked = told["audits"]["total-blocking-time"].get("numericValue")
    return Report(scores, float(blocked or 0), tuple(faults))


def unmet(told: Mapping[str, Any], category: str) -> Iterator[str]:
    """Rules of the category that count and are not met."""
    for rule in told["categories"][category]["auditRefs"]:
        score = told["audits"][rule["id"]]["score"]
        if rule["weight"] and score is not None and score < 1:
            yield f"{category}: {rule['id']}"


def measure(address: str, run: int, other: int) -> bool:
    """Print a line for each page; True if all of them meet the goals."""
    program, is_met = PAGE_TOOLS / PROGRAM, True
    print(f"{'page':<10}" + "".join(f"{name:>16}" for name in CATEGORIES) + f"{'blocked, ms':>14}")
    for page in PAGES:
        path = page.path.format(run=run, other=other)
        report = ask(program, address + path, is_hidden=page.is_hidden)
        scores = "".join(f"{100 * score:16.0f}" for score in report.scores.values())
        print(f"{page.name:<10}{scores}{report.blocked_ms:14.0f}", flush=True)
        for fault in report.faults:
            print(f"  {fault}")
        is_blocked = page.name == "charts" and report.blocked_ms > MOST_BLOCKED_MS
        is_met = is_met and report.lowest >= GOAL and not is_blocked
    load, _, _ = os.getloadavg()
    print(f"Load of this machine at the end: {load:.1f} on {os.cpu_count()} processors.")
    return is_met


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.pages.lighthouse", description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES, help="of three runs each")
    options = parser.parse_args()
    if not (PAGE_TOOLS / PROGRAM).is_file():
        raise SystemExit("Lighthouse is not installed: `make test-peers` installs it.")
    with tempfile.TemporaryDirectory(prefix="pybench-lighthouse-") as folder:
        web_site.configure(Path(folder))
        from bench.pages.seed_rows import Scale, seed_rows

        run = seed_rows(Scale(entries=options.entries))
        with web_site.serve() as server:
            is_met = measure(server.address, run.pk, run.pk - 3)
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    main()
