"""How kernels behind a real Jupyter gateway end, and what happens when the gateway does."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import urllib.error
from pathlib import Path

import pytest

from runner.contract import CellStatus, Limits
from runner.sandbox.base import KernelLost, Sandbox, SandboxUnavailable, Session
from runner.sandbox.factory import open_sandbox
from runner.sandbox.gateway.session import GatewaySession
from runner.tests.attacks.surroundings import show
from runner.tests.gateways.real import RealGateway, real_gateway, wait_for
from runner.tests.gateways.talk import heard_from, kinds, run, until

pytestmark = [pytest.mark.sandbox, pytest.mark.services]

DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
SLEEP = "import time; print('on', flush=True); time.sleep(100)"


async def test_a_cell_that_ignores_its_interrupt_is_killed_and_its_files_are_gone(
    session: Session, gateway: RealGateway, tmp_path: Path
) -> None:
    await run(session, "open('output/a.txt', 'w').write('x')")
    await session.changes()
    killed = await run(session, DEAF, 1.0)
    assert (killed.status, killed.reason) == (CellStatus.KILLED, "timeout")
    assert "all files that it made" in killed.outputs[-1].text
    assert gateway.kernels() == []
    assert kinds(await session.changes()) == [("output/a.txt", "deleted")]
    harvest = await session.harvest(tmp_path / "taken", ["a.txt"])
    assert [(r.path, r.reason) for r in harvest.refused] == [
        ("a.txt", "is lost: its kernel died before it was handed over")
    ]
    assert show(await run(session, "print(open('data/a.csv').read())")) == "x,y\n1,2\n\n"


async def test_a_kernel_that_ends_itself_is_a_typed_end(
    session: Session, gateway: RealGateway
) -> None:
    await run(session, "x = 1; open('output/a.txt', 'w').write('x')")
    died = await run(session, "import os; os._exit(3)")
    after = await run(session, "import os; print(os.listdir('output'), 'x' in dir())")
    assert (died.status, died.reason) == (CellStatus.KILLED, "died")
    assert show(after) == "[] False\n"
    assert len(gateway.kernels()) == 1


async def test_a_kernel_killed_between_cells_is_replaced_and_said_so(
    session: Session, gateway: RealGateway
) -> None:
    await run(session, "open('output/a.txt', 'w').write('x')")
    await session.changes()
    (pid,) = gateway.processes()
    os.kill(pid, signal.SIGKILL)
    assert isinstance(session, GatewaySession)
    await until(session.has_lost_kernel)  # the gateway looks every few seconds
    assert kinds(await session.changes()) == [("output/a.txt", "deleted")]
    after = await run(session, "print(1)")
    assert show(after) == "1\n"


async def test_a_kernel_killed_in_mid_cell_is_a_typed_end(
    session: Session, gateway: RealGateway
) -> None:
    await run(session, "1")
    (pid,) = gateway.processes()
    task = asyncio.create_task(run(session, SLEEP))
    await heard_from(session)
    os.kill(pid, signal.SIGKILL)
    died = await task
    assert (died.status, died.reason) == (CellStatus.KILLED, "died")


async def test_a_kernel_that_the_gateway_forgets_is_not_the_models_doing(
    session: Session, gateway: RealGateway
) -> None:
    await run(session, "1")
    (kernel,) = gateway.kernels()
    gateway.ask("DELETE", f"/api/kernels/{kernel}")
    with pytest.raises(KernelLost, match="no longer knows the kernel"):
        await run(session, "print(1)")


async def test_nothing_is_asked_of_the_gateway_before_the_first_cell(
    session: Session, gateway: RealGateway, tmp_path: Path
) -> None:
    assert await session.changes() == ()
    assert (await session.harvest(tmp_path / "taken")).files == ()
    assert gateway.kernels() == []


async def test_the_kernel_is_deleted_with_the_harvest(
    session: Session, gateway: RealGateway, tmp_path: Path
) -> None:
    place = await run(session, "import os; open('output/a', 'w').close(); print(os.getcwd())")
    assert len(gateway.kernels()) == 1
    await session.harvest(tmp_path / "taken")
    assert gateway.kernels() == []
    folder = Path(show(place).strip())
    assert folder.is_relative_to(gateway.folder)
    wait_for(lambda: not folder.exists(), "its folder is gone")


@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.3, 1.0, 3.0])
async def test_a_cancelled_cell_leaves_no_kernel_once_closed(
    sandbox: Sandbox, inputs: Path, gateway: RealGateway, delay_s: float
) -> None:
    """Cancelled while the kernel is asked for, starts, is given its inputs, or runs the cell."""
    session = await sandbox.open(inputs, Limits())
    task = asyncio.create_task(run(session, "while True: pass"))
    await asyncio.sleep(delay_s)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await session.close()
    assert gateway.kernels() == []


@pytest.mark.parametrize("delay_s", [0.05, 1.0, 3.0])
async def test_closing_from_elsewhere_ends_a_cell_on_its_way(
    sandbox: Sandbox, inputs: Path, gateway: RealGateway, delay_s: float
) -> None:
    session = await sandbox.open(inputs, Limits())
    task = asyncio.create_task(run(session, "while True: pass"))
    await asyncio.sleep(delay_s)
    await session.close()
    with contextlib.suppress(KernelLost):
        assert (await task).status is CellStatus.KILLED
    assert gateway.kernels() == []
    with pytest.raises(KernelLost, match="closed"):
        await run(session, "1")


async def test_a_gateway_that_is_killed_makes_void_and_the_worker_lives(
    gateway: RealGateway, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with real_gateway(tmp_path / "other") as other:
        for name, value in other.settings().items():
            monkeypatch.setenv(name, value)
        sandbox = open_sandbox()
        sessions = [await sandbox.open(inputs, Limits()) for _ in range(3)]
        running, idle, unused = sessions
        await asyncio.gather(run(running, "1"), run(idle, "1"))
        task = asyncio.create_task(run(running, SLEEP))
        await heard_from(running)
        other.kill()
        with pytest.raises(KernelLost, match="cannot be reached"):
            await task
        with pytest.raises(KernelLost, match="cannot be reached"):
            await run(idle, "1")
        with pytest.raises(KernelLost, match="cannot be reached"):
            await run(unused, "1")
        for session in sessions:
            await session.close()
        await sandbox.close()
        with pytest.raises(SandboxUnavailable, match="cannot be reached"):
            open_sandbox()
    for name, value in gateway.settings().items():
        monkeypatch.setenv(name, value)
    sandbox = open_sandbox()
    session = await sandbox.open(inputs, Limits())
    assert show(await run(session, "print(6 * 7)")) == "42\n"
    await session.close()
    await sandbox.close()


async def test_a_gateway_killed_before_the_harvest_makes_void(
    gateway: RealGateway, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with real_gateway(tmp_path / "other") as other:
        for name, value in other.settings().items():
            monkeypatch.setenv(name, value)
        sandbox = open_sandbox()
        session = await sandbox.open(inputs, Limits())
        await run(session, "open('output/a.txt', 'w').write('x')")
        other.kill()
        with pytest.raises(KernelLost, match="cannot be reached"):
            await session.harvest(tmp_path / "taken")
        await session.close()
        await sandbox.close()


def test_an_unknown_kernel_id_is_a_404(gateway: RealGateway) -> None:
    """What `FORGOTTEN` rests on."""
    with pytest.raises(urllib.error.HTTPError, match="404"):
        gateway.ask("DELETE", "/api/kernels/00000000-0000-4000-8000-000000000000")
