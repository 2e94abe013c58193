"""A process held by its pidfd: signalled, awaited and released."""

from __future__ import annotations

import os
import signal
import subprocess

from runner.sandbox.host.held_process import HeldProcess


async def test_process_is_signalled_awaited_and_released() -> None:
    with subprocess.Popen(["sleep", "600"]) as child:  # noqa: ASYNC220
        held = HeldProcess(os.pidfd_open(child.pid))
        assert not await held.wait(0.05)
        held.signal(signal.SIGKILL)
        assert await held.wait(180)
        held.let_go()
        held.let_go()
        held.signal(signal.SIGKILL)  # in vain, and to nobody else
        assert held.died.is_set()
    assert child.returncode == -signal.SIGKILL
