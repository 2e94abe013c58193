"""Everything that must hold before a change lands: lint, types, tests, the suite's proof."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

from pybench_site.install import ROOT

BIN = ROOT / ".venv" / "bin"
STAGE_TIMEOUT_S = 1500

# By file, whose fixtures are made once. One more than most machines' cores: many tests wait.
THREE_AT_ONCE = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")

STAGES: Sequence[tuple[str, Sequence[str]]] = (
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


def main() -> None:
    took: list[tuple[str, float, bool]] = []
    for name, command in STAGES:
        print(f"── {name}", flush=True)
        started = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, timeout=STAGE_TIMEOUT_S, check=False)
        took.append((name, time.monotonic() - started, done.returncode == 0))
    print("──")
    for name, seconds, passed in took:
        print(f"{'passed' if passed else 'FAILED':7} {seconds:6.0f} s  {name}")
    sys.exit(0 if all(passed for _, _, passed in took) else 1)


if __name__ == "__main__":
    main()
