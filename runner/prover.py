"""Playing a task's references, wrong solutions and floor agents in the real sandbox."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from runner import floors
from runner.checking import CheckCrashed, check, check_many
from runner.contract import CellResult, CellStatus, OutputKind, ProblemError
from runner.instances import Instance, instantiate
from runner.papertests import run_alone
from runner.sandbox.base import KernelLost, Sandbox
from runner.solutions import filled_answer, filled_cells, unfilled_names, visible_parameters
from runner.suites import PLACEHOLDER, Solution, Suite, SuiteTask

TROUBLE_CHARS = 200  # of an exception's text


@dataclass(frozen=True)
class Played:
    """One solution played against one instance."""

    name: str
    kind: str  # reference | wrong | floor
    passed: bool | None  # None: void, which proves nothing
    sentence: str
    answer: str
    seconds: float
    may_pass: bool = False  # a copy of the input, where the input is the answer
    passes_published: bool | None = None  # by upstream's own test; None: not known

    @property
    def is_violation(self) -> bool:
        if self.may_pass and self.passed:
            return False
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
    degenerate: str = ""  # why a copy of the input passes rightly
    stand_in: str = ""  # why inputs of our own making stood in for the task's

    @property
    def holds(self) -> bool:
        return (
            not self.faults and bool(self.played) and not any(p.is_violation for p in self.played)
        )


@dataclass(frozen=True)
class Ready:
    """What a solution left, to be checked."""

    solution: Solution
    kind: str
    outputs: Path
    answer: str
    seconds: float = 0.0
    trouble: str = ""  # the first cell that did not run to its end, and why
    missing: tuple[str, ...] = ()  # files of OUTPUTS that it did not leave


@dataclass
class Prover:
    """Where proofs are made: the sandbox, a scratch folder, and how many may run at once."""

    suite: Suite
    sandbox: Sandbox
    scratch: Path
    slots: asyncio.Semaphore
    report: Callable[[Proof], None] = field(default=lambda proof: None)
    recorded: Mapping[str, str] = field(default_factory=dict)  # {query: answer} of conversations
    published: str = ""  # source of the tests that the suite was published with

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
        empty = Proof(
            spec.key,
            spec.category,
            spec.strength,
            seed,
            degenerate=task.degenerate,
            stand_in=task.unavailable if task.has_stand_in else "",
        )
        try:
            instance, faults = await self.repeatable_instance(task, seed)
            folder = Path(tempfile.mkdtemp(prefix="outputs-", dir=self.scratch))
            try:
                ready = await self.play_all(task, instance, folder)
                faults += faults_of(ready)
                played = await self.check_all(task, instance, ready)
                played = await self.ask_published(task, instance, ready, played)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        except (ProblemError, KernelLost) as error:
            return replace(empty, faults=(str(error),))
        return replace(empty, played=tuple(played), faults=tuple(faults))

    async def repeatable_instance(self, task: SuiteTask, seed: int) -> tuple[Instance, list[str]]:
        """The instance made twice, and the input files whose bytes differ.

        Imported inputs are copied, not made: once is enough.
        """
        if task.material and not task.has_stand_in:
            return await self.make_instance(task, seed, "cache"), []
        first, second = [
            await self.make_instance(task, seed, name) for name in ("cache", "cache-again")
        ]
        faults = [
            f"{one.path} differs between two makings of seed {seed}"
            for one, other in zip(first.inputs, second.inputs, strict=True)
            if one.sha256 != other.sha256
        ]
        if dict(first.parameters) != dict(second.parameters):
            faults.append(f"the parameters differ between two makings of seed {seed}")
        returned = ", ".join(first.parameters) or "no parameter"
        faults += [
            f"the query leaves «{name}» open: make_inputs returned {returned}"
            for name in PLACEHOLDER.findall(task.spec.query)
            if name not in first.parameters
        ]
        return first, faults

    async def make_instance(self, task: SuiteTask, seed: int, cache: str) -> Instance:
        return await instantiate(self.sandbox, self.suite, task, seed, self.scratch / cache)

    async def play_all(self, task: SuiteTask, instance: Instance, folder: Path) -> list[Ready]:
        """What every solution leaves, in folders under `folder`; the floors' files at once."""
        floors_played = floors_of(task, self.recorded.get(instance.query, ""))
        await self.run_floors(task, instance, floors_played, folder / "floors")
        ready = []
        for place, solution in enumerate((task.reference, *task.wrong)):
            kind = "wrong" if place else "reference"
            outputs = folder / f"solution-{place}"
            outputs.mkdir()
            started = time.monotonic()
            answer, trouble = await self.run_cells(task, instance, solution, outputs)
            seconds = time.monotonic() - started
            missing = tuple(n for n in task.spec.outputs if not (outputs / n).exists())
            ready.append(Ready(solution, kind, outputs, answer, seconds, trouble, missing))
        for solution in floors_played:
            outputs = folder / "floors" / solution.name
            outputs.mkdir(parents=True, exist_ok=True)
            ready.append(Ready(solution, "floor", outputs, solution.answer))
        return ready

    async def run_floors(
        self, task: SuiteTask, instance: Instance, played: Sequence[Solution], folder: Path
    ) -> None:
        """The files of the floors that write any, from one session, in folders by their names."""
        writing = [solution for solution in played if solution.cells]
        if not writing or not task.spec.outputs:
            return
        session = await self.sandbox.open(instance.data, self.suite.limits)
        try:
            cell = floors.at_once(writing)
            result = await session.run(cell, self.suite.limits.cell_timeout_s)
            await session.harvest(folder)
        finally:
            await session.close()
        said = observed(result).strip()
        if said or result.status is not CellStatus.OK:
            raise KernelLost(f"the floor agents could not write their files: {said or result}")

    async def check_all(
        self, task: SuiteTask, instance: Instance, ready: Sequence[Ready]
    ) -> list[Played]:
        """The verdict on each; what ends its check badly is checked again, alone."""
        tries = [(one.outputs, one.answer) for one in ready]
        started = time.monotonic()
        verdicts = await check_many(self.sandbox, self.suite, task, instance, tries)
        share_s = (time.monotonic() - started) / len(tries)
        played = []
        for one, verdict in zip(ready, verdicts, strict=True):
            passed: bool | None = None
            try:
                if verdict is None:
                    verdict = await check(
                        self.sandbox, self.suite, task, instance, one.outputs, one.answer
                    )
                passed, sentence = verdict.passed, verdict.sentence
            except CheckCrashed as error:
                sentence = str(error)
            may_pass = bool(task.degenerate) and one.solution.name == floors.COPIES
            played.append(
                Played(
                    one.solution.name,
                    one.kind,
                    passed,
                    sentence,
                    one.answer,
                    one.seconds + share_s,
                    may_pass,
                )
            )
        return played

    async def ask_published(
        self, task: SuiteTask, instance: Instance, ready: Sequence[Ready], played: list[Played]
    ) -> list[Played]:
        """Each with what upstream's own test says of the same outputs and answer.

        Not where our inputs stand in: what the test expects is of the published ones.
        """
        if not self.published or task.material is None or task.has_stand_in:
            return played
        query = {"role": "user", "content": instance.query}
        tries = [
            (one.outputs, [query, {"role": "assistant", "content": one.answer}]) for one in ready
        ]
        index, limits = task.material.index, self.suite.limits
        told = await run_alone(self.sandbox, self.published, index, instance.data, tries, limits)
        return [
            replace(one, passes_published=result.passed)
            for one, result in zip(played, told, strict=True)
        ]

    async def run_cells(
        self, task: SuiteTask, instance: Instance, solution: Solution, outputs: Path
    ) -> tuple[str, str]:
        """Play the cells in a real session: the answer, filled with what they printed, and what
        went wrong in them."""
        visible = visible_parameters(task.spec.query, instance.parameters)
        if not solution.cells:
            return filled_answer(solution, visible, ""), ""
        limits = self.suite.limits
        session = await self.sandbox.open(instance.data, limits)
        try:
            results = [
                await session.run(cell, limits.cell_timeout_s)
                for cell in filled_cells(solution, visible)
            ]
            await session.harvest(outputs, task.spec.outputs)
        finally:
            await session.close()
        printed = "\n".join(observed(result) for result in results)
        return filled_answer(solution, visible, printed), trouble_of(results)


