"""Evaluating one endpoint on one suite, many attempts at a time, into a folder."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx2

from runner.attempt import Place, Playing, play
from runner.contract import (
    AttemptResult,
    EndpointSpec,
    Fault,
    Limits,
    Opening,
    Outcome,
    Problem,
    ProblemError,
    Step,
)
from runner.endpoint import Endpoint
from runner.gate import Gate
from runner.outbound import Clients
from runner.outcomes import unplayed
from runner.pace import Pace
from runner.prompts import prompt_digest
from runner.pybench_jsonl import row_of
from runner.refusals import place
from runner.results import Key, ResultsFolder
from runner.sandbox.base import Sandbox, SandboxUnavailable
from runner.sandbox.factory import open_sandbox
from runner.suites import Suite

FAILURES = (Outcome.ENDPOINT_FAILED, Outcome.KERNEL_LOST, Outcome.WORKER_LOST)
GIVE_UP_AFTER = 3  # of them in a row

CRASHED = Problem(
    Fault.US,
    "runner_crashed",
    "The runner failed while it played this attempt.",
    "Its traceback was printed; the same command plays the attempt again.",
)

Progress = Callable[[AttemptResult], None]


@dataclass(frozen=True)
class Evaluation:
    """What is asked for."""

    suite: Suite
    tasks: tuple[str, ...]
    attempts: int  # per task
    seed: int
    limits: Limits
    endpoint: EndpointSpec
    concurrency: int  # attempts in flight
    cache: Path  # instances

    @property
    def keys(self) -> list[Key]:
        """Every attempt, the first ones of all tasks before the second ones."""
        return [(task, n) for n in range(1, self.attempts + 1) for task in self.tasks]

    def manifest(self) -> dict[str, Any]:
        """What is written beside the results; never the key."""
        spec = self.endpoint
        return {
            "suite": self.suite.name,
            "suite_version": self.suite.version,
            "suite_digest": self.suite.digest,
            "base_url": place(spec),
            "model": spec.model,
            "action_format": spec.action_format.value,
            "seed": self.seed,
            "sampling": {
                "temperature": spec.temperature,
                "top_p": spec.top_p,
                "max_tokens": spec.max_tokens,
                "extra_body": dict(spec.extra_body),
            },
            "limits": vars(self.limits),
            "prompt": prompt_digest(),
        }


@dataclass
class Recorder:
    """Keeps what happens in one attempt, and passes on that it should stop."""

    has_stopped: Callable[[], bool]
    on_reply: Callable[[], None]
    opening: Opening | None = None
    steps: list[Step] = field(default_factory=list)

    async def opened(self, opening: Opening) -> None:
        self.opening = opening

    async def step(self, step: Step) -> None:
        self.on_reply()
        # Contents of changed files are for a viewer, not for a row of text.
        changes = tuple(replace(change, content=None) for change in step.changes)
        self.steps.append(replace(step, changes=changes))

    def should_stop(self) -> bool:
        return self.has_stopped()


@dataclass
class Evaluator:
    """One evaluation under way."""

    evaluation: Evaluation
    folder: ResultsFolder
    place: Place
    clients: Clients
    progress: Progress
    gate: Gate
    is_stopping: bool = False
    has_reply: bool = False
    failures_in_a_row: int = 0
    problem: Problem | None = None  # why it ended early

    async def run(self) -> None:
        """Play what has no verdict yet. Raises ProblemError when going on is no use."""
        todo = [key for key in self.evaluation.keys if not self.folder.is_decided(key)]
        queue = iter(todo)
        with self.stopped_by_signals():
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self.evaluation.concurrency, len(todo))):
                    group.create_task(self.lane(queue))
        if self.problem:
            raise ProblemError(self.problem)

    @contextmanager
    def stopped_by_signals(self) -> Iterator[None]:
        """The first Ctrl-C lets attempts end cleanly, the second ends the process."""
        loop = asyncio.get_running_loop()
        signals = (signal.SIGINT, signal.SIGTERM)

        def stop() -> None:
            self.is_stopping = True
            for number in signals:
                loop.remove_signal_handler(number)

        with suppress(NotImplementedError, ValueError):  # not in the main thread
            for number in signals:
                loop.add_signal_handler(number, stop)
        try:
            yield
        finally:
            for number in signals:
                with suppress(NotImplementedError, ValueError):
                    loop.remove_signal_handler(number)

    async def lane(self, queue: Iterator[Key]) -> None:
        """One attempt after another."""
        for key in queue:
            async with self.gate.attempt():
                if self.is_stopping:
                    return
                result = await self.attempt(key)
            if result.outcome != Outcome.CANCELLED:
                self.progress(result)
                self.look_at(result)

    async def attempt(self, key: Key) -> AttemptResult:
        """Play one attempt and keep it, unless it was cancelled."""
        with self.clients.lend() as http:
            return await self.attempt_with(http, key)

    async def attempt_with(self, http: httpx2.AsyncClient, key: Key) -> AttemptResult:
        task = self.evaluation.suite.task(key[0])
        recorder = Recorder(lambda: self.is_stopping, self.note_reply)
        playing = Playing(
            suite=self.evaluation.suite,
            task=task,
            seed=self.evaluation.seed,
            limits=self.evaluation.limits,
            chat=Endpoint(self.evaluation.endpoint, http, gate=self.gate),
            listener=recorder,
            outputs=self.folder.fresh_outputs(key),
        )
        result = await self.play(playing)
        if result.outcome != Outcome.CANCELLED:
            suite = self.evaluation.suite
            row = row_of(suite, task, key[1], recorder.opening, recorder.steps, result)
            self.folder.add(row)
        return result

    async def play(self, playing: Playing) -> AttemptResult:
        """The attempt's result; a failure of our own code is void, with its traceback shown."""
        try:
            return await play(playing, self.place)
        except Exception:
            print(f"{playing.task.spec.key}:", traceback.format_exc(), sep="\n", file=sys.stderr)
            return unplayed(Outcome.WORKER_LOST, CRASHED)

    def note_reply(self) -> None:
        self.has_reply = True

    def look_at(self, result: AttemptResult) -> None:
        """Stop when every further attempt would end like this one."""
        self.failures_in_a_row = self.failures_in_a_row + 1 if result.outcome in FAILURES else 0
        is_hopeless = result.outcome == Outcome.ENDPOINT_FAILED and not self.has_reply
        has_no_sandbox = result.problem and result.problem.code == "sandbox_unavailable"
        if is_hopeless or has_no_sandbox or self.failures_in_a_row >= GIVE_UP_AFTER:
            self.is_stopping = True
            self.problem = self.problem or result.problem


async def evaluate(evaluation: Evaluation, folder: ResultsFolder, progress: Progress) -> None:
    """Play the attempts of `evaluation` that have no verdict yet, into `folder`.

    Raises ProblemError when the endpoint or the sandbox makes going on useless, and returns early
    after Ctrl-C. What was played by then is kept.
    """
    sandbox, clients = sandbox_or_problem(), Clients()
    try:
        slots = asyncio.Semaphore(len(os.sched_getaffinity(0)))  # cores that we may use
        place = Place(sandbox, slots, evaluation.cache)
        gate = Gate(Pace(evaluation.concurrency))
        await Evaluator(evaluation, folder, place, clients, progress, gate).run()
    finally:
        await clients.aclose()
        await sandbox.close()


def sandbox_or_problem() -> Sandbox:
    try:
        return open_sandbox()
    except SandboxUnavailable as error:
        problem = Problem(Fault.US, "sandbox_unavailable", str(error), "")
        raise ProblemError(problem) from error
