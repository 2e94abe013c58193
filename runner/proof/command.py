"""Proof of a suite: references pass, wrong solutions and floor agents fail, in the real sandbox."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from runner.contract import ProblemError, SandboxUnavailable
from runner.proof.grounds import grounds_of, read_library
from runner.proof.prover import PlayedSolution, Proof, prove
from runner.suite.proof_file import SHIPPED
from runner.suite.reader import Suite, SuiteTask, load_suite
from runner.suite.upstream import recorded_answers
from runner.task_code.published_tests import find_tests

ALWAYS = ("reference", "wrong", "floor")
COLUMNS = {  # kinds of solution, and the width of their marks
    "reference": 13,
    "style": 19,
    "wrong": 17,
    "near miss": 18,
    "floor": 22,
}
MUTATION_GOAL = 0.9
WRITTEN_AFTER = 10  # proofs, at most: what an interrupted proof can lose
DRAWN_SHARE = 0.1  # of the kept proofs that --draw plays again
IN_SHORT = {"answer": "", "seconds": 0.0}  # what a row that ships has not


def seeds_for(suite: Suite, count: int) -> list[int]:
    """The suite's own seed, then others drawn from it."""
    rng = random.Random(suite.seed)
    return [suite.seed, *(rng.randrange(1, 2**31) for _ in range(count - 1))]


def table_line(proof: Proof) -> str:
    """One line of the proof table: a mark for each solution, and how many mutants are refused."""
    cells = [f"{proof.task:<28} {proof.category:<9} {proof.strength:<9} {proof.seed:>10} "]
    for kind, width in COLUMNS.items():
        marks = [
            "void" if p.passed is None else "✓" if p.passed else "✕"
            for p in proof.played
            if p.kind == kind
        ]
        if marks or kind in ALWAYS:
            cells.append(f"{kind} {' '.join(marks) or '–'}".ljust(width))
    if proof.mutants:
        cells.append(f"mutants {refused(proof)}/{len(proof.mutants)}".ljust(14))
    marks = [word for word in ("degenerate", "stand_in") if getattr(proof, word)]
    tail = f"  ({', '.join(marks).replace('_', '-')})" if marks else ""
    verdict = "holds" if proof.holds else "VIOLATED"
    return f"{''.join(cells)} {proof.seconds:6.1f} s  {verdict}{tail}"


def refused(proof: Proof) -> int:
    return sum(one.passed is False for one in proof.mutants)


def mutation_line(proofs: Sequence[Proof]) -> str:
    """The share of all mutants that is refused, and the tasks that refuse the fewest of theirs."""
    total = sum(len(proof.mutants) for proof in proofs)
    if not total:
        return "No variant of a reference's result is a mutant here."
    caught = sum(refused(proof) for proof in proofs)
    return (
        f"{caught} of {total} mutants are refused, {caught / total:.1%} "
        f"(goal {MUTATION_GOAL:.0%} over a suite)."
    )


def findings(proof: Proof, every: bool = False) -> list[str]:
    """Findings against the proof, a line each; with `every`, all other verdicts after them.

    A fault that ended several checks in the same way is listed once.
    """
    bad = [one for one in proof.played if one.is_violation]
    bad += [one for one in proof.mutants if one.passed and not one.is_violation]
    good = [one for one in proof.played if one not in bad] if every else []
    lines = [f"    {fault}" for fault in proof.faults]
    told: dict[str, str] = {}
    for one in (*bad, *good):
        first = told.setdefault(one.sentence, one.name) if one.passed is None else one.name
        sentence = one.sentence if first == one.name else f"The same as of {first}."
        lines.append(f"    {one.kind} {one.name}: {sentence}")
    return lines


def published_lines(proofs: Sequence[Proof]) -> list[str]:
    """Number of solutions of each kind that pass upstream's own tests, where these were run."""
    known = [p for proof in proofs for p in proof.played if p.passes_published is not None]
    names = dict.fromkeys(p.name if p.kind == "floor" else p.kind for p in known)
    said = []
    for name in names:
        of_name = [p for p in known if name == (p.name if p.kind == "floor" else p.kind)]
        passing = sum(p.passes_published is True for p in of_name)
        said.append(f"pass the published tests: {name}: {passing} of {len(of_name)}")
    return said


def write_json(
    path: Path, suite: Suite, proofs: Sequence[Proof], seconds: float, seeds: int
) -> None:
    facts = {
        "suite": suite.name,
        "version": suite.version,
        "digest": suite.digest,
        "seconds": round(seconds, 2),
        "made_on": datetime.now(UTC).date().isoformat(),
        "seeds": seeds,
        "holds": all(proof.holds for proof in proofs),
        "proofs": [{**asdict(proof), "holds": proof.holds} for proof in proofs],
        "unproved": {t.spec.key: t.unavailable for t in unproved(suite)},
    }
    beside = path.with_name(f"{path.name}.part")  # an interrupted one leaves the last whole one
    beside.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", "utf-8")
    beside.replace(path)


