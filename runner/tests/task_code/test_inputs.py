"""Instances: made once in the sandbox, the same for the same seed, refused when not as promised."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from runner.contract import Fault, ProblemError
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import Suite
from runner.task_code.inputs import Instance, instantiate
from runner.tests.support.small_suite import DOUBLE, small_suite

pytestmark = pytest.mark.sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    sandbox = open_sandbox()
    yield sandbox
    await sandbox.close()


def changed(make: str) -> str:
    """The task `double` with another make_inputs."""
    head, _, rest = DOUBLE.partition("def make_inputs(seed, data):\n")
    check = "def check" + rest.partition("def check")[2]
    return f"{head}def make_inputs(seed, data):\n    {make}\n    return {{}}\n\n\n{check}"


async def made(sandbox: Sandbox, suite: Suite, seed: int, cache: Path) -> Instance:
    return await instantiate(sandbox, suite, suite.task("double"), seed, cache)


async def test_same_seed_same_bytes(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    first = await made(sandbox, suite, 7, tmp_path / "one")
    again = await made(sandbox, suite, 7, tmp_path / "two")
    other = await made(sandbox, suite, 8, tmp_path / "one")
    assert (first.data / "number.txt").read_text() == "21"
    assert [f.sha256 for f in first.inputs] == [f.sha256 for f in again.inputs]
    assert [f.sha256 for f in first.inputs] != [f.sha256 for f in other.inputs]
    stored = first.inputs[0]
    assert (stored.path, stored.size_bytes) == ("number.txt", 2)
    assert stored.sha256 == hashlib.sha256(stored.location.read_bytes()).hexdigest()
    assert stored.location.stat().st_mode & 0o777 == 0o444


async def test_query_is_filled(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    instance = await instantiate(sandbox, suite, suite.task("greet"), 5, tmp_path / "cache")
    assert instance.query == "Write “Hello guest-5” to ./output/hello.txt."
    assert instance.inputs == ()


async def test_made_once_by_many(sandbox: Sandbox, tmp_path: Path) -> None:
    """Several at once end with one folder and leave nothing half-made."""
    suite = small_suite(tmp_path)
    cache = tmp_path / "cache"
    instances = await asyncio.gather(*(made(sandbox, suite, 7, cache) for _ in range(3)))
    assert len({instance.data for instance in instances}) == 1
    assert [p.name for p in next(cache.iterdir()).iterdir()] == ["double-7"]
    before = instances[0].data.stat().st_ino
    assert (await made(sandbox, suite, 7, cache)).data.stat().st_ino == before


async def test_changed_task_is_made_anew(sandbox: Sandbox, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    old = await made(sandbox, small_suite(tmp_path / "a"), 7, cache)
    task = changed('(data / "number.txt").write_text("5")')
    new = await made(sandbox, small_suite(tmp_path / "b", double=task), 7, cache)
    assert [(i.data / "number.txt").read_text() for i in (old, new)] == ["21", "5"]


BROKEN = [
    ("pass", "make_inputs wrote [], INPUTS names ['number.txt']"),
    ('(data / "other.txt").write_text("5")', "make_inputs wrote ['other.txt']"),
    ('(data / "number.txt").mkdir()', "make_inputs wrote []"),
    ('raise LookupError("no such thing")', "LookupError: no such thing"),
    ("import os; os._exit(3)", "ended with code 3"),
]


@pytest.mark.parametrize(("make", "says"), BROKEN)
async def test_broken_task(make: str, says: str, sandbox: Sandbox, tmp_path: Path) -> None:
    suite = small_suite(tmp_path, double=changed(make))
    with pytest.raises(ProblemError, match="Task double") as caught:
        await made(sandbox, suite, 7, tmp_path / "cache")
    assert says in caught.value.problem.what
    assert caught.value.problem.fault == Fault.US
    assert list(next((tmp_path / "cache").iterdir()).iterdir()) == []
