"""Proof of tasks: all there is to play, and what their checks say of it."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from runner.contract import KernelLost, ProblemError
from runner.proof.plays import Ready, Stage
from runner.sandbox.base import Sandbox
from runner.scripted import floor_agents
from runner.suite.placeholders import PLACEHOLDER, unfilled_names
from runner.suite.proof_file import ProofRows, read_proof_rows
from runner.suite.reader import Suite, SuiteTask
from runner.task_code.inputs import Instance, instantiate
from runner.task_code.published_tests import run_alone
from runner.task_code.verdict import CheckCrashed, check, check_many

ASKED_PUBLISHED = ("reference", "wrong", "floor")  # each with outputs of its own
MUST_PASS = ("reference", "style")


@dataclass(frozen=True)
class PlayedSolution:
    """One solution played against one instance."""

    name: str
    kind: str  # reference | style | wrong | near miss | floor | mutant
    passed: bool | None  # None: void, which proves nothing
    sentence: str
    answer: str
    seconds: float
    may_pass: bool = False  # a copy of an input that is the answer
    passes_published: bool | None = None  # by upstream's own test; None: not known

    @property
    def is_violation(self) -> bool:
        if (self.may_pass and self.passed) or (self.kind == "mutant" and self.passed is not None):
            return False
        return self.passed is not (self.kind in MUST_PASS)


@dataclass(frozen=True)
class Proof:
    """Findings for one task and one seed."""

    task: str
    category: str
    strength: str
    seed: int
    played: tuple[PlayedSolution, ...] = ()
    faults: tuple[str, ...] = ()  # of the task itself: inputs not repeatable, placeholder unknown
    seconds: float = 0.0
    degenerate: str = ""  # why a copy of the input passes rightly
    stand_in: str = ""  # why inputs of our own making stood in for the task's
    left_out: Mapping[str, str] = field(default_factory=dict)  # {variant: why it is not asked}
    seeds: int = 1  # that it stands for, `seed` the first: more where it was kept in short
    made_on: str = ""  # as 2026-11-23
    rests_on: str = ""  # digest of runner.proof.grounds

    @property
    def mutants(self) -> list[PlayedSolution]:
        return [one for one in self.played if one.kind == "mutant"]

    @property
    def holds(self) -> bool:
        return (
            not self.faults and bool(self.played) and not any(p.is_violation for p in self.played)
        )


@dataclass
class Prover:
    """Resources of a proof: the sandbox, a scratch folder, and how many can run at once."""

    suite: Suite
    sandbox: Sandbox
    scratch: Path
    slots: asyncio.Semaphore
    report: Callable[[Proof], None] = field(default=lambda proof: None)
    recorded: Mapping[str, str] = field(default_factory=dict)  # {query: answer} of conversations
    published: str = ""  # source of the tests that the suite was published with
    grounds: Mapping[str, str] = field(default_factory=dict)  # {task: digest of what it rests on}

    async def prove(self, task: SuiteTask, seed: int) -> Proof:
        """Play everything there is for `task` with `seed`."""
        async with self.slots:
            started = time.monotonic()
            proof = await self.prove_now(task, seed)
            proof = replace(
                proof,
                seconds=time.monotonic() - started,
                made_on=datetime.now(UTC).date().isoformat(),
                rests_on=self.grounds.get(task.spec.key, ""),
            )
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
            rows = read_proof_rows(task)
            empty = replace(empty, left_out=rows.left_out)
            instance, faults = await self.repeatable_instance(task, seed)
            folder = Path(tempfile.mkdtemp(prefix="outputs-", dir=self.scratch))
            try:
                stage = Stage(self.sandbox, self.suite.limits, task, instance, folder)
                recorded = self.recorded.get(instance.query, "")
                is_varied = seed == self.suite.seed
                ready = await stage.play_all(rows, recorded, is_varied=is_varied)
                faults += [*faults_of(ready), *(unknown_names(rows, ready) if is_varied else ())]
                ready = [one for one in ready if one.solution.name not in rows.left_out]
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

    async def check_all(
        self,
        task: SuiteTask,
        instance: Instance,
        ready: Sequence[Ready],
    ) -> list[PlayedSolution]:
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
            name = one.solution.name
            may_pass = bool(task.degenerate) and name == floor_agents.COPIES
            played.append(
                PlayedSolution(
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
        self,
        task: SuiteTask,
        instance: Instance,
        ready: Sequence[Ready],
        played: list[PlayedSolution],
    ) -> list[PlayedSolution]:
        """The written solutions and floors with what upstream's own test says of their outputs.

        Not where our inputs stand in: what the test expects is of the published ones.
        """
        if not self.published or task.material is None or task.has_stand_in:
            return played
        query = {"role": "user", "content": instance.query}
        asked = [place for place, one in enumerate(ready) if one.kind in ASKED_PUBLISHED]
        tries = [
            (ready[n].outputs, [query, {"role": "assistant", "content": ready[n].answer}])
            for n in asked
        ]
        index, limits = task.material.index, self.suite.limits
        told = await run_alone(self.sandbox, self.published, index, instance.data, tries, limits)
        passed = {n: result.passed for n, result in zip(asked, told, strict=True)}
        return [replace(one, passes_published=passed.get(n)) for n, one in enumerate(played)]


def unknown_names(rows: ProofRows, ready: Sequence[Ready]) -> list[str]:
    """Reasons given for what there is not: a slip, or a variant that no longer fits."""
    there = {one.solution.name for one in ready}
    return [
        f"its proof file names “{name}”, and there is no such solution"
        for name in rows.left_out
        if name not in there
    ]


def faults_of(ready: Sequence[Ready]) -> list[str]:
    """Faults of the author of the solutions, regardless of the check's verdict on them.

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


async def prove(
    suite: Suite,
    sandbox: Sandbox,
    seeds: Sequence[int],
    tasks: Sequence[SuiteTask],
    jobs: int = 2,
    report: Callable[[Proof], None] = lambda proof: None,
    recorded: Mapping[str, str] | None = None,
    published: str = "",
    made: Mapping[tuple[str, int], Proof] | None = None,
    grounds: Mapping[str, str] | None = None,
) -> list[Proof]:
    """A proof for each of `tasks` with each of `seeds`, in that order.

    Those of `made`, by task and seed, are taken as they are. `grounds` has the digest of what
    the proof of each task rests on.
    """
    made = made or {}
    pairs = [(task, seed) for seed in seeds for task in tasks]
    with tempfile.TemporaryDirectory(prefix="proof-") as scratch:
        slots = asyncio.Semaphore(jobs)
        prover = Prover(
            suite, sandbox, Path(scratch), slots, report, recorded or {}, published, grounds or {}
        )
        async with asyncio.TaskGroup() as group:
            running = {
                (task.spec.key, seed): group.create_task(prover.prove(task, seed))
                for task, seed in pairs
                if (task.spec.key, seed) not in made
            }
        keys = [(task.spec.key, seed) for task, seed in pairs]
        return [made[key] if key in made else running[key].result() for key in keys]
