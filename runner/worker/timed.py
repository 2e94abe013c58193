"""Wrappers that record Prometheus timings of a sandbox and an endpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from runner.contract import CellResult, CellStatus, Limits
from runner.endpoint.errors import EndpointError
from runner.episode import Chat
from runner.model.prompts import Message
from runner.model.reply import ModelReply
from runner.sandbox.base import Sandbox, Session
from runner.worker import metrics


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
            metrics.KERNEL_START.observe(start_s + max(0.0, waited_s))
        start_s = 0.0 if result.status is CellStatus.KILLED else None
        metrics.CELL.labels(result.status).observe(result.duration_s)
        return result

    return cast(Session, Overlay(session, run=run))


def timed_chat(chat: Chat) -> Chat:
    """An endpoint whose replies, and failures to reply, are timed."""

    async def reply(messages: Sequence[Message], timeout_s: float) -> ModelReply:
        result = "cancelled"
        with metrics.REPLY.time() as timer:
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
