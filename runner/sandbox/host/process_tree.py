"""A process tree behind bubblewrap, as the host holds it: by pidfd, never by number."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import resource
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from runner.contract import KernelLost
from runner.sandbox.cleanup import on_failure, on_failure_await
from runner.sandbox.host.async_fds import read_until, wait_readable
from runner.sandbox.host.spawning import spawn

if TYPE_CHECKING:
    from runner.sandbox.host.bwrap_command import Boxing
    from runner.sandbox.host.cgroups import ControlGroup
    from runner.sandbox.host.work_mount import Rooms

LOG_BYTES = 1 << 16
START_TIMEOUT_S = 30.0
END_TIMEOUT_S = 5.0
F_ADD_SEALS, NO_SHRINK_NO_GROW = 1033, 0x1 | 0x2 | 0x4


class HeldProcess:
    """A process held by its pidfd, which is ours to close. `died` is set when it has ended."""

    def __init__(self, pidfd: int) -> None:
        self.pidfd = pidfd
        self.died = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(pidfd, self._notice_death)

    def _notice_death(self) -> None:
        self._loop.remove_reader(self.pidfd)
        self.died.set()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; in vain when it has ended or was released."""
        if self.pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)

    async def wait(self, timeout_s: float) -> bool:
        """Wait for its end; False if time runs out."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self.died.wait()
        return self.died.is_set()

    def let_go(self) -> None:
        """Close the pidfd. May be called again."""
        if self.pidfd >= 0:
            self._loop.remove_reader(self.pidfd)
            os.close(self.pidfd)
            self.pidfd = -1


class ProcessTree(HeldProcess):
    """bwrap's outer process and pid 1 of its sandbox, whose death is everybody's inside."""

    def __init__(self, outer: subprocess.Popen[bytes], init_pid: int, log: int) -> None:
        super().__init__(os.pidfd_open(init_pid))
        self.outer = outer
        self.init_pid = init_pid
        self.log = log
        self.cpu_s = 0.0
        self.peak_bytes = 0
        self._ending: asyncio.Task[None] | None = None

    def kill(self) -> None:
        """Ends everything inside, at once; returns before it is over."""
        self.signal(signal.SIGKILL)

    async def end(self) -> int:
        """Kill what is left, reap it, close the descriptors. The command's exit status."""
        self.kill()
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        await asyncio.shield(self._ending)
        return self.outer.returncode

    async def _end(self) -> None:
        await self.wait(END_TIMEOUT_S)
        used = await reap(self.outer)
        self.cpu_s = used.ru_utime + used.ru_stime
        self.peak_bytes = used.ru_maxrss << 10
        self.let_go()
        os.close(self.log)

    def log_text(self) -> str:
        """Text that the tree wrote to its own stdout and stderr, for diagnosis."""
        return "" if self.pidfd < 0 else read_log(self.log)


async def reap(outer: subprocess.Popen[bytes]) -> resource.struct_rusage:
    """Wait for bwrap to end by itself, else kill it; the usage of its tree."""
    pidfd = os.pidfd_open(outer.pid)
    try:
        if not await wait_readable(pidfd, END_TIMEOUT_S):
            outer.kill()
    finally:
        os.close(pidfd)
    _, status, used = os.wait4(outer.pid, 0)  # noqa: ASYNC222 (it has ended)
    outer.returncode = os.waitstatus_to_exitcode(status)
    return used


async def start_box(
    boxing: Boxing,
    rooms: Rooms,
    group: ControlGroup | None,
    argv: Sequence[str],
    *,
    inherited: Sequence[int] = (),
    stdin: int = subprocess.DEVNULL,
    stdout: int | None = None,
    stderr: int | None = None,
) -> ProcessTree:
    """Run `argv` in a sandbox of its own. Output goes to the log by default.

    Raises KernelLost with bwrap's words when it does not start.
    """
    log = make_log()
    info_out, info_in = os.pipe()
    gate_out, gate_in = os.pipe()
    filter_fd = os.open(boxing.site.filter, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with on_failure(os.close, log):
            try:
                outer = await spawn(
                    [
                        *(group.enter() if group else []),
                        *rooms.enter(boxing.policy, boxing.shown_folders()),
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
    finally:
        os.close(info_out)
        os.close(gate_in)


async def take_hold(outer: subprocess.Popen[bytes], info: int, gate: int, log: int) -> ProcessTree:
    """Hold pid 1 by its pidfd before it may go on: a short command could be over by then."""
    async with on_failure_await(kill_and_reap, outer):
        box = ProcessTree(outer, await find_init(outer, info, log), log)
        os.write(gate, b"1")
    return box


async def kill_and_reap(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    await asyncio.shield(asyncio.ensure_future(reap(process)))


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
