"""Sandboxes and endpoints that tell the metrics how long they took; otherwise as they are."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from runner import metrics
from runner.contract import CellResult, CellStatus, EndpointSpec, FileChange, Harvest, Limits
from runner.endpoint import Endpoint
from runner.refusals import EndpointError
from runner.reply import ModelReply
from runner.sandbox.base import Sandbox, Session, ToolJob, ToolResult


class MeteredSession:
    """A session whose cells, and whose kernels' starts, are timed."""

    def __init__(self, session: Session, opening_s: float) -> None:
        self.session = session
        self.opening_s: float | None = opening_s  # None while a kernel runs

    async def run(self, code: str, timeout_s: float) -> CellResult:
        started_s = time.monotonic()
        result = await self.session.run(code, timeout_s)
        if self.opening_s is not None:
            waited_s = time.monotonic() - started_s - result.duration_s
            metrics.KERNEL_START.observe(self.opening_s + max(0.0, waited_s))
        self.opening_s = 0.0 if result.status is CellStatus.KILLED else None
        metrics.CELL.labels(result.status).observe(result.duration_s)
        return result

    async def interrupt(self) -> None:
        await self.session.interrupt()

    async def changes(self) -> tuple[FileChange, ...]:
        return await self.session.changes()

    async def harvest(self, dest: Path, wanted: Collection[str] = ()) -> Harvest:
        return await self.session.harvest(dest, wanted)

    async def close(self) -> None:
        await self.session.close()


class MeteredSandbox:
    """A sandbox whose sessions are metered."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.kind = sandbox.kind

    async def open(self, inputs: Path, limits: Limits) -> Session:
        started_s = time.monotonic()
        session = await self.sandbox.open(inputs, limits)
        return MeteredSession(session, time.monotonic() - started_s)

    async def run_tool(self, job: ToolJob) -> ToolResult:
        return await self.sandbox.run_tool(job)

    def environment(self) -> dict[str, str]:
        return self.sandbox.environment()

    async def close(self) -> None:
        await self.sandbox.close()


class MeteredChat:
    """An endpoint whose replies, and failures to reply, are timed."""

    def __init__(self, chat: Endpoint) -> None:
        self.chat = chat
        self.spec: EndpointSpec = chat.spec

    async def reply(self, messages: Sequence[Mapping[str, object]], timeout_s: float) -> ModelReply:
        started_s = time.monotonic()
        result = "cancelled"
        try:
            reply = await self.chat.reply(messages, timeout_s)
            result = "reply"
            return reply
        except EndpointError as error:
            result = error.problem.code
            raise
        finally:
            metrics.REPLY.labels(result).observe(time.monotonic() - started_s)
