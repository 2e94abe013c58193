"""Ten-second examination of an endpoint, before a run is queued."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from runner.cancellation import loop_time
from runner.contract import (
    EndpointSpec,
    KernelLost,
    Limits,
    Problem,
    ProblemError,
    SandboxUnavailable,
)
from runner.endpoint import errors
from runner.endpoint.client import CONNECTION_ERRORS, EndpointClient
from runner.endpoint.error_bodies import ErrorReport
from runner.endpoint.extras import extra_headers
from runner.endpoint.http import open_http
from runner.endpoint.payloads import LARGE_BYTES, read_context_tokens, read_names
from runner.episode import AttemptTally, Episode
from runner.model import prompts
from runner.preflight.look import EndpointLook, TinyPlay
from runner.preflight.report import (
    DENIED,
    REPLY_S,
    UNREACHED,
    Check,
    Report,
    access,
    judge,
    judge_list,
    list_readable,
    measure,
)
from runner.preflight.tiny_task import TINY_TASKS
from runner.reading.readers import UnreadableText, readers
from runner.sandbox.base import Sandbox, Session

log = logging.getLogger(__name__)

TOTAL_S = 10.0
KERNEL_S = 15.0  # for our kernel to start, in addition: a warm worker has one at once
CLEAR_UP_S = 1.0  # of the total, half for what is under way, half for the kernel to end
LIST_S = 2.5  # for the list of models
MAX_TURNS = 4
LIMITS = Limits(
    max_turns=MAX_TURNS,
    reply_timeout_s=REPLY_S,
    cell_timeout_s=2.0,
    memory_bytes=1 << 30,
    work_bytes=8 << 20,
    work_files=200,
)
_left: set[asyncio.Future[Any]] = set()  # what clears up, kept from being forgotten


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
    what has not ended by then, such as a stubborn kernel, clears up in the background. A kernel
    that is still to come, as on a worker just started, gets `kernel_s` in addition. Without a
    model's name the endpoint is asked for its list of models and nothing else.
    """
    started_s = time.monotonic()
    look = EndpointLook(started_s + total_s - CLEAR_UP_S)
    kernels = KernelsOfOurs(sandbox if spec.model else None, len(TINY_TASKS))
    work = asyncio.ensure_future(examine(spec, kernels, transport, look, kernel_s))
    try:
        # Twice as a rule: the deadline moves while a kernel is waited for.
        while not work.done() and (left_s := look.left_s() + CLEAR_UP_S / 2) > 0:
            await asyncio.wait({work}, timeout=left_s)
    finally:
        if not (is_over := work.done()):
            clear_up(work)
        await kernels.end(CLEAR_UP_S / 2)
    checks = work.result() if is_over else judge(spec, look.listed, look, bool(kernels.sessions))
    took_s = time.monotonic() - started_s - look.waited_s
    listed = list_readable(look.listed or ())
    return Report(tuple(checks), measure(look), took_s, listed)


class KernelsOfOurs:
    """The tiny tasks' kernels: they come up beside the look at the list of models."""

    def __init__(self, sandbox: Sandbox | None, count: int) -> None:
        self.sessions: list[Session] = []
        self.are_decided, self.is_over = asyncio.Event(), asyncio.Event()
        self.undecided = count
        self.keeping = {asyncio.ensure_future(self.keep(sandbox)) for _ in range(count)}

    async def keep(self, sandbox: Sandbox | None) -> None:
        """Open a session, have it run an empty cell, and close it when all is over."""
        is_decided = False
        try:
            async with session_of(sandbox) as session:
                await session.run("pass", KERNEL_S)
                self.sessions.append(session)
                self.decide()
                is_decided = True
                await self.is_over.wait()
        except (KernelLost, SandboxUnavailable):
            pass
        finally:
            if not is_decided:
                self.decide()

    def decide(self) -> None:
        """Note that a kernel is up, or will not come."""
        self.undecided -= 1
        if not self.undecided:
            self.are_decided.set()

    async def end(self, patience_s: float) -> None:
        """Let them end, and wait for that no longer than `patience_s`."""
        self.is_over.set()
        if self.undecided:
            for keeping in self.keeping:
                keeping.cancel()
        await asyncio.wait(self.keeping, timeout=patience_s)
        for keeping in self.keeping:
            if not keeping.done():
                clear_up(keeping)
            elif not keeping.cancelled() and (error := keeping.exception()):
                log.error("the tiny tasks' kernel broke", exc_info=error)


