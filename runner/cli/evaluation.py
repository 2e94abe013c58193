"""Evaluating one endpoint on one suite, many attempts at a time, into a folder."""

from __future__ import annotations

import asyncio
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx2
from tqdm import tqdm

from runner.attempt import AttemptPlace, Playing, play
from runner.cancellation import Stopped, wait_for
from runner.cli.results_folder import Key, ResultsFolder
from runner.contract import (
    AttemptResult,
    EndpointSpec,
    Fault,
    Limits,
    Opening,
    Outcome,
    Problem,
    ProblemError,
    SandboxUnavailable,
    Step,
)
from runner.endpoint.client import EndpointClient
from runner.endpoint.errors import place
from runner.endpoint.http import Clients
from runner.endpoint.limiter import ConcurrencyLimit, Gate
from runner.model.prompts import prompt_digest
from runner.pybench_jsonl import row_of
from runner.sandbox.base import Sandbox
from runner.suite.reader import Suite
from runner.unplayed import CRASHED, no_sandbox, unplayed

FAILURES = (Outcome.ENDPOINT_FAILED, Outcome.KERNEL_LOST, Outcome.WORKER_LOST)
GIVE_UP_AFTER = 3  # of them in a row
AGAIN_AFTER_S = (2.0, 15.0, 60.0)  # pauses before attempts are played again that failed in passing
# What may be over in a moment, once the endpoint has replied at all.
PASSING = frozenset(
    {
        "endpoint_unreachable",
        "endpoint_unresolved",
        "endpoint_cut_off",
        "endpoint_server_error",
        "endpoint_rate_limited",
    }
)

AGAIN = "Its traceback was printed; the same command plays the attempt again."

Progress = Callable[[AttemptResult], None]


TAKES_ONE = (
    "The endpoint breaks off replies when it gets two requests at once, so one request at a time "
    "is sent. llama_cpp.server does this unless it is started with --interrupt_requests False."
)
# The endpoint took a request, and nothing came of it: the same command may have more luck.
UNANSWERED = frozenset(
    {
        "endpoint_timeout",
        "endpoint_slow",
        "endpoint_cut_off",
        "endpoint_server_error",
        "endpoint_rate_limited",
        "endpoint_no_choices",
    }
)


class EvaluationStopped(ProblemError):
    """Attempts were played, and going on is no use; `is_gone` if the endpoint went away."""

    def __init__(self, problem: Problem, is_gone: bool) -> None:
        super().__init__(problem)
        self.is_gone = is_gone


