"""Everything that must hold before a change lands.

`make test`: lint, format, types, migrations, the core tests, and the proof of the starter suite.
`make test-peers`: the tests beside other people's servers and tools. `make prove`: the proof of
the paper's suite. CI runs all three.

A proof keeps the rows of the proof that ships as long as nothing that they rest on has changed,
plays the others, and a tenth of the kept ones, drawn by the commit, again. `make prove-all`, for a
release, leaves nothing out: each proof whole, and each test beside each server.

A few tests that fail beside others are played again, one at a time: real kernels, browsers and
servers share the machine's cores, and a deadline that passed there says little. The table at the
end names each that needed it, and what fails alone too fails the stage.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pybench_site.local.install import ROOT
from pybench_site.local.sampling import commit
from runner.suite.upstream import find_recorded

BIN = ROOT / ".venv" / "bin"
STAGE_TIMEOUT_S = 3600

# By file, whose fixtures are made once. One more than most machines' cores: many tests wait.
THREE_AT_ONCE = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")

FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
ONE_AT_A_TIME = ("-n", "0", "--last-failed", "--last-failed-no-failures", "none")
AGAIN_AT_MOST = 5  # more than these are no accident

MATERIAL = str(ROOT / "var" / "proof-material")  # not the site's

PYTEST = (sys.executable, "-m", "pytest")
MANAGE = (sys.executable, "manage.py")
WHOLE = {"TEST_SAMPLE": "all"}

Stage = tuple[str, Sequence[str]]


def proof(suite: str, *options: str) -> Sequence[str]:
    return (*MANAGE, "prove_suite", suite, "--brief", *options)


def drawn_proof(suite: str) -> Sequence[str]:
    return proof(suite, "--resume", "--draw", commit())


TESTS: Sequence[Stage] = (
    ("lint", [str(BIN / "ruff"), "check", "."]),
    ("format", [str(BIN / "ruff"), "format", "--check", "."]),
    ("types", [str(BIN / "mypy")]),
    ("migrations", [*MANAGE, "makemigrations", "--check", "--dry-run"]),
    ("core tests", [*PYTEST, *THREE_AT_ONCE, "-m", "not peers"]),
    ("starter suite: what changed, and a tenth", drawn_proof("starter")),
)

PEERS: Sequence[Stage] = (
    ("tests beside other people's servers and tools", [*PYTEST, *THREE_AT_ONCE, "-m", "peers"]),
)

WHOLE_PEERS: Stage = (
    "each test beside each server, and those of which one is drawn",
    [*PYTEST, *THREE_AT_ONCE, "-m", "peers or one_of"],
)
WHOLE_STARTER: Stage = ("starter suite, whole", proof("starter", "--seeds", "2"))


def of_the_paper(stage: Stage) -> list[Stage]:
    """A proof of the paper's tasks, after their import; none where no checkout is at hand."""
    checkout = find_recorded()
    if checkout is None:
        print("No checkout of PyBench is at hand (PYBENCH_UPSTREAM): its tasks are not proved.")
        return []
    imported = [sys.executable, "-m", "runner.suite.upstream", str(checkout)]
    return [("import of the paper's tasks", imported), stage]


def stages_of(purpose: str) -> list[Stage]:
    if purpose == "test":
        return list(TESTS)
    if purpose == "test-peers":
        return list(PEERS)
    if purpose == "prove":
        title = "paper's suite: what changed, and a tenth"
        return of_the_paper((title, drawn_proof("pybench")))
    return [WHOLE_PEERS, WHOLE_STARTER, *of_the_paper(("paper's suite, whole", proof("pybench")))]


@dataclass(frozen=True)
class StageOutcome:
    stage: str
    seconds: float
    cpu_s: float
    passed: bool
    again: Sequence[str] = ()
    """The tests that failed beside others and were played again alone."""

    @property
    def line(self) -> str:
        note = f" ({len(self.again)} played again alone: {', '.join(self.again)})"
        verdict = "passed" if self.passed else "FAILED"
        times = f"{self.seconds:6.0f} s  {self.cpu_s:6.0f} s CPU"
        return f"{verdict:7} {times}  {self.stage}{note if self.again else ''}"


def run_stage(stage: Stage, environment: Mapping[str, str]) -> StageOutcome:
    """Run one stage; the failed tests of one that plays tests again alone, if they are few."""
    name, command = stage
    print(f"── {name}", flush=True)
    started, cpu_before_s = time.monotonic(), cpu_of_children()

    def passes(command: Sequence[str]) -> bool:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, timeout=STAGE_TIMEOUT_S, check=False
        )
        return done.returncode == 0

    def outcome(passed: bool, again: Sequence[str] = ()) -> StageOutcome:
        cpu_s = cpu_of_children() - cpu_before_s
        return StageOutcome(name, time.monotonic() - started, cpu_s, passed, again)

    if command[: len(PYTEST)] != list(PYTEST):
        return outcome(passes(command))
    FAILED.unlink(missing_ok=True)
    passed, again = passes(command), ()
    if not passed:
        failed = tuple(json.loads(FAILED.read_text("utf-8"))) if FAILED.is_file() else ()
        if 0 < len(failed) <= AGAIN_AT_MOST:
            print(f"── {name}: {len(failed)} again, one at a time", flush=True)
            passed, again = passes([*PYTEST, *ONE_AT_A_TIME]), failed
    return outcome(passed, again)


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_stages(stages: Sequence[Stage], environment: Mapping[str, str]) -> bool:
    """Run all of them, also after one has failed, and print a table; True if each passed."""
    outcomes = [run_stage(stage, environment) for stage in stages]
    print("──", *(one.line for one in outcomes), sep="\n")
    return all(one.passed for one in outcomes)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("purpose", choices=["test", "test-peers", "prove", "prove-all"])
    purpose = parser.parse_args(arguments).purpose
    if purpose == "test":
        print("Not in it: `make test-peers` (beside PostgreSQL, S3 and others) and `make prove`.")
    more = {"PYBENCH_MATERIAL": MATERIAL} if purpose.startswith("prove") else {}
    more |= WHOLE if purpose == "prove-all" else {}
    stages = stages_of(purpose)
    return 0 if run_stages(stages, {**os.environ, **more}) else 1


if __name__ == "__main__":
    sys.exit(main())
