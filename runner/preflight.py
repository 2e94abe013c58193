"""What can be told of an endpoint in ten seconds, before a run is queued."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from runner import prompts, refusals
from runner.contract import (
    EndpointSpec,
    Limits,
    Opening,
    Outcome,
    Problem,
    ProblemError,
    Step,
    StepStatus,
)
from runner.endpoint import CONNECTION_ERRORS, Endpoint
from runner.episode import Episode, EpisodeOver, Tally
from runner.outbound import open_http
from runner.sandbox.base import KernelLost, Sandbox, SandboxUnavailable, Session
from runner.tiny_task import EXPECTED, RESULT, TINY

TOTAL_S = 10.0
KERNEL_S = 15.0  # for a kernel of ours to be there, besides: one is at once on a warm worker
CLEAR_UP_S = 1.0  # of the total, half for what is under way, half for the kernel to end
LIST_S = 2.5  # for the list of models
REPLY_S = 7.0  # for one reply, with retries
MAX_TURNS = 4
LIMITS = Limits(
    max_turns=MAX_TURNS,
    reply_timeout_s=REPLY_S,
    cell_timeout_s=2.0,
    memory_bytes=1 << 30,
    work_bytes=8 << 20,
    work_files=200,
)
PATIENCE = "A run gives each reply three minutes; queue it if the model is just slow."
_left: set[asyncio.Future[Any]] = set()  # what clears up, kept from being forgotten
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


async def preflight(
    spec: EndpointSpec,
    sandbox: Sandbox | None,
    transport: httpx2.AsyncBaseTransport | None = None,
    total_s: float = TOTAL_S,
    kernel_s: float = KERNEL_S,
) -> Report:
    """Look at the endpoint within `total_s`; never raises for what it does.

    `sandbox` runs the model's code; None when this host has none. `transport` does the connecting:
    the site gives a guarded one. When time is over the report is of what was seen until then;
    what does not let go by then, a kernel that will not end for one, clears up behind it. A kernel
    that is still to come, as on a worker just started, is waited for `kernel_s` besides.
    """
    started_s = time.monotonic()
    look = Look(started_s + total_s - CLEAR_UP_S)
    kernel = KernelOfOurs(sandbox)
    work = asyncio.ensure_future(examine(spec, kernel, transport, look, kernel_s))
    try:
        # Twice as a rule: the deadline moves while a kernel is waited for.
        while not work.done() and (left_s := look.left_s() + CLEAR_UP_S / 2) > 0:
            await asyncio.wait({work}, timeout=left_s)
    finally:
        if not (is_over := work.done()):
            clear_up(work)
        await kernel.end(CLEAR_UP_S / 2)
    has_kernel = kernel.session is not None
    checks = work.result() if is_over else judge(spec, look.listed, None, look, has_kernel)
    took_s = time.monotonic() - started_s - look.waited_s
    return Report(tuple(checks), measure(look.steps), took_s)


class KernelOfOurs:
    """The tiny task's kernel: it comes up beside the look at the list of models."""

    def __init__(self, sandbox: Sandbox | None) -> None:
        self.session: Session | None = None
        self.is_decided, self.is_over = asyncio.Event(), asyncio.Event()
        self.keeping = asyncio.ensure_future(self.keep(sandbox))

    async def keep(self, sandbox: Sandbox | None) -> None:
        """Open a session, have it run an empty cell, and close it when all is over."""
        try:
            async with session_of(sandbox) as session:
                await session.run("pass", KERNEL_S)
                self.session = session
                self.is_decided.set()
                await self.is_over.wait()
        except (KernelLost, SandboxUnavailable):
            pass
        finally:
            self.is_decided.set()

    async def end(self, patience_s: float) -> None:
        """Let it end, and wait for that no longer than `patience_s`."""
        self.is_over.set()
        if self.session is None:
            self.keeping.cancel()
        await asyncio.wait({self.keeping}, timeout=patience_s)
        if not self.keeping.done():
            clear_up(self.keeping)


def clear_up(work: asyncio.Future[Any]) -> None:
    """Call `work` off without waiting for it; how it ends no longer matters."""
    work.cancel()
    _left.add(work)
    work.add_done_callback(_left.discard)
    work.add_done_callback(lambda done: done.cancelled() or done.exception())


async def examine(
    spec: EndpointSpec,
    kernel: KernelOfOurs,
    transport: httpx2.AsyncBaseTransport | None,
    look: Look,
    kernel_s: float,
) -> list[Check]:
    """What the list of models and the tiny task show."""
    async with open_http(transport) as http:
        http.event_hooks = {"response": [look.note_response]}
        look.listed, refusal = await list_models(spec, http)
        if refusal is not None and refusal.code in (*DENIED, *UNREACHED):
            return access(spec, refusal)
        await look.wait_for(kernel.is_decided, kernel_s)
        if kernel.session is None:
            return judge(spec, look.listed, None, look, has_kernel=False)
        over = await converse(spec, http, kernel.session, look)
        return judge(spec, look.listed, over, look, has_kernel=True)


async def list_models(
    spec: EndpointSpec, http: httpx2.AsyncClient
) -> tuple[frozenset[str] | None, Problem | None]:
    """The names of its models when it lists them, and why it could not be asked at all."""
    try:
        refusals.check_spec(spec)
        async with asyncio.timeout(LIST_S):
            response = await http.get(f"{spec.base_url.rstrip('/')}/models", headers=bearer(spec))
    except TimeoutError:
        return None, None
    except ProblemError as error:
        return None, error.problem
    except CONNECTION_ERRORS as error:
        return None, refusals.of_connection(error, spec).problem
    if response.status_code in (401, 403):
        return None, refusals.of_status(response.status_code, {}, "", spec).problem
    return names_in(response), None


def bearer(spec: EndpointSpec) -> dict[str, str]:
    return {"Authorization": f"Bearer {spec.api_key.strip()}"} if spec.api_key.strip() else {}


def names_in(response: httpx2.Response) -> frozenset[str] | None:
    try:
        rows = json.loads(response.content)["data"] if response.status_code == 200 else []
        names = frozenset(str(row["id"]) for row in rows)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return names or None


async def converse(
    spec: EndpointSpec, http: httpx2.AsyncClient, session: Session, look: Look
) -> EpisodeOver | None:
    """How the tiny task ended; None when time was over first or the kernel was lost."""
    try:
        async with asyncio.timeout_at(loop_time(look.deadline_s)):
            episode = Episode(
                chat=Endpoint(spec, http),
                session=session,
                limits=LIMITS,
                listener=look,
                slots=asyncio.Semaphore(1),
                messages=prompts.opening(TINY.spec.query, (), spec.action_format, LIMITS),
                tally=Tally(),
                started_s=time.monotonic(),
            )
            return await episode.play()
    except (TimeoutError, KernelLost):
        return None


def loop_time(deadline_s: float) -> float:
    return asyncio.get_running_loop().time() + deadline_s - time.monotonic()


@asynccontextmanager
async def session_of(sandbox: Sandbox | None) -> AsyncIterator[Session]:
    if sandbox is None:
        raise SandboxUnavailable("this host has none")
    with TemporaryDirectory(prefix="preflight-") as folder:
        data = Path(folder)
        data.chmod(0o755)
        session = await sandbox.open(data, LIMITS)
        try:
            yield session
        finally:
            await asyncio.shield(session.close())


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
