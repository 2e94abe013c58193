"""Everything that must hold before a change lands.

`make test`: lint, format, types, migrations, a quick proof of the starter suite, the core tests.
`make test-peers`: the tests beside other people's servers and tools. `make prove`: the whole
proofs of the suites. CI runs all three.

A few tests that fail beside others are played again, one at a time: real kernels, browsers and
servers share the machine's cores, and a deadline that passed there says little. The table at the
end names each that needed it, and what fails alone too fails the stage.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pybench_site.local.install import ROOT
from runner.suite.upstream import find_recorded

BIN = ROOT / ".venv" / "bin"
STAGE_TIMEOUT_S = 3600

# By file, whose fixtures are made once. One more than most machines' cores: many tests wait.
THREE_AT_ONCE = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")

FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
ONE_AT_A_TIME = ("-n", "0", "--last-failed", "--last-failed-no-failures", "none")
AGAIN_AT_MOST = 5  # more than these are no accident

MATERIAL = str(ROOT / "var" / "proof-material")  # not the site's
QUICK_PROOF = str(ROOT / "var" / "quick-proof.json")  # `make prove` makes only what it lacks

PYTEST = (sys.executable, "-m", "pytest")

Stage = tuple[str, Sequence[str]]

TESTS: Sequence[Stage] = (
    ("lint", [str(BIN / "ruff"), "check", "."]),
    ("format", [str(BIN / "ruff"), "format", "--check", "."]),
    ("types", [str(BIN / "mypy")]),
    ("migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]),
    (
        "quick proof of the starter suite",
        [sys.executable, "manage.py", "prove_suite", "starter", "--brief", "--json", QUICK_PROOF],
    ),
    ("core tests", [*PYTEST, *THREE_AT_ONCE, "-m", "not peers"]),
)

PEERS: Sequence[Stage] = (
    (
        "tests beside other people's servers and tools",
        [*PYTEST, *THREE_AT_ONCE, "-m", "peers"],
    ),
)

PROOFS: Sequence[Stage] = (
    (
        "proof of the starter suite",
        [
            *(sys.executable, "manage.py", "prove_suite", "starter", "--seeds", "2", "--brief"),
            *("--resume", "--json", QUICK_PROOF),
        ],
    ),
)


def with_upstream(checkout: Path) -> list[Stage]:
    """The paper's tasks as `checkout` has them, proved; a few minutes more."""
    return [
        (
            "import of the paper's tasks",
            [sys.executable, "-m", "runner.suite.upstream", str(checkout)],
        ),
        (
            "proof of the paper's suite",
            [sys.executable, "manage.py", "prove_suite", "pybench", "--brief"],
        ),
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


@dataclass(frozen=True)
class StageOutcome:
    stage: str
    seconds: float
    passed: bool
    again: Sequence[str] = ()
    """The tests that failed beside others and were played again alone."""

    @property
    def line(self) -> str:
        note = f" ({len(self.again)} played again alone: {', '.join(self.again)})"
        verdict = "passed" if self.passed else "FAILED"
        return f"{verdict:7} {self.seconds:6.0f} s  {self.stage}{note if self.again else ''}"


def run_stage(stage: Stage, environment: Mapping[str, str]) -> StageOutcome:
    """Run one stage; the failed tests of one that plays tests again alone, if they are few."""
    name, command = stage
    print(f"── {name}", flush=True)
    started = time.monotonic()

    def passes(command: Sequence[str]) -> bool:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, timeout=STAGE_TIMEOUT_S, check=False
        )
        return done.returncode == 0

    if command[: len(PYTEST)] != list(PYTEST):
        return StageOutcome(name, passed=passes(command), seconds=time.monotonic() - started)
    FAILED.unlink(missing_ok=True)
    passed, again = passes(command), ()
    if not passed:
        failed = tuple(json.loads(FAILED.read_text("utf-8"))) if FAILED.is_file() else ()
        if 0 < len(failed) <= AGAIN_AT_MOST:
            print(f"── {name}: {len(failed)} again, one at a time", flush=True)
            passed, again = passes([*PYTEST, *ONE_AT_A_TIME]), failed
    return StageOutcome(name, time.monotonic() - started, passed, again)


def run_stages(stages: Sequence[Stage], environment: Mapping[str, str]) -> bool:
    """Run all of them, also after one has failed, and print a table; True if each passed."""
    outcomes = [run_stage(stage, environment) for stage in stages]
    print("──", *(one.line for one in outcomes), sep="\n")
    return all(one.passed for one in outcomes)


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
