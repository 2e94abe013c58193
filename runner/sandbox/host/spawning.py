"""Starting processes from a thread that stays.

"Die with your parent" means the parent *thread*: a child started from a pool of threads, or from a
loop that ends, would be killed when that thread goes.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

_launchers: dict[int, ThreadPoolExecutor] = {}  # by process: a fork does not carry threads over


def launcher() -> ThreadPoolExecutor:
    pid = os.getpid()
    if pid not in _launchers:
        _launchers.clear()
        _launchers[pid] = ThreadPoolExecutor(1, thread_name_prefix="sandbox-launch")
    return _launchers[pid]


UMASK = 0o022  # kernels have the same on every host


async def spawn(
    argv: Sequence[str],
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
    inherited: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a process with an empty environment; when cancelled, none is left."""

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            argv,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=tuple(inherited),
            env={"PATH": "/usr/bin:/bin"},
            cwd="/",
            umask=UMASK,
            start_new_session=True,
        )

    started: Future[subprocess.Popen[bytes]] = launcher().submit(start)
    try:
        return await asyncio.shield(asyncio.wrap_future(started))
    except asyncio.CancelledError:
        started.add_done_callback(discard)
        raise


def discard(started: Future[subprocess.Popen[bytes]]) -> None:
    if not started.exception():
        with started.result() as process:
            process.kill()
