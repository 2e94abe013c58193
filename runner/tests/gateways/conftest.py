"""A real gateway for each file of tests, and sessions behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from runner.contract import Limits
from runner.sandbox.base import Sandbox, Session
from runner.sandbox.factory import open_sandbox
from runner.tests.gateways.real import RealGateway, gateway_in_force, wait_for
from runner.tests.gateways.talk import BYTES


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealGateway]:
    with gateway_in_force(tmp_path_factory.mktemp("gateway")) as running:
        yield running


@pytest.fixture
async def sandbox(gateway: RealGateway) -> AsyncIterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    await opened.close()
    wait_for(lambda: not gateway.kernels(), "every kernel is deleted")


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "inputs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.csv").write_text("x,y\n1,2\n")
    (folder / "empty").touch()
    (folder / "sub" / "b.bin").write_bytes(BYTES)
    return folder


@pytest.fixture
async def session(sandbox: Sandbox, inputs: Path) -> AsyncIterator[Session]:
    opened = await sandbox.open(inputs, Limits())
    yield opened
    await opened.close()
