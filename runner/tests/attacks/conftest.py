"""The sandbox under attack."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from runner.contract import CellStatus
from runner.sandbox.factory import open_sandbox
from runner.sandbox.zygote.service_client import end_own_daemons
from runner.tests.attacks.played import Ground, honest_work_comes_right
from runner.tests.attacks.rows import SECRET, SMALL
from runner.tests.attacks.surroundings import Surroundings, find_traces, made_surroundings
from runner.tests.support.sessions import show

SIBLING = """
import os, socket
terminal = os.openpty()
open('output/sibling-7c2e.txt', 'w').write('sibling-7c2e')
t = socket.create_server(('127.0.0.1', 45671)); u = socket.socket(socket.AF_UNIX)
u.bind('\\0sibling-7c2e'); u.listen(); kept = 'sibling-7c2e'; print('ready')
"""
STILL = "print(kept, open('output/sibling-7c2e.txt').read(), open('data/a.csv').read())"


@pytest.fixture(scope="session")
def runtime_folder() -> Iterator[Path]:
    """Short enough for sockets; a service that is started in it serves all files of a process."""
    folder = Path(f"/tmp/pb-{secrets.token_hex(3)}")
    yield folder
    end_own_daemons()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def runtime(runtime_folder: Path) -> Iterator[Path]:
    """A runtime folder of these tests' own, and a secret beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYBENCH_SANDBOX_DIR", str(runtime_folder))
        patch.setenv("PYBENCH_TEST_CANARY", SECRET)
        patch.setenv("DJANGO_SECRET_KEY", SECRET)
        patch.delenv("PYBENCH_SANDBOXD", raising=False)
        yield runtime_folder


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surroundings]:
    with made_surroundings(tmp_path_factory.mktemp("host")) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ground(
    runtime: Path,
    surroundings: Surroundings,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Ground]:
    inputs = tmp_path_factory.mktemp("inputs")
    (inputs / "a.csv").write_text("x,y\n1,2\n")
    sandbox = open_sandbox()
    try:
        sibling = await sandbox.open(inputs, SMALL)
        try:
            ready = await sibling.run(SIBLING, 60)
            assert "ready" in show(ready), show(ready)
            before = find_traces(runtime, surroundings.marker)
            ground = Ground(sandbox, sibling, inputs, surroundings, runtime, before)
            yield ground
            await honest_work_comes_right(ground, tmp_path_factory.mktemp("taken"))
            still = await sibling.run(STILL, 60)
            assert still.status is CellStatus.OK, show(still)
            assert show(still).startswith("sibling-7c2e sibling-7c2e x,y")
        finally:
            await sibling.close()
    finally:
        await sandbox.close()
