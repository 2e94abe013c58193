"""The memory budget of a host, with processes that really use it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.contract import CellStatus, Limits, SandboxUnavailable
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host import cgroups, memory_budget, memory_watchdog
from runner.sandbox.host.memory_budget import MIB, MemoryBudget, budget_bytes, enclose
from runner.sandbox.policy import SandboxPolicy
from runner.sandbox.zygote.service_client import end_own_daemons

HOLD = "import sys, time; x = bytearray(b'x') * (int(sys.argv[1]) << 20); print(); time.sleep(600)"
LIMITS = Limits(cell_timeout_s=120)
FAT = "x = bytearray(b'x') * (900 << 20); len(x)"
THIN = "y = bytearray(b'y') * (60 << 20); len(y)"


def test_the_one_that_uses_most_must_end() -> None:
    kept = MemoryBudget(limit_bytes=100)
    assert not kept.must_end("thin", 30)
    assert not kept.must_end("fat", 60)
    assert not kept.must_end("third", 10)
    assert not kept.must_end("thin", 45)  # over now, and not by most
    assert kept.must_end("fat", 60)
    kept.forget("fat")
    assert not kept.must_end("thin", 90)


def test_the_setting_counts_in_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory_budget.SETTING, "1024")
    assert budget_bytes() == 1 << 30
    for senseless in ("12", "much", "-5"):
        monkeypatch.setenv(memory_budget.SETTING, senseless)
        with pytest.raises(SandboxUnavailable, match=memory_budget.SETTING):
            budget_bytes()


def test_without_a_setting_the_host_keeps_a_quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(memory_budget.SETTING, raising=False)
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < budget_bytes() <= 0.76 * total


@contextlib.contextmanager
def holding(
    megabytes: int, group: cgroups.ControlGroup | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A process that holds so much, once it does or is dead."""
    argv = [*(group.enter() if group else ()), sys.executable, "-c", HOLD, str(megabytes)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process
        finally:
            process.kill()


async def test_watched_sandboxes_end_the_fattest_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_watchdog, "BUDGET", MemoryBudget(400 * MIB))
    with holding(80) as thin, holding(150) as second, holding(250) as fat:
        watches = [
            asyncio.create_task(memory_watchdog.watch(process.pid, 1 << 40, asyncio.Event()))
            for process in (thin, second, fat)
        ]
        done, _ = await asyncio.wait(watches, timeout=180, return_when=asyncio.FIRST_COMPLETED)
        assert done == {watches[2]}
        assert watches[2].result()
        fat.kill()
        await asyncio.sleep(4 * memory_watchdog.PERIOD_S)
        assert not watches[0].done()
        assert not watches[1].done()
        for watch in watches:
            watch.cancel()


@pytest.fixture
def own_group(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A group of the test's own, so that no other sandbox of the host has its limit."""
    monkeypatch.setattr(memory_budget, "GROUP", f"pybench{secrets.token_hex(4)}")
    yield
    found = cgroups.find()
    for _, base in found.bases if found else ():
        for folder, _, _ in os.walk(base / memory_budget.GROUP, topdown=False):
            with contextlib.suppress(OSError):
                Path(folder).rmdir()


@pytest.mark.sandbox
@pytest.mark.usefixtures("own_group")
def test_group_over_the_budget_loses_its_fattest_member() -> None:
    found = cgroups.find()
    if found is None:
        return  # watching is tested above
    inside = enclose(found, 300 * MIB)
    policy = SandboxPolicy.of(Limits(memory_bytes=1 << 30))
    thin, fat = (inside.create(f"pybench-{name}", policy) for name in ("thin", "fat"))
    try:
        with holding(60, thin) as neighbour, holding(600, fat) as glutton:
            assert glutton.wait(180) == -9
            assert neighbour.poll() is None
            assert (thin.kills(), fat.kills() > 0) == (0, True)
    finally:
        assert thin.remove()
        assert fat.remove()


@pytest.mark.sandbox
@pytest.mark.usefixtures("own_group")
@pytest.mark.parametrize("has_cgroups", [True, False])
async def test_fat_session_ends_as_out_of_memory_and_neighbours_go_on(
    has_cgroups: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(memory_budget.SETTING, "700")
    monkeypatch.delenv("PYBENCH_SANDBOXD", raising=False)
    if not has_cgroups:
        monkeypatch.setattr("runner.sandbox.factory.find_groups", lambda: None)
    await asyncio.to_thread(end_own_daemons)
    sandbox = open_sandbox()
    sessions = [await sandbox.open(tmp_path, LIMITS) for _ in range(3)]
    try:
        for session in sessions:
            assert (await session.run(THIN, 120)).status is CellStatus.OK
        fat = await sessions[1].run(f"{FAT}; import time; time.sleep(60)", 120)
        assert (fat.status, fat.reason) == (CellStatus.KILLED, "memory")
        for session in (sessions[0], sessions[2]):
            told = await session.run("len(y) >> 20", 120)
            assert told.outputs[0].text == "60"
    finally:
        for session in sessions:
            await session.close()
        await sandbox.close()
        await asyncio.to_thread(end_own_daemons)
