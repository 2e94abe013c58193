"""Sessions of the sandbox that close with their block, and what their cells say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from runner.contract import CellResult, CellStatus, Limits, OutputKind
from runner.sandbox.base import Sandbox, Session

USUAL = Limits()


@asynccontextmanager
async def opened(sandbox: Sandbox, inputs: Path, limits: Limits = USUAL) -> AsyncIterator[Session]:
    session = await sandbox.open(inputs, limits)
    try:
        yield session
    finally:
        await session.close()


@asynccontextmanager
async def two_sessions(
    sandbox: Sandbox, inputs: Path, limits: Limits = USUAL
) -> AsyncIterator[tuple[Session, Session]]:
    async with opened(sandbox, inputs, limits) as one, opened(sandbox, inputs, limits) as other:
        yield one, other


def show(result: CellResult) -> str:
    """Everything the cell's outputs say, as one text."""
    return "".join(
        f"{output.error_name}: {output.text}\n" if output.kind is OutputKind.ERROR else output.text
        for output in result.outputs
    )


async def tell(session: Session, code: str) -> str:
    result = await session.run(code, 60)
    assert result.status is CellStatus.OK, show(result)
    return show(result)
