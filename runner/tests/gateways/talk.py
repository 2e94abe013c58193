"""What the tests of kernels behind a gateway say to them, and wait for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from runner.contract import CellResult, FileChange
from runner.sandbox.base import Session
from runner.sandbox.gateway.session import GatewaySession

BYTES = bytes(range(256)) * (20 << 10)  # more than one piece


def kinds(changes: tuple[FileChange, ...]) -> list[tuple[str, str]]:
    return [(change.path, change.kind.value) for change in changes]


async def run(session: Session, code: str, timeout_s: float = 60.0) -> CellResult:
    return await session.run(code, timeout_s)


async def heard_from(session: Session) -> None:
    """Wait until the running cell has shown something."""
    assert isinstance(session, GatewaySession)
    await until(
        lambda: bool(session.wire and session.wire.cell and session.wire.cell.outputs.items)
    )


async def until(is_so: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + 60
    while True:
        if is_so():
            return
        assert time.monotonic() < deadline_s
        await asyncio.sleep(0.05)