@dataclass(frozen=True)
class Evaluation:
    """The evaluation that the command line asks for."""

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

    @property
    def own_limits(self) -> list[str]:
        """The limits that are not the suite's: results with others than these differ by them."""
        ours, theirs = vars(self.limits), vars(self.suite.limits)
        return [
            f"{name.removesuffix('_s').replace('_', ' ')} {value:g} (suite: {theirs[name]:g})"
            for name, value in ours.items()
            if value != theirs[name]
        ]

    def manifest(self) -> dict[str, Any]:
        """Facts written beside the results; never the key."""
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
            **({"extra_headers": sorted(spec.extra_headers)} if spec.extra_headers else {}),
            "limits": vars(self.limits),
            "comparable": not self.own_limits,
            "why_not_comparable": self.own_limits,
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
    place: AttemptPlace
    clients: Clients
    progress: Progress
    gate: Gate
    is_stopping: bool = False
    has_reply: bool = False
    failures_in_a_row: int = 0
    problem: Problem | None = None  # why it ended early
    last_failure: str = ""  # in passing
    again: list[Key] = field(default_factory=list)  # what is to be played after a pause
    is_last: bool = False  # no pause follows
    is_gone: bool = False
    has_told_pace: bool = False

    async def run(self) -> None:
        """Play what has no verdict yet. Raises ProblemError when going on is no use."""
        self.gate.on_move = self.tell_pace
        todo = [key for key in self.evaluation.keys if not self.folder.is_decided(key)]
        with self.stopped_by_signals():
            for number, pause_s in enumerate((0.0, *AGAIN_AFTER_S)):
                if todo and not self.is_stopping:
                    await self.pause(pause_s)
                    self.is_last = number == len(AGAIN_AFTER_S)
                    todo = await self.play_all(todo)
        if self.problem:
            if self.is_input_wrong(self.problem):
                raise ProblemError(self.problem)
            raise EvaluationStopped(self.problem, self.is_gone)

    def is_input_wrong(self, problem: Problem) -> bool:
        """True if the endpoint refused what it was asked first, or is not there."""
        is_theirs = problem.fault is Fault.SUBMITTER and problem.code not in UNANSWERED
        return is_theirs and not self.has_reply

    def tell_pace(self) -> None:
        """Say once that the endpoint was found to take one request at a time."""
        if self.gate.pace.takes_one and not self.has_told_pace:
            self.has_told_pace = True
            tqdm.write(TAKES_ONE, file=sys.stderr)

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

    async def pause(self, pause_s: float) -> None:
        if pause_s:
            tqdm.write(f"{self.last_failure} Played again after {pause_s:g} s.", file=sys.stderr)
            with suppress(Stopped):
                await wait_for(asyncio.sleep(pause_s), lambda: self.is_stopping)

    async def play_all(self, todo: Sequence[Key]) -> list[Key]:
        """Play the attempts; return those to be played again."""
        self.again, self.failures_in_a_row = [], 0
        queue = iter(todo)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.evaluation.concurrency, len(todo))):
                group.create_task(self.lane(queue))
        return [*self.again, *queue]

    async def lane(self, queue: Iterator[Key]) -> None:
        """One attempt after another, each when the gate lets it begin."""
        for key in queue:
            async with self.gate.attempt():
                if self.is_stopping or self.failures_in_a_row >= GIVE_UP_AFTER:
                    self.again.append(key)
                    return
                result = await self.attempt(key)
            if result.outcome != Outcome.CANCELLED:
                self.look_at(key, result)

    def is_passing(self, result: AttemptResult) -> bool:
        """True if the attempt is to be played again after a pause, rather than kept as void."""
        may_pass = is_away(result) and self.has_reply
        return may_pass and not (self.is_last or self.is_stopping)

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
            chat=EndpointClient(self.evaluation.endpoint, http, gate=self.gate),
            listener=recorder,
            outputs=self.folder.fresh_outputs(key),
        )
        result = await self.play(playing)
        if result.outcome != Outcome.CANCELLED and not self.is_passing(result):
            suite = self.evaluation.suite
            row = row_of(suite, task, key[1], recorder.opening, recorder.steps, result)
            self.folder.add(row)
        return result

    async def play(self, playing: Playing) -> AttemptResult:
        """The attempt's result; a failure of our own code is void, with its traceback shown."""
        try:
            return await play(playing, self.place)
        except Exception:  # one attempt's failure must not end the others
            print(f"{playing.task.spec.key}:", traceback.format_exc(), sep="\n", file=sys.stderr)
            return unplayed(Outcome.WORKER_LOST, replace(CRASHED, next_step=AGAIN))

    def note_reply(self) -> None:
        self.has_reply = True

    def look_at(self, key: Key, result: AttemptResult) -> None:
        """Stop when every further attempt would end like this one."""
        self.failures_in_a_row = self.failures_in_a_row + 1 if result.outcome in FAILURES else 0
        if self.is_passing(result):
            self.again.append(key)
            self.last_failure = result.problem.what if result.problem else ""
            return
        self.progress(result)
        is_hopeless = result.outcome == Outcome.ENDPOINT_FAILED and not self.has_reply
        has_no_sandbox = result.problem and result.problem.code == "sandbox_unavailable"
        if is_hopeless or has_no_sandbox or self.failures_in_a_row >= GIVE_UP_AFTER:
            self.is_stopping = True
            self.problem = self.problem or result.problem
            self.is_gone = self.is_last and is_away(result)


def is_away(result: AttemptResult) -> bool:
    """True if the endpoint failed in a way that may be over in a moment."""
    code = result.problem.code if result.problem else ""
    return result.outcome == Outcome.ENDPOINT_FAILED and code in PASSING


async def evaluate(
    evaluation: Evaluation,
    folder: ResultsFolder,
    progress: Progress,
    open_sandbox: Callable[[], Sandbox],
) -> None:
    """Play the attempts of `evaluation` that have no verdict yet, into `folder`.

    Raises ProblemError when the endpoint or the sandbox makes going on useless, and returns early
    after Ctrl-C. What was played by then is kept.
    """
    sandbox, clients = sandbox_or_problem(open_sandbox), Clients()
    try:
        place = AttemptPlace(sandbox, evaluation.cache)
        gate = Gate(ConcurrencyLimit(evaluation.concurrency))
        await Evaluator(evaluation, folder, place, clients, progress, gate).run()
    finally:
        await clients.aclose()
        await sandbox.close()


def sandbox_or_problem(open_sandbox: Callable[[], Sandbox]) -> Sandbox:
    try:
        return open_sandbox()
    except SandboxUnavailable as error:
        raise ProblemError(no_sandbox(error)) from error
