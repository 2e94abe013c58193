"""What can be told of an endpoint in ten seconds, before a run is queued."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from runner import prompts, refusals
from runner.contract import EndpointSpec, Limits, Problem, ProblemError
from runner.endpoint import CONNECTION_ERRORS, Endpoint
from runner.episode import Episode, EpisodeOver, Tally
from runner.outbound import open_http
from runner.preflight_report import (
    DENIED,
    REPLY_S,
    UNREACHED,
    Check,
    Look,
    Report,
    access,
    judge,
    measure,
)
from runner.sandbox.base import KernelLost, Sandbox, SandboxUnavailable, Session
from runner.tiny_task import TINY

log = logging.getLogger(__name__)

TOTAL_S = 10.0
KERNEL_S = 15.0  # for a kernel of ours to be there, besides: one is at once on a warm worker
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
        elif not self.keeping.cancelled() and (error := self.keeping.exception()):
            log.error("the tiny task's kernel broke", exc_info=error)


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
