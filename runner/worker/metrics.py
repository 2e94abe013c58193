"""Prometheus metrics of a worker, and the wrappers of sandbox and endpoint that record timings."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.exposition import generate_latest

from runner.contract import AttemptResult, CellResult, CellStatus, Limits
from runner.endpoint.errors import EndpointError
from runner.episode import Chat
from runner.model.prompts import Message
from runner.model.reply import ModelReply
from runner.sandbox.base import Sandbox, Session

REGISTRY = CollectorRegistry(auto_describe=True)
ProcessCollector(registry=REGISTRY)

QUICK_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
SLOW_S = (0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 20, 60, 120, 300)

ATTEMPTS = Counter(
    "pybench_attempts", "Tries that this worker handed back.", ["outcome"], registry=REGISTRY
)
VOIDS = Counter("pybench_voids", "Of those, the void ones.", ["cause"], registry=REGISTRY)
KERNEL_START = Histogram(
    "pybench_kernel_start_seconds",
    "From asking for a kernel until its first cell begins.",
    buckets=QUICK_S,
    registry=REGISTRY,
)
CELL = Histogram(
    "pybench_cell_seconds", "A cell's time.", ["status"], buckets=SLOW_S, registry=REGISTRY
)
REPLY = Histogram(
    "pybench_endpoint_reply_seconds",
    "An endpoint's time to reply, retries included.",
    ["result"],  # "reply", or the code of the problem
    buckets=SLOW_S,
    registry=REGISTRY,
)


def count_result(result: AttemptResult) -> None:
    """Count a try that was handed back."""
    ATTEMPTS.labels(result.outcome).inc()
    if result.outcome.is_void:
        VOIDS.labels(result.problem.code if result.problem else "unexplained").inc()


def render() -> bytes:
    """All of it in Prometheus's text format."""
    return generate_latest(REGISTRY)


class Overlay:
    """An object with some of its methods replaced."""

    def __init__(self, inner: object, **methods: Callable[..., Any]) -> None:
        self.inner = inner
        vars(self).update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def timed_sandbox(sandbox: Sandbox) -> Sandbox:
    """A sandbox whose sessions' cells, and whose kernels' starts, are timed."""

    async def open_timed(inputs: Path, limits: Limits) -> Session:
        started_s = time.monotonic()
        session = await sandbox.open(inputs, limits)
        return timed_session(session, time.monotonic() - started_s)

    return cast(Sandbox, Overlay(sandbox, open=open_timed))


def timed_session(session: Session, opening_s: float) -> Session:
    start_s: float | None = opening_s  # of a kernel's start, spent so far; None while one runs

    async def run(code: str, timeout_s: float) -> CellResult:
        nonlocal start_s
        started_s = time.monotonic()
        result = await session.run(code, timeout_s)
        if start_s is not None:
            waited_s = time.monotonic() - started_s - result.duration_s
            KERNEL_START.observe(start_s + max(0.0, waited_s))
        start_s = 0.0 if result.status is CellStatus.KILLED else None
        CELL.labels(result.status).observe(result.duration_s)
        return result

    return cast(Session, Overlay(session, run=run))


def timed_chat(chat: Chat) -> Chat:
    """An endpoint whose replies, and failures to reply, are timed."""

    async def reply(messages: Sequence[Message], timeout_s: float) -> ModelReply:
        result = "cancelled"
        with REPLY.time() as timer:
            try:
                said = await chat.reply(messages, timeout_s)
                result = "reply"
                return said
            except EndpointError as error:
                result = error.problem.code
                raise
            finally:
                timer.labels(result)

    return cast(Chat, Overlay(chat, reply=reply))