def read_made(
    path: Path, grounds: Mapping[str, str], seeds: Sequence[int]
) -> tuple[dict[tuple[str, int], Proof], float]:
    """The proofs in a file of `write_json`, or that ships, by task and seed, and their seconds.

    A row that stands in short for several seeds does so for the first of them. Left out are those
    that do not hold, and that rest on anything else than `grounds` says of their task.
    """
    try:
        facts = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}, 0.0
    made: dict[tuple[str, int], Proof] = {}
    for row in facts["proofs"]:
        proof = as_proof({"seed": seeds[0], **row})
        if row["holds"] and proof.rests_on and proof.rests_on == grounds.get(proof.task):
            stands_for = [proof.seed] if proof.seeds == 1 else seeds[: proof.seeds]
            made |= {(proof.task, seed): proof for seed in stands_for}
    return made, float(facts["seconds"])


def is_drawn(task: str, seed: int, word: str) -> bool:
    """True for the share of all proofs that `word` draws to be played again."""
    digest = hashlib.sha256(f"{word}\0{task}\0{seed}".encode()).digest()
    return digest[0] < 256 * DRAWN_SHARE


def as_proof(facts: dict[str, Any]) -> Proof:
    """The proof in a row of `write_json`; one that ships has no answers, which are long."""
    facts = {name: value for name, value in facts.items() if name != "holds"}
    played = tuple(PlayedSolution(**{**IN_SHORT, **one}) for one in facts.pop("played"))
    read = {"left_out": facts.get("left_out") or {}, "faults": tuple(facts["faults"])}
    return Proof(**{**facts, **read}, played=played)


def unique(proofs: Iterable[Proof]) -> list[Proof]:
    """Each once, also where it stands for several seeds."""
    return list({(proof.task, proof.seed): proof for proof in proofs}.values())


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
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep what the file of --json holds, or without --json the proof that ships with the "
        "suite, task by task, as long as nothing changed that it rests on; further seeds are added",
    )
    parser.add_argument(
        "--draw",
        default="",
        metavar="WORD",
        help="with --resume: play a tenth of what would be kept again, drawn by this word",
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--sentences", action="store_true", help="show every verdict")
    shown.add_argument("--brief", action="store_true", help="show only proofs that do not hold")


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

    recorded = recorded_answers()
    library = read_library()
    grounds = {
        task.spec.key: grounds_of(suite, task, published, recorded, library) for task in tasks
    }
    made: dict[tuple[str, int], Proof] = {}
    earlier_s = 0.0
    if options.resume:
        made, earlier_s = read_made(options.json or suite.folder / SHIPPED, grounds, seeds)
        if options.draw:
            made = {row: proof for row, proof in made.items() if not is_drawn(*row, options.draw)}
    kept = unique(proof for (_, seed), proof in made.items() if seed in seeds)
    if kept:
        many = sum(proof.seeds for proof in kept)
        print(f"{many} proofs are kept: nothing they rest on has changed.", flush=True)
    count = len(kept)

    def show(proof: Proof) -> None:
        if not (options.brief and proof.holds):
            print(table_line(proof), *findings(proof, options.sentences), sep="\n", flush=True)
        kept.append(proof)
        if options.json and (len(kept) - count) % min(WRITTEN_AFTER, len(tasks)) == 0:
            write_json(
                options.json, suite, kept, earlier_s + time.monotonic() - started, len(seeds)
            )

    async def prove_all() -> list[Proof]:
        try:
            jobs = max(1, options.jobs)
            return await prove(
                suite, sandbox, seeds, tasks, jobs, show, recorded, published, made, grounds
            )
        finally:
            await sandbox.close()

    proofs = unique(asyncio.run(prove_all()))
    seconds = earlier_s + time.monotonic() - started
    if options.json:
        write_json(options.json, suite, proofs, seconds, len(seeds))
    if not keys:
        print(*(f"not proved: {t.spec.key}: {t.unavailable}" for t in unproved(suite)), sep="\n")
    for line in published_lines(proofs):
        print(line)
    violated = sum(not proof.holds for proof in proofs)
    total = sum(proof.seeds for proof in proofs)
    print(mutation_line(proofs))
    print(f"{total - violated} of {total} proofs hold, {seconds:.0f} s.")
    return 1 if violated else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m runner.proof.command", description=__doc__)
    add_arguments(parser)
    with contextlib.suppress(KeyboardInterrupt):
        return run_command(parser.parse_args(arguments))
    return 130


if __name__ == "__main__":
    sys.exit(main())
