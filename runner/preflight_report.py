"""What a look at an endpoint showed: each check in a sentence, with what to do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import httpx2

from runner import refusals
from runner.contract import EndpointSpec, Opening, Outcome, Problem, Step, StepStatus
from runner.episode import EpisodeOver
from runner.tiny_task import EXPECTED, RESULT

REPLY_S = 7.0  # for one reply, with retries
PATIENCE = "A run gives each reply three minutes; queue it if the model is just slow."
DENIED = (
    "endpoint_unauthorised",
    "endpoint_forbidden",
    "endpoint_no_quota",
    "endpoint_bad_key",
)
UNREACHED = (
    "endpoint_unreachable",
    "endpoint_bad_url",
    "address_not_public",
    "url_scheme",
    "url_port",
    "url_host",
)


class State(StrEnum):
    """What a check came to. A failed one means that a run cannot succeed."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at, in a sentence."""

    name: str  # "reachable"
    title: str
    state: State
    said: str
    next_step: str = ""


@dataclass(frozen=True)
class Measures:
    """What the tiny task cost. `None` where the endpoint did not say."""

    turns: int = 0
    prompt_tokens: int | None = None  # of the first request
    completion_tokens: int | None = None  # mean of a reply
    reply_s: float | None = None  # mean


@dataclass(frozen=True)
class Report:
    """Every check, and what was measured on the way."""

    checks: tuple[Check, ...]
    measures: Measures
    took_s: float

    @property
    def is_usable(self) -> bool:
        """Whether a run could succeed."""
        return all(check.state is not State.FAILED for check in self.checks)


@dataclass
class Look:
    """What was seen while the tiny task was played: the listener of its episode."""

    deadline_s: float
    steps: list[Step] = field(default_factory=list)
    has_answered: bool = False  # anything at all
    is_streamed: bool | None = None  # None: no reply began
    listed: frozenset[str] | None = None  # the names of its models, when it lists them
    waited_s: float = 0.0  # for a kernel of ours, which is no time of the endpoint's

    async def wait_for(self, event: asyncio.Event, longest_s: float) -> None:
        """Wait, but `longest_s` at most, with the look's clock standing still."""
        began_s = time.monotonic()
        left_s = self.left_s()
        self.deadline_s += longest_s
        with suppress(TimeoutError):
            async with asyncio.timeout(longest_s):
                await event.wait()
        self.waited_s = time.monotonic() - began_s
        self.deadline_s = began_s + self.waited_s + left_s

    async def opened(self, opening: Opening) -> None:
        """Nothing is kept of it."""

    async def step(self, step: Step) -> None:
        self.steps.append(step)

    def should_stop(self) -> bool:
        return self.left_s() < 0

    def left_s(self) -> float:
        return self.deadline_s - time.monotonic()

    async def note_response(self, response: httpx2.Response) -> None:
        self.has_answered = True
        if response.request.method == "POST" and response.status_code == 200:
            content_type = response.headers.get("content-type", "")
            self.is_streamed = "event-stream" in content_type.lower()


def access(spec: EndpointSpec, problem: Problem) -> list[Check]:
    """The checks of an endpoint that could not even be asked."""
    if problem.code in DENIED:
        return [
            Check("reachable", "Reachable", State.OK, f"{refusals.place(spec)} answers."),
            failed("authorised", "Authorised", problem),
        ]
    return [failed("reachable", "Reachable", problem)]


def failed(name: str, title: str, problem: Problem) -> Check:
    return Check(name, title, State.FAILED, problem.what, problem.next_step)


def judge(
    spec: EndpointSpec,
    listed: frozenset[str] | None,
    over: EpisodeOver | None,
    look: Look,
    has_kernel: bool,
) -> list[Check]:
    """What the list of models and the tiny task show, in the order of a reader's questions."""
    problem = over.problem if over and over.outcome is Outcome.ENDPOINT_FAILED else None
    if problem is not None and problem.code in (*DENIED, *UNREACHED):
        return access(spec, problem)
    if not has_kernel:
        return [*access_ok(spec, look), known(spec, listed, look), no_kernel()]
    checks = access_ok(spec, look)
    if problem is not None and problem.code == "endpoint_unknown_model":
        return [*checks, failed("model", "Model known", problem)]
    checks.append(known(spec, listed, look))
    if problem is not None and not look.steps:
        return [*checks, reply_check(problem)]
    return [*checks, streaming(spec, look), action_format(spec, look), interpreter(over, look)]


def reply_check(problem: Problem) -> Check:
    """What an endpoint that never replied is told; a busy one may be better in a moment."""
    if problem.code == "endpoint_timeout":
        said = f"The first reply was not complete after {REPLY_S:.0f} s."
        return Check("reply", "Replies", State.WARNING, said, PATIENCE)
    is_passing = problem.code in ("endpoint_rate_limited", "endpoint_server_error")
    state = State.WARNING if is_passing else State.FAILED
    return Check("reply", "Replies", state, problem.what, problem.next_step)


