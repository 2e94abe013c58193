"""Fixtures of a sandbox and of sessions in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from runner.contract import Limits
from runner.sandbox.base import Sandbox, Session
from runner.sandbox.factory import open_sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    asyncio.run(opened.close())


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """The folder that a session finds as ./data; a file of tests may fill one of its own."""
    folder = tmp_path / "inputs"
    folder.mkdir()
    return folder


@pytest.fixture
async def session(sandbox: Sandbox, inputs: Path) -> AsyncIterator[Session]:
    opened = await sandbox.open(inputs, Limits())
    yield opened
    await opened.close()
