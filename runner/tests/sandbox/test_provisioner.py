"""The seam to jupyter_client's kernel manager: what it does for us, and what it is kept from."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from runner.contract import KernelLost
from runner.sandbox.kernel.provisioner import Launched, start_kernel


class Bare:
    """A kernel that is nothing but alive or dead."""

    def __init__(self) -> None:
        self.died = asyncio.Event()
        self.sockets: dict[str, socket.socket] = {}
        self.signals: list[str] = []

    def interrupt(self) -> None:
        self.signals.append("interrupt")

    def kill(self) -> None:
        self.signals.append("kill")

    async def end(self) -> None:
        self.signals.append("end")
        self.died.set()

    def is_out_of_memory(self) -> bool:
        return False

    def fault(self) -> str:
        return ""


class BareStart:
    """Launches one, or fails."""

    def __init__(self, failure: BaseException | None = None) -> None:
        self.failure = failure
        self.keys: list[bytes] = []

    async def launch(self, key: bytes) -> Launched:
        self.keys.append(key)
        if self.failure:
            raise self.failure
        return Bare()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses that the manager would have slept."""
    slept: list[float] = []

    async def note(delay_s: float, result: object = None) -> None:
        slept.append(delay_s)

    monkeypatch.setattr("jupyter_client.manager.asyncio.sleep", note)
    return slept


def test_a_kernel_is_started_and_ended_without_a_pause_or_a_file(
    tmp_path: Path, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))

    async def live() -> None:
        start = BareStart()
        manager, kernel = await start_kernel(start)
        assert start.keys == [manager.session.key]
        assert len(start.keys[0]) >= 32
        assert await manager.is_alive()
        await manager.shutdown_kernel(now=True)
        assert kernel.died.is_set()
        assert not manager.has_kernel

    asyncio.run(live())
    assert pauses == []
    assert list(tmp_path.glob("runtime/*")) == []


def test_each_kernel_has_a_key_of_its_own() -> None:
    async def live() -> None:
        start = BareStart()
        for _ in range(3):
            manager, _kernel = await start_kernel(start)
            await manager.shutdown_kernel(now=True)
        assert len(set(start.keys)) == 3

    asyncio.run(live())


@pytest.mark.parametrize("failure", [KernelLost("no room"), OSError(28, "disk full")])
def test_what_keeps_a_kernel_from_starting_is_said(failure: Exception) -> None:
    async def live() -> None:
        with pytest.raises(type(failure), match=str(failure.args[-1])):
            await start_kernel(BareStart(failure))

    asyncio.run(live())
