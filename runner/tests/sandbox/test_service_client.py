"""The worker's end of a line to the sandbox service: gone peers and cancelled waits."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.contract import KernelLost
from runner.sandbox import packets
from runner.sandbox.host.async_fds import wait_readable
from runner.sandbox.zygote.service_client import Daemon


async def test_a_packet_of_a_dead_peer_is_the_end() -> None:
    ours, theirs = packets.pair()
    with ours:
        theirs.close()
        assert packets.receive_now(ours) is None


async def test_a_service_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.sandbox.zygote.service_client.CONNECT_TIMEOUT_S", 0.2)
    with pytest.raises(KernelLost, match="does not listen at /nowhere/d.sock"):
        async with asyncio.timeout(180):
            await Daemon(Path("/nowhere/d.sock")).connect()


async def test_service_that_accepts_nobody_holds_up_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.sandbox.zygote.service_client.CONNECT_TIMEOUT_S", 0.5)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(str(tmp_path / "d.sock"))
        listener.listen(0)
        daemon = Daemon(tmp_path / "d.sock")
        with await daemon.connect():
            task = asyncio.create_task(daemon.connect())
            for _ in range(3):  # turns of the loop while it waits
                await asyncio.sleep(0.01)
            assert not task.done()
            with pytest.raises(KernelLost, match="does not listen at"):
                async with asyncio.timeout(180):
                    await task


async def test_a_wait_that_is_cancelled_as_it_ends_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Guards against a loss in `asyncio.wait_for` of Python 3.11: a cell that was called off went
    on."""
    tell: list[Callable[[], None]] = []
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "add_reader", lambda fd, callback: tell.append(callback))
    task = asyncio.create_task(wait_readable(0, 30))
    await asyncio.sleep(0)
    tell[0]()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