def clear_up(work: asyncio.Future[Any]) -> None:
    """Call `work` off without waiting for it; how it ends no longer matters."""
    work.cancel()
    _left.add(work)
    work.add_done_callback(_left.discard)
    work.add_done_callback(lambda done: done.cancelled() or done.exception())


async def examine(
    spec: EndpointSpec,
    kernels: KernelsOfOurs,
    transport: httpx2.AsyncBaseTransport | None,
    look: EndpointLook,
    kernel_s: float,
) -> list[Check]:
    """Examine the list of models and the tiny tasks started together."""
    async with open_http(transport) as http:
        http.event_hooks = {"response": [look.note_response]}
        look.listed, refusal = await list_models(spec, http, look)
        if refusal is not None and refusal.code in (*DENIED, *UNREACHED):
            return access(spec, refusal)
        if not spec.model:
            return judge_list(spec, look)
        await look.wait_for(kernels.are_decided, kernel_s)
        await play_tiny_tasks(spec, http, kernels, look)
        return judge(spec, look.listed, look, bool(kernels.sessions))


async def play_tiny_tasks(
    spec: EndpointSpec, http: httpx2.AsyncClient, kernels: KernelsOfOurs, look: EndpointLook
) -> None:
    """Play as many as there are kernels, all at once; one more alone if all were cut off.

    Some servers, such as llama_cpp.server, end a reply as soon as somebody else asks.
    """
    if not kernels.sessions:
        return
    chat = EndpointClient(spec, http)
    look.left_out = chat.left_out
    look.plays = [TinyPlay(look, task) for task in TINY_TASKS[: len(kernels.sessions)]]
    pairs = zip(look.plays, kernels.sessions, strict=False)
    await asyncio.gather(*(converse(chat, session, play) for play, session in pairs))
    if len(look.plays) > 1 and all(is_cut_off(play) for play in look.plays):
        look.cut_off = len(look.plays)
        look.plays = [TinyPlay(look, TINY_TASKS[0])]
        await converse(chat, kernels.sessions[0], look.plays[0])


def is_cut_off(play: TinyPlay) -> bool:
    """True if it ended without a step since the endpoint ended a connection."""
    refusal = play.refusal
    return not play.steps and refusal is not None and refusal.code == "endpoint_cut_off"


async def list_models(
    spec: EndpointSpec, http: httpx2.AsyncClient, look: EndpointLook | None = None
) -> tuple[frozenset[str] | None, Problem | None]:
    """The names of its models when it lists them, and why it could not be asked at all."""
    try:
        errors.check_spec(spec)
        async with asyncio.timeout(LIST_S):
            headers = bearer(spec) | extra_headers.wrap(spec.extra_headers)
            response = await http.get(f"{spec.base_url.rstrip('/')}/models", headers=headers)
    except TimeoutError:
        return None, None
    except ProblemError as error:
        return None, error.problem
    except CONNECTION_ERRORS as error:
        return None, errors.of_connection(error, spec).problem
    if response.status_code in (401, 403):
        return None, errors.of_status(response.status_code, {}, ErrorReport(), spec).problem
    if response.status_code != 200:
        return None, None
    if len(response.content) <= LARGE_BYTES:
        if look is not None:
            look.context_tokens = read_context_tokens(response.content, spec.model)
        return read_names(response.content), None
    try:
        return await readers().read(spec.base_url, read_names, response.content), None
    except UnreadableText:
        return None, None


def bearer(spec: EndpointSpec) -> dict[str, str]:
    return {"Authorization": f"Bearer {spec.api_key.strip()}"} if spec.api_key.strip() else {}


async def converse(chat: EndpointClient, session: Session, play: TinyPlay) -> None:
    """Play a tiny task; its end stays unknown if time ran out first or the kernel was lost."""
    query, action_format = play.task.suite_task.spec.query, chat.spec.action_format
    try:
        async with asyncio.timeout_at(loop_time(play.look.deadline_s)):
            episode = Episode(
                chat=chat,
                session=session,
                limits=LIMITS,
                listener=play,
                slots=asyncio.Semaphore(1),
                messages=prompts.opening(query, (), action_format, LIMITS),
                tally=AttemptTally(),
                started_s=time.monotonic(),
            )
            play.over = await episode.play()
    except (TimeoutError, KernelLost):
        pass


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
