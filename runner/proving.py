"""Proof of a suite: references pass, wrong solutions and floor agents fail, in the real sandbox."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from runner import floors
from runner.checking import CheckCrashed, check
from runner.contract import CellResult, OutputKind, ProblemError
from runner.instances import Instance, instantiate
from runner.sandbox.base import KernelLost, Sandbox, SandboxUnavailable
from runner.solutions import filled_answer, filled_cells, unfilled_names, visible_parameters
from runner.suites import Solution, Suite, SuiteTask, load_suite


@dataclass(frozen=True)
class Played:
    """One solution played against one instance."""

    name: str
    kind: str  # reference | wrong | floor
    passed: bool | None  # None: void, which proves nothing
    sentence: str
    answer: str
    seconds: float

    @property
    def is_violation(self) -> bool:
        return self.passed is not (self.kind == "reference")


@dataclass(frozen=True)
class Proof:
    """What was found for one task and one seed."""

    task: str
    category: str
    strength: str
    seed: int
    played: tuple[Played, ...] = ()
    faults: tuple[str, ...] = ()  # of the task itself: inputs not repeatable, placeholder unknown
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        return (
            not self.faults and bool(self.played) and not any(p.is_violation for p in self.played)
        )


@dataclass
class Prover:
    """Where proofs are made: the sandbox, a scratch folder, and how many may run at once."""

    suite: Suite
    sandbox: Sandbox
    scratch: Path
    slots: asyncio.Semaphore
    report: Callable[[Proof], None] = field(default=lambda proof: None)

    async def prove(self, task: SuiteTask, seed: int) -> Proof:
        """Play everything there is for `task` with `seed`."""
        async with self.slots:
            started = time.monotonic()
            proof = await self.prove_now(task, seed)
            proof = replace(proof, seconds=time.monotonic() - started)
        self.report(proof)
        return proof

    async def prove_now(self, task: SuiteTask, seed: int) -> Proof:
        spec = task.spec
        empty = Proof(spec.key, spec.category, spec.strength, seed)
        try:
            instance, faults = await self.repeatable_instance(task, seed)
            played = [
                await self.play(task, instance, solution, kind)
                for solution, kind in solutions_of(task)
            ]
        except (ProblemError, KernelLost) as error:
            return replace(empty, faults=(str(error),))
        faults += [f"{p.name} leaves «{n}» open" for p in played for n in unfilled_names(p.answer)]
        return replace(empty, played=tuple(played), faults=tuple(faults))

    async def repeatable_instance(self, task: SuiteTask, seed: int) -> tuple[Instance, list[str]]:
        """The instance made twice, and the input files whose bytes differ."""
        first, second = [
            await instantiate(self.sandbox, self.suite, task, seed, self.scratch / name)
            for name in ("cache", "cache-again")
        ]
        faults = [
            f"{one.path} differs between two makings of seed {seed}"
            for one, other in zip(first.inputs, second.inputs, strict=True)
            if one.sha256 != other.sha256
        ]
        if dict(first.parameters) != dict(second.parameters):
            faults.append(f"the parameters differ between two makings of seed {seed}")
        return first, faults

    async def play(
        self, task: SuiteTask, instance: Instance, solution: Solution, kind: str
    ) -> Played:
        """Run the solution's cells in a session, harvest, check."""
        started = time.monotonic()
        outputs = Path(tempfile.mkdtemp(prefix="outputs-", dir=self.scratch))
        answer = solution.answer
        passed: bool | None = None
        try:
            answer = await self.run_cells(task, instance, solution, outputs)
            verdict = await check(self.sandbox, self.suite, task, instance, outputs, answer)
            passed, sentence = verdict.passed, verdict.sentence
        except CheckCrashed as error:
            sentence = str(error)
        finally:
            shutil.rmtree(outputs, ignore_errors=True)
        return Played(solution.name, kind, passed, sentence, answer, time.monotonic() - started)

    async def run_cells(
        self, task: SuiteTask, instance: Instance, solution: Solution, outputs: Path
    ) -> str:
        """Play the cells in a real session; the final answer, filled with what they printed."""
        visible = visible_parameters(task.spec.query, instance.parameters)
        limits = self.suite.limits
        session = await self.sandbox.open(instance.data, limits)
        try:
            observations = [
                observed(await session.run(cell, limits.cell_timeout_s))
                for cell in filled_cells(solution, visible)
            ]
            if observations:
                await session.harvest(outputs, task.spec.outputs)
        finally:
            await session.close()
        return filled_answer(solution, visible, "\n".join(observations))


def solutions_of(task: SuiteTask) -> list[tuple[Solution, str]]:
    """Everything to be played, with its kind."""
    return [
        (task.reference, "reference"),
        *((wrong, "wrong") for wrong in task.wrong),
        *((floor(task), "floor") for floor in floors.FLOORS.values()),
    ]


def observed(result: CellResult) -> str:
    """What a cell printed or returned, as text."""
    kinds = (OutputKind.STDOUT, OutputKind.RESULT)
    return "\n".join(output.text for output in result.outputs if output.kind in kinds)


async def prove(
    suite: Suite,
    sandbox: Sandbox,
    seeds: Sequence[int],
    tasks: Sequence[SuiteTask],
    jobs: int = 2,
    report: Callable[[Proof], None] = lambda proof: None,
) -> list[Proof]:
    """A proof for each of `tasks` with each of `seeds`, in that order."""
    with tempfile.TemporaryDirectory(prefix="proof-") as scratch:
        prover = Prover(suite, sandbox, Path(scratch), asyncio.Semaphore(jobs), report)
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(prover.prove(t, s)) for s in seeds for t in tasks]
        return [task.result() for task in running]


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
    return f"{''.join(cells)} {proof.seconds:6.1f} s  {'holds' if proof.holds else 'VIOLATED'}"


def complaints(proof: Proof) -> list[str]:
    """Why the proof does not hold, a line each."""
    bad = [p for p in proof.played if p.is_violation]
    return [
        *(f"    {fault}" for fault in proof.faults),
        *(f"    {p.kind} {p.name}: {p.sentence}" for p in bad),
    ]


def write_json(path: Path, suite: Suite, proofs: Sequence[Proof], seconds: float) -> None:
    facts = {
        "suite": suite.name,
        "version": suite.version,
        "digest": suite.digest,
        "seconds": round(seconds, 2),
        "holds": all(proof.holds for proof in proofs),
        "proofs": [{**asdict(proof), "holds": proof.holds} for proof in proofs],
    }
    path.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", "utf-8")


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
        tasks = [suite.task(key) for key in keys] or list(suite.tasks)
        sandbox = open_sandbox()
    except (ProblemError, SandboxUnavailable) as error:
        print(error, file=sys.stderr)
        return 2
    started = time.monotonic()
    seeds = seeds_for(suite, max(1, options.seeds))

    def show(proof: Proof) -> None:
        print(table_line(proof), *complaints(proof), sep="\n", flush=True)
        if options.sentences:
            print(*(f"    {p.kind} {p.name}: {p.sentence}" for p in proof.played), sep="\n")

    async def prove_all() -> list[Proof]:
        try:
            return await prove(suite, sandbox, seeds, tasks, max(1, options.jobs), show)
        finally:
            await sandbox.close()

    proofs = asyncio.run(prove_all())
    seconds = time.monotonic() - started
    if options.json:
        write_json(options.json, suite, proofs, seconds)
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
