"""A process tree behind bubblewrap, as the host holds it: by pidfd, never by number."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from runner.sandbox.base import KernelLost
from runner.sandbox.bubblewrap import Boxing
from runner.sandbox.cgroups import Group
from runner.sandbox.descriptors import read_until, wait_readable
from runner.sandbox.rooms import Rooms
from runner.sandbox.spawning import spawn

LOG_BYTES = 1 << 16
START_TIMEOUT_S = 30.0
END_TIMEOUT_S = 5.0
F_ADD_SEALS, NO_SHRINK_NO_GROW = 1033, 0x1 | 0x2 | 0x4


class Box:
    """bwrap's outer process and pid 1 of its sandbox, whose death is everybody's inside."""

    def __init__(self, outer: subprocess.Popen[bytes], init_pid: int, log: int) -> None:
        self.outer = outer
        self.init_pid = init_pid
        self.log = log
        self.cpu_s = 0.0
        self.is_closed = False
        self.init = os.pidfd_open(init_pid)
        self.died = asyncio.Event()
        self._ending: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self.init, self._notice_death)

    def _notice_death(self) -> None:
        self._loop.remove_reader(self.init)
        self.died.set()

    def kill(self) -> None:
        """Ends everything inside, at once; returns before it is over."""
        if not self.is_closed:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.init, signal.SIGKILL)

    async def wait(self, timeout_s: float) -> bool:
        """Whether pid 1 inside ended within the time."""
        try:
            async with asyncio.timeout(timeout_s):
                await self.died.wait()
        except TimeoutError:
            return False
        return True

    async def end(self) -> int:
        """Kill what is left, reap it, close the descriptors. The command's exit status."""
        self.kill()
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        await asyncio.shield(self._ending)
        return self.outer.returncode

    async def _end(self) -> None:
        await self.wait(END_TIMEOUT_S)
        self.cpu_s = await reap(self.outer)
        self.is_closed = True
        self._loop.remove_reader(self.init)
        os.close(self.init)
        os.close(self.log)

    def log_text(self) -> str:
        """What the tree wrote to its own stdout and stderr, for diagnosis."""
        return "" if self.is_closed else read_log(self.log)


async def reap(outer: subprocess.Popen[bytes]) -> float:
    """Wait for bwrap to end by itself, else kill it; the CPU seconds of its tree."""
    pidfd = os.pidfd_open(outer.pid)
    try:
        if not await wait_readable(pidfd, END_TIMEOUT_S):
            outer.kill()
    finally:
        os.close(pidfd)
    _, status, used = os.wait4(outer.pid, 0)  # noqa: ASYNC222 (it has ended)
    outer.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


async def start_box(
    boxing: Boxing,
    rooms: Rooms,
    group: Group | None,
    argv: Sequence[str],
    *,
    inherited: Sequence[int] = (),
    stdin: int = subprocess.DEVNULL,
    stdout: int | None = None,
    stderr: int | None = None,
) -> Box:
    """Run `argv` in a sandbox of its own. Output goes to the log unless told otherwise.

    Raises KernelLost with bwrap's words when it does not start.
    """
    log = make_log()
    info_out, info_in = os.pipe()
    gate_out, gate_in = os.pipe()
    filter_fd = os.open(boxing.site.filter, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            outer = await spawn(
                [
                    *(group.enter() if group else []),
                    *rooms.enter(boxing.policy),
                    *boxing.command(argv, filter_fd, info_in, gate_out),
                ],
                stdin=stdin,
                stdout=log if stdout is None else stdout,
                stderr=log if stderr is None else stderr,
                inherited=[*inherited, *rooms.inherited, filter_fd, info_in, gate_out],
            )
        finally:
            for fd in (info_in, gate_out, filter_fd):
                os.close(fd)
        return await take_hold(outer, info_out, gate_in, log)
    except BaseException:
        os.close(log)
        raise
    finally:
        os.close(info_out)
        os.close(gate_in)


async def take_hold(outer: subprocess.Popen[bytes], info: int, gate: int, log: int) -> Box:
    """Hold pid 1 by its pidfd before it may go on: a short command could be over by then."""
    try:
        box = Box(outer, await find_init(outer, info, log), log)
        os.write(gate, b"1")
    except BaseException:
        outer.kill()
        await asyncio.shield(asyncio.ensure_future(reap(outer)))
        raise
    return box


async def find_init(outer: subprocess.Popen[bytes], info: int, log: int) -> int:
    """Pid 1 of the sandbox, on the host: bwrap's child, which is the outer process's child."""
    told = await read_until(info, b"}", START_TIMEOUT_S)
    bwrap = first_child(outer.pid) if b"}" in told else None
    init = first_child(bwrap) if bwrap else None
    if init is None:
        raise KernelLost(f"The sandbox did not start: {read_log(log)[-500:]}")
    return init


def first_child(pid: int) -> int | None:
    """The first process that a process started: under pid 1 of a sandbox, the command itself."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return None
    return int(children[0]) if children else None


def make_log() -> int:
    """A file in memory that cannot grow: no log can be flooded."""
    fd = os.memfd_create("log", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, LOG_BYTES)
    fcntl.fcntl(fd, F_ADD_SEALS, NO_SHRINK_NO_GROW)
    return fd


def read_log(fd: int) -> str:
    return os.pread(fd, LOG_BYTES, 0).rstrip(b"\0").decode("utf-8", "replace")