def access_ok(spec: EndpointSpec, look: Look) -> list[Check]:
    where = refusals.place(spec)
    if not look.has_answered:
        said = f"Nothing came from {where} in time."
        advice = "Check that the server is up; a run gives each reply three minutes."
        return [Check("reachable", "Reachable", State.WARNING, said, advice)]
    checks = [Check("reachable", "Reachable", State.OK, f"{where} answers.")]
    if look.is_streamed is not None:
        key = "The key was accepted." if spec.api_key else "No key was needed."
        checks.append(Check("authorised", "Authorised", State.OK, key))
    return checks


def known(spec: EndpointSpec, listed: frozenset[str] | None, look: Look) -> Check:
    title = "Model known"
    if listed and spec.model in listed:
        return Check("model", title, State.OK, f"It lists “{spec.model}”.")
    if look.steps:
        said = "It is not among the models listed, but replies." if listed else "It replies."
        return Check("model", title, State.OK, said)
    if listed:
        return Check(
            "model",
            title,
            State.WARNING,
            f"“{spec.model}” is not among the {len(listed)} models that the endpoint lists.",
            f"It lists {some(sorted(listed))}.",
        )
    return Check("model", title, State.SKIPPED, "The endpoint lists no models.")


def some(names: Sequence[str]) -> str:
    shown = ", ".join(name[:60] for name in names[:5])
    return f"{shown} …" if len(names) > 5 else shown


def streaming(spec: EndpointSpec, look: Look) -> Check:
    title = "Streaming"
    if not spec.stream:
        return Check("streaming", title, State.SKIPPED, "Whole replies were asked for.")
    if look.is_streamed:
        return Check("streaming", title, State.OK, "Replies come as a stream.")
    if look.is_streamed is None:
        return Check("streaming", title, State.SKIPPED, "No reply came in time to tell.")
    return Check(
        "streaming",
        title,
        State.WARNING,
        "Replies come whole although a stream was asked for.",
        "That works; very long replies may run into time limits of what stands in between.",
    )


def action_format(spec: EndpointSpec, look: Look) -> Check:
    """Whether the model hands over code as agreed, on its first reply that was read."""
    name, title, words = "format", "Action format", spec.action_format.value
    if not look.steps:
        return Check(
            name,
            title,
            State.WARNING,
            "No reply was complete in time to tell.",
            PATIENCE,
        )
    if any(step.code is not None for step in look.steps):
        return Check(name, title, State.OK, f"The model hands over code as “{words}” asks.")
    first = look.steps[0]
    said = (
        "The model's code could not be read"
        if first.status is StepStatus.MALFORMED
        else "The model answered without running any code"
    )
    return Check(
        name,
        title,
        State.WARNING,
        f"{said} in the format “{words}”.",
        "Choose another action format, or expect a low score.",
    )


def interpreter(over: EpisodeOver | None, look: Look) -> Check:
    """Whether the tiny task was solved in a real kernel."""
    name, title = "task", "Tiny task"
    if any(change.path == RESULT and (change.content or b"").strip() == EXPECTED
           for step in look.steps for change in step.changes):  # fmt: skip
        turns = len(look.steps)
        return Check(name, title, State.OK, f"Solved in a real kernel with {turns} replies.")
    if over is None:
        return Check(name, title, State.SKIPPED, "Time was over before it was done.")
    return Check(
        name,
        title,
        State.WARNING,
        "The model did not solve it: the expected file was not written.",
        "The run can be queued; this says that the score may be low.",
    )


def no_kernel() -> Check:
    return Check(
        "task",
        "Tiny task",
        State.SKIPPED,
        "No sandbox was free on our side, so the model was not tried.",
        "The run can be queued; if this stays, tell the maintainers.",
    )


def measure(steps: Sequence[Step]) -> Measures:
    if not steps:
        return Measures()
    said = [s.usage.completion_tokens for s in steps if s.usage.completion_tokens is not None]
    return Measures(
        turns=len(steps),
        prompt_tokens=steps[0].usage.prompt_tokens,
        completion_tokens=round(sum(said) / len(said)) if said else None,
        reply_s=round(sum(step.model_s for step in steps) / len(steps), 3),
    )


def as_json(report: Report) -> dict[str, Any]:
    """The report as it is stored; it never held the key."""
    checks = [{**asdict(check), "state": check.state.value} for check in report.checks]
    return {
        "checks": checks,
        "measures": asdict(report.measures),
        "took_s": round(report.took_s, 3),
        "is_usable": report.is_usable,
    }
