"""Everything that must hold before a change lands.

`make test`: lint, format, types, migrations, the core tests, and a quick proof of the starter
suite. `make test-peers`: the tests beside other people's servers and tools. `make prove`: the whole
proofs of the suites. CI runs all three.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from pybench_site.local.install import ROOT
from runner.suite.upstream import find_recorded

BIN = ROOT / ".venv" / "bin"
STAGE_TIMEOUT_S = 2700

# By file, whose fixtures are made once. One more than most machines' cores: many tests wait.
THREE_AT_ONCE = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")

MATERIAL = str(ROOT / "var" / "proof-material")  # not the site's

Stage = tuple[str, Sequence[str]]

TESTS: Sequence[Stage] = (
    ("lint", [str(BIN / "ruff"), "check", "."]),
    ("format", [str(BIN / "ruff"), "format", "--check", "."]),
    ("types", [str(BIN / "mypy")]),
    ("migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]),
    ("core tests", [sys.executable, "-m", "pytest", *THREE_AT_ONCE, "-m", "not peers"]),
    ("quick proof of the starter suite", [sys.executable, "manage.py", "prove_suite", "starter"]),
)

PEERS: Sequence[Stage] = (
    (
        "tests beside other people's servers and tools",
        [sys.executable, "-m", "pytest", *THREE_AT_ONCE, "-m", "peers"],
    ),
)

PROOFS: Sequence[Stage] = (
    (
        "proof of the starter suite",
        [sys.executable, "manage.py", "prove_suite", "starter", "--seeds", "2"],
    ),
)


def with_upstream(checkout: Path) -> list[Stage]:
    """The paper's tasks as `checkout` has them, proved; a few minutes more."""
    return [
        (
            "import of the paper's tasks",
            [sys.executable, "-m", "runner.suite.upstream", str(checkout)],
        ),
        ("proof of the paper's suite", [sys.executable, "manage.py", "prove_suite", "pybench"]),
    ]


def stages_of(purpose: str) -> list[Stage]:
    if purpose == "test":
        return list(TESTS)
    if purpose == "test-peers":
        return list(PEERS)
    checkout = find_recorded()
    if checkout is None:
        print("No checkout of PyBench is at hand (PYBENCH_UPSTREAM): its tasks are not proved.")
        return list(PROOFS)
    return [*PROOFS, *with_upstream(checkout)]


def run_stages(stages: Sequence[Stage], environment: Mapping[str, str]) -> bool:
    """Run all of them, also after one has failed, and print a table; True if each passed."""
    took: list[tuple[str, float, bool]] = []
    for name, command in stages:
        print(f"── {name}", flush=True)
        started = time.monotonic()
        done = subprocess.run(
            command, cwd=ROOT, env=environment, timeout=STAGE_TIMEOUT_S, check=False
        )
        took.append((name, time.monotonic() - started, done.returncode == 0))
    print("──")
    for name, seconds, passed in took:
        print(f"{'passed' if passed else 'FAILED':7} {seconds:6.0f} s  {name}")
    return all(passed for _, _, passed in took)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("purpose", choices=["test", "test-peers", "prove"])
    purpose = parser.parse_args(arguments).purpose
    if purpose == "test":
        print("Not in it: `make test-peers` (beside PostgreSQL, S3 and others) and `make prove`.")
    more = {"PYBENCH_MATERIAL": MATERIAL} if purpose == "prove" else {}
    return 0 if run_stages(stages_of(purpose), {**os.environ, **more}) else 1


if __name__ == "__main__":
    sys.exit(main())
