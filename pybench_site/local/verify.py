"""Everything that must hold before a change lands.

`make test`: lint, format, types, migrations, the core tests, and the proof of the starter suite.
`make test-peers`: the tests beside other people's servers and tools. `make prove`: the proof of
the paper's suite. CI runs all three.

A proof keeps the rows of the proof that ships as long as nothing that they rest on has changed,
plays the others, and a tenth of the kept ones, drawn by the commit, again. `make prove-all`, for a
release, leaves nothing out: each proof whole, and each test beside each server.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from pybench_site.local.install import ROOT
from pybench_site.local.sampling import commit
from runner.suite.upstream import find_recorded

BIN = ROOT / ".venv" / "bin"
STAGE_TIMEOUT_S = 3600

# By file, whose fixtures are made once. One more than most machines' cores: many tests wait.
THREE_AT_ONCE = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")

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


def run_stage(stage: Stage, environment: Mapping[str, str]) -> tuple[bool, str]:
    """Run one stage; True if it passed, and its line of the table."""
    name, command = stage
    print(f"── {name}", flush=True)
    started, cpu_before_s = time.monotonic(), cpu_of_children()
    done = subprocess.run(command, cwd=ROOT, env=environment, timeout=STAGE_TIMEOUT_S, check=False)
    passed, seconds = done.returncode == 0, time.monotonic() - started
    times = f"{seconds:6.0f} s  {cpu_of_children() - cpu_before_s:6.0f} s CPU"
    return passed, f"{'passed' if passed else 'FAILED':7} {times}  {name}"


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_stages(stages: Sequence[Stage], environment: Mapping[str, str]) -> bool:
    """Run all of them, also after one has failed, and print a table; True if each passed."""
    outcomes = [run_stage(stage, environment) for stage in stages]
    print("──", *(line for _, line in outcomes), sep="\n")
    return all(passed for passed, _ in outcomes)


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