def trouble_of(results: Sequence[CellResult]) -> str:
    """The first cell that did not run to its end, and why; "" when all did."""
    for number, result in enumerate(results, 1):
        if result.status is CellStatus.ERROR:
            raised = [o for o in result.outputs if o.kind is OutputKind.ERROR]
            what = f"{raised[0].error_name}: {raised[0].error_value}" if raised else "an error"
            return f"its cell {number} raised {what[:TROUBLE_CHARS].strip()}"
        if result.status is not CellStatus.OK:
            return f"its cell {number} was ended: {result.reason or result.status}"
    return ""


def faults_of(ready: Sequence[Ready]) -> list[str]:
    """What the author of the solutions got wrong, whatever the check says of them.

    A solution that breaks off proves nothing, least of all a wrong one by failing.
    """
    faults = [f"{one.solution.name}: {one.trouble}" for one in ready if one.trouble]
    faults += [
        f"{one.solution.name} leaves «{name}» open: its cells printed no line “{name}: …”"
        for one in ready
        for name in unfilled_names(one.answer)
    ]
    reference = ready[0]
    if not reference.trouble:
        faults += [
            f"OUTPUTS names {name}, which the reference does not leave"
            for name in reference.missing
        ]
    return faults


def floors_of(task: SuiteTask, recorded: str = "") -> list[Solution]:
    """The agents without work that the task must fail.

    `recorded` is a conversation's answer: without its files it is nothing, where files are asked.
    """
    makers = {**floors.FLOORS, **floors.FILE_FLOORS}
    found = [make(task) for make in makers.values()]
    if recorded and task.spec.outputs:
        found.append(Solution(floors.RECORDED, (), recorded))
    return found


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
    recorded: Mapping[str, str] | None = None,
    published: str = "",
) -> list[Proof]:
    """A proof for each of `tasks` with each of `seeds`, in that order."""
    with tempfile.TemporaryDirectory(prefix="proof-") as scratch:
        slots = asyncio.Semaphore(jobs)
        prover = Prover(suite, sandbox, Path(scratch), slots, report, recorded or {}, published)
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(prover.prove(t, s)) for s in seeds for t in tasks]
        return [task.result() for task in running]
