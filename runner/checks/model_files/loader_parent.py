"""A process set aside before a check has read its job: loaders of model files are forked from it.

It has what was imported by then, and nothing of the task, its expected values or its report. A
loader that is forked from it therefore knows as little as a Python that was started afresh, and
need not import anything.

A request is a byte with three descriptors: what the loader reads, what it answers on, and a socket
that gets its exit code. A checker that closes that socket ends the loader.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import sys

from runner.checks.model_files import loader_process

PR_SET_DUMPABLE = 4
LOADER_CRASHED = 70  # exit code


class LoaderParent:
    """The set-aside process as its parent sees it."""

    def __init__(self) -> None:
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        sys.stdout.flush()
        sys.stderr.flush()
        if os.fork() == 0:
            self.channel.close()
            serve_for_good(theirs)
        theirs.close()

    def start(self, stdin: int, stdout: int) -> Loader:
        """A loader on these descriptors, which stay the caller's to close."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self.channel, [b"L"], [stdin, stdout, theirs.fileno()])
        return Loader(ours)


class Loader:
    """One loader under way."""

    def __init__(self, status: socket.socket) -> None:
        self.status = status

    def wait(self, timeout_s: float) -> int:
        """Its exit code, negative for a signal. Raises TimeoutError."""
        self.status.settimeout(timeout_s)
        told = self.status.recv(20)
        return int(told) if told else LOADER_CRASHED

    def end(self) -> None:
        """Kill it, if it is still there."""
        self.status.close()


def serve_for_good(channel: socket.socket) -> None:
    """Fork a loader for each request until nobody can ask any more. Never returns."""
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for target in (0, 1, 2):  # not the job, nor the report
            os.dup2(null, target)
        keep_only([channel.fileno()])
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        os.chdir("/")
        while True:
            word, fds, _, _ = socket.recv_fds(channel, 1, 3)
            if not word:
                break
            serve(fds)
    finally:
        os._exit(0)


def serve(fds: list[int]) -> None:
    """One loader from its fork to its end, which is reported."""
    child = os.fork()
    if child == 0:
        load(fds)
    for fd in fds[:2]:
        os.close(fd)
    with socket.socket(fileno=fds[2]) as status:
        code = see_through(child, status)
        with contextlib.suppress(OSError):  # the checker is gone
            status.send(str(code).encode())


def see_through(child: int, status: socket.socket) -> int:
    """Wait for its end, or until the checker closes its side."""
    life = os.pidfd_open(child)
    try:
        poll = select.poll()
        poll.register(life, select.POLLIN)
        poll.register(status, select.POLLIN)
        poll.poll()
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(life, signal.SIGKILL)
    finally:
        os.close(life)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def load(fds: list[int]) -> None:
    """Become the loader. Never returns."""
    code = LOADER_CRASHED
    try:
        os.setsid()
        for target, fd in enumerate(fds[:2]):
            os.dup2(fd, target)
        keep_only([])
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
        code = loader_process.main()
    finally:
        os._exit(code)


def keep_only(descriptors: list[int]) -> None:
    """Close all but the three streams and these."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        fd = int(name)
        if fd > 2 and fd not in descriptors:
            with contextlib.suppress(OSError):  # the listing's own is closed already
                os.close(fd)
