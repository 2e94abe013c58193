"""Proof of a suite: references pass, wrong solutions and floor agents fail, in the real sandbox."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from runner.contract import ProblemError
from runner.papertests import find_tests
from runner.prover import Proof, prove
from runner.sandbox.base import SandboxUnavailable
from runner.suites import Suite, SuiteTask, load_suite
from runner.upstream import recorded_answers


def seeds_for(suite: Suite, count: int) -> list[int]:
    """The suite's own seed, then others drawn from it."""
    rng = random.Random(suite.seed)
    return [suite.seed, *(rng.randrange(1, 2**31) for _ in range(count - 1))]


def table_line(proof: Proof) -> str:
    """One line of the proof table."""
    cells = [f"{proof.task:<28} {proof.category:<9} {proof.strength:<9} {proof.seed:>10} "]
    for kind, good in (("reference", "✓"), ("wrong", "✕"), ("floor", "✕")):
        marks = [
            "void" if p.passed is None else "✓" if p.passed else "✕"
            for p in proof.played
            if p.kind == kind
        ]
        cells.append(f"{kind} {' '.join(marks) or '–'}".ljust(19 if good == "✓" else 22))
    marks = [word for word in ("degenerate", "stand_in") if getattr(proof, word)]
    tail = f"  ({', '.join(marks).replace('_', '-')})" if marks else ""
    verdict = "holds" if proof.holds else "VIOLATED"
    return f"{''.join(cells)} {proof.seconds:6.1f} s  {verdict}{tail}"


def findings(proof: Proof, every: bool = False) -> list[str]:
    """What speaks against the proof, a line each; with `every`, all other verdicts after it.

    What ended several checks in the same way is told once.
    """
    bad = [one for one in proof.played if one.is_violation]
    good = [one for one in proof.played if not one.is_violation] if every else []
    lines = [f"    {fault}" for fault in proof.faults]
    told: dict[str, str] = {}
    for one in (*bad, *good):
        first = told.setdefault(one.sentence, one.name) if one.passed is None else one.name
        sentence = one.sentence if first == one.name else f"The same as of {first}."
        lines.append(f"    {one.kind} {one.name}: {sentence}")
    return lines


def published_lines(proofs: Sequence[Proof]) -> list[str]:
    """Of each kind of solution, how many pass upstream's own tests, where these were asked."""
    known = [p for proof in proofs for p in proof.played if p.passes_published is not None]
    names = dict.fromkeys(p.name if p.kind == "floor" else p.kind for p in known)
    said = []
    for name in names:
        of_name = [p for p in known if name == (p.name if p.kind == "floor" else p.kind)]
        passing = sum(p.passes_published is True for p in of_name)
        said.append(f"pass the published tests: {name}: {passing} of {len(of_name)}")
    return said


def write_json(path: Path, suite: Suite, proofs: Sequence[Proof], seconds: float) -> None:
    facts = {
        "suite": suite.name,
        "version": suite.version,
        "digest": suite.digest,
        "seconds": round(seconds, 2),
        "holds": all(proof.holds for proof in proofs),
        "proofs": [{**asdict(proof), "holds": proof.holds} for proof in proofs],
        "unproved": {t.spec.key: t.unavailable for t in unproved(suite)},
    }
    path.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", "utf-8")


def provable(suite: Suite) -> list[SuiteTask]:
    """The tasks in the order of their files: those that can be played, or have stand-in inputs."""
    stand_ins = [task for task in suite.unavailable if task.has_stand_in]
    return sorted([*suite.tasks, *stand_ins], key=lambda task: task.position)


def unproved(suite: Suite) -> list[SuiteTask]:
    return [task for task in suite.unavailable if not task.has_stand_in]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", help="name of a suite, or the path of its folder")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds (default 1)")
    parser.add_argument("--tasks", default="", help="only these tasks, separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tasks at once")
    parser.add_argument("--json", type=Path, help="write every figure to this file")
    parser.add_argument("--sentences", action="store_true", help="show every verdict")


def run_command(options: argparse.Namespace) -> int:
    """Prove and print: 0 when every proof holds, 1 when one does not, 2 for bad input."""
    from runner.sandbox.factory import open_sandbox

    try:
        suite = load_suite(options.suite)
        keys = [key for key in options.tasks.split(",") if key]
        tasks = [suite.task(key) for key in keys] or provable(suite)
        published = find_tests()
        sandbox = open_sandbox()
    except (ProblemError, SandboxUnavailable) as error:
        print(error, file=sys.stderr)
        return 2
    started = time.monotonic()
    seeds = seeds_for(suite, max(1, options.seeds))

    def show(proof: Proof) -> None:
        print(table_line(proof), *findings(proof, options.sentences), sep="\n", flush=True)

    async def prove_all() -> list[Proof]:
        try:
            jobs, recorded = max(1, options.jobs), recorded_answers()
            return await prove(suite, sandbox, seeds, tasks, jobs, show, recorded, published)
        finally:
            await sandbox.close()

    proofs = asyncio.run(prove_all())
    seconds = time.monotonic() - started
    if options.json:
        write_json(options.json, suite, proofs, seconds)
    if not keys:
        print(*(f"not proved: {t.spec.key}: {t.unavailable}" for t in unproved(suite)), sep="\n")
    for line in published_lines(proofs):
        print(line)
    violated = sum(not proof.holds for proof in proofs)
    print(f"{len(proofs) - violated} of {len(proofs)} proofs hold, {seconds:.0f} s.")
    return 1 if violated else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m runner.proving", description=__doc__)
    add_arguments(parser)
    with contextlib.suppress(KeyboardInterrupt):
        return run_command(parser.parse_args(arguments))
    return 130


if __name__ == "__main__":
    sys.exit(main())
