"""A zygote as the service holds it: started behind the first wall, given orders, retired."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any

from runner.sandbox.box import make_log, read_log
from runner.sandbox.bubblewrap import SYSTEM_FILES, WALLS, root_folders
from runner.sandbox.descriptors import memory_file, wait_readable
from runner.sandbox.kernel_env import PYTHON_INSIDE, KernelEnvironment
from runner.sandbox.policy import ENVIRONMENT, MIB
from runner.sandbox.sandboxd import packets
from runner.sandbox.slots import ETC

START_TIMEOUT_S = 120.0
END_TIMEOUT_S = 10.0
INLINE = "module://matplotlib_inline.backend_inline"
TEMPORARY_BYTES = 64 * MIB


class ZygoteFailed(Exception):
    """It did not come up, or is gone."""


class Zygote:
    """One process with the libraries imported; `forks` counts what it was ordered to make."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket, log: int) -> None:
        self.process = process
        self.control = control
        self.log = log
        self.facts: dict[str, Any] = {}
        self.started = time.monotonic()
        self.forks = 0
        self.living: set[object] = set()  # what it forked and what has not ended

    @property
    def is_alive(self) -> bool:
        """Its end of the socket is closed before what it forked is killed with it."""
        if self.control.fileno() < 0 or self.process.poll() is not None:
            return False
        hung_up = select.poll()
        hung_up.register(self.control, 0)
        return not hung_up.poll(0)

    def order(self, body: Mapping[str, Any], fds: Sequence[int]) -> None:
        """Have a child forked that gets these descriptors. Raises ZygoteFailed."""
        self.forks += 1
        try:
            packets.send(self.control, body, fds)
        except OSError as error:
            raise ZygoteFailed(f"The zygote takes no orders: {error}.") from error

    async def await_start(self) -> None:
        """Raises ZygoteFailed, with its own last words, when it does not come up."""
        packet = None
        if await wait_readable(self.control.fileno(), START_TIMEOUT_S):
            packet = packets.receive_now(self.control)
        if packet is None:
            raise ZygoteFailed(f"The zygote did not start: {read_log(self.log)[-1000:]}")
        self.facts = packet.body
        if packet.body.get("threads") != 1:
            raise ZygoteFailed(
                f"The zygote has {packet.body.get('threads')} threads, so it cannot be forked: "
                "one of the libraries that it imports starts threads."
            )

    def end(self) -> None:
        """It ends with its socket, and everything that it forked with it."""
        self.control.close()
        try:
            self.process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.log)


def start_zygote(env: KernelEnvironment, bundle: bytes) -> Zygote:
    """Call it from the main thread: it is killed when the thread that started it ends."""
    ours, theirs = packets.pair()
    log = make_log()
    archive = memory_file(bundle)
    etc = {name: memory_file(text.encode()) for name, text in ETC.items()}
    argv = [PYTHON_INSIDE, "-I"]
    try:
        process = subprocess.Popen(
            command(env, etc, [*argv, f"/proc/self/fd/{archive}", str(theirs.fileno())]),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(theirs.fileno(), archive, *etc.values()),
            env={"PATH": "/usr/bin:/bin"},
            cwd="/",
        )
    finally:
        theirs.close()
        packets.close_all([archive, *etc.values()])
    return Zygote(process, ours, log)


def command(env: KernelEnvironment, etc: Mapping[str, int], argv: Sequence[str]) -> list[str]:
    """The first wall. User namespaces stay allowed in it: the second wall is made of them."""
    walls = [word for word in WALLS if word != "--disable-userns"]
    words = ["bwrap", *walls, "--as-pid-1", "--ro-bind", "/usr", "/usr", *root_folders()]
    for host, inside in env.binds().items():
        words += ["--ro-bind", str(host), inside]
    for path in SYSTEM_FILES:
        words += ["--ro-bind-try", path, path]
    for name, fd in etc.items():
        words += ["--perms", "0444", "--ro-bind-data", str(fd), f"/etc/{name}"]
    words += ["--proc", "/proc", "--dev", "/dev", "--dir", "/work", "--dir", "/opt/pybench"]
    words += ["--size", str(TEMPORARY_BYTES), "--tmpfs", "/tmp", "--size", str(MIB)]
    words += ["--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--remount-ro", "/", "--clearenv"]
    for name, value in {**ENVIRONMENT, "MPLBACKEND": INLINE}.items():
        words += ["--setenv", name, value]
    return [*words, "--chdir", "/", "--", *argv]
