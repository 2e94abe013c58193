"""Everything that must hold before a change lands: lint, types, tests, the suite's proof."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pybench_site.install import ROOT
from runner.upstream import find_recorded

BIN = ROOT / ".venv" / "bin"
STAGE_TIMEOUT_S = 1500

# By file, whose fixtures are made once. One more than most machines' cores: many tests wait.
THREE_AT_ONCE = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")

MATERIAL = str(ROOT / "var" / "proof-material")  # not the site's

Stage = tuple[str, Sequence[str]]

STAGES: Sequence[Stage] = (
    ("lint", [str(BIN / "ruff"), "check", "."]),
    ("format", [str(BIN / "ruff"), "format", "--check", "."]),
    ("types", [str(BIN / "mypy")]),
    ("migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]),
    ("tests", [sys.executable, "-m", "pytest", *THREE_AT_ONCE]),
    (
        "proof of the starter suite",
        [sys.executable, "manage.py", "prove_suite", "starter", "--seeds", "2"],
    ),
)


def with_upstream(checkout: Path) -> list[Stage]:
    """The paper's tasks as `checkout` has them, proved; a few minutes more."""
    return [
        ("import of the paper's tasks", [sys.executable, "-m", "runner.upstream", str(checkout)]),
        ("proof of the paper's suite", [sys.executable, "manage.py", "prove_suite", "pybench"]),
    ]


def main() -> None:
    took: list[tuple[str, float, bool]] = []
    checkout = find_recorded()
    if checkout is None:
        print("No checkout of PyBench is at hand (PYBENCH_UPSTREAM): its tasks are not proved.")
    stages: list[tuple[str, Sequence[str], dict[str, str]]] = [(*stage, {}) for stage in STAGES]
    if checkout:
        stages += [(*stage, {"PYBENCH_MATERIAL": MATERIAL}) for stage in with_upstream(checkout)]
    for name, command, more in stages:
        print(f"── {name}", flush=True)
        started = time.monotonic()
        environment = {**os.environ, **more}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, timeout=STAGE_TIMEOUT_S, check=False
        )
        took.append((name, time.monotonic() - started, done.returncode == 0))
    print("──")
    for name, seconds, passed in took:
        print(f"{'passed' if passed else 'FAILED':7} {seconds:6.0f} s  {name}")
    sys.exit(0 if all(passed for _, _, passed in took) else 1)


if __name__ == "__main__":
    main()
