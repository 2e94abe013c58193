"""The sandbox service as workers find it: the one that settings name, or one of their own."""

from __future__ import annotations

import asyncio
import atexit
import os
import socket
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from runner.contract import KernelLost
from runner.sandbox.host import cgroups
from runner.sandbox.host.account import find_range
from runner.sandbox.host.kernel_env import KernelEnvironment
from runner.sandbox.host.runtime_folders import Site, claim_site, runtime_folder
from runner.sandbox.sandboxd.__main__ import listen
from runner.sandbox.sandboxd.launch import Keeping, Spec, delegate, kernels_ahead, start_service

CONNECT_TIMEOUT_S = 30.0
CONNECT_PAUSE_S = 0.1
END_TIMEOUT_S = 20.0
LOG_BYTES = 4_000


@dataclass
class Daemon:
    """A service by its socket. `connect` gives one session's connection."""

    path: Path
    memory: str = field(default="", kw_only=True)  # what caps its kernels', once it was asked

    async def connect(self) -> socket.socket:
        """Waits while it is being restarted. Raises KernelLost when nobody listens in time."""
        deadline = time.monotonic() + CONNECT_TIMEOUT_S
        while True:
            peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            peer.setblocking(False)  # or a service that accepts nobody stops the whole worker
            try:
                peer.connect(str(self.path))
            except OSError as error:
                peer.close()
                if time.monotonic() > deadline:
                    raise KernelLost(self.complaint(error)) from error
                self.revive()
                await asyncio.sleep(CONNECT_PAUSE_S)
            else:
                return peer

    def complaint(self, error: OSError) -> str:
        return (
            f"The sandbox service does not listen at {self.path}: {error.strerror}. Start it "
            "(`python -m runner.sandbox.sandboxd --socket PATH`), or unset PYBENCH_SANDBOXD."
        )

    def revive(self) -> None:
        """Somebody else looks after it."""


@dataclass
class OwnDaemon(Daemon):
    """A child of this process, kept for all who open sandboxes in it; it ends with the process."""

    site: Site
    env: KernelEnvironment
    groups: cgroups.Cgroups | None
    log: IO[bytes]
    process: subprocess.Popen[bytes] | None = None
    lifeline: int = -1
    starting: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """In a thread that stays, since the service watches over the thread that started it."""
        listener = listen(self.path, 0o600)
        theirs, self.lifeline = os.pipe()
        try:
            spec = Spec(
                self.site,
                self.env,
                self.groups,
                Keeping(kernels_ahead()),
                listener,
                theirs,
                users=find_range().given,
            )
            log = self.log.fileno()
            self.process = launcher().submit(start_service, spec, log).result()
        finally:
            os.close(listener)
            os.close(theirs)

    def revive(self) -> None:
        with self.starting:
            if self.process is not None and self.process.poll() is not None:
                os.close(self.lifeline)
                self.start()

    def complaint(self, error: OSError) -> str:
        self.log.seek(0)
        said = self.log.read()[-LOG_BYTES:].decode("utf-8", "replace")
        return f"The sandbox service of this process does not run: {said or error.strerror}"

    def end(self) -> None:
        """Closing the lifeline ends it; the folder and the cgroups are ours to remove."""
        os.close(self.lifeline)
        if self.process is not None:
            try:
                self.process.wait(END_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        self.site.close()


_launchers: dict[int, ThreadPoolExecutor] = {}  # by process: a fork does not carry threads over


def launcher() -> ThreadPoolExecutor:
    """A thread that stays: a child is killed when the thread that started it ends."""
    pid = os.getpid()
    if pid not in _launchers:
        _launchers.clear()
        _launchers[pid] = ThreadPoolExecutor(1, thread_name_prefix="sandbox-launch")
    return _launchers[pid]


_lock = threading.Lock()
_own: dict[tuple[int, Path], OwnDaemon] = {}  # by process and runtime folder


def find_daemon(env: KernelEnvironment, groups: cgroups.Cgroups | None) -> Daemon:
    """The service named in PYBENCH_SANDBOXD; else this process' own, started if need be."""
    named = os.environ.get("PYBENCH_SANDBOXD")
    if named:
        return Daemon(Path(named))
    key = (os.getpid(), runtime_folder())
    with _lock:
        if key not in _own:
            if not _own:
                atexit.register(end_own_daemons)
            _own[key] = start_own(env, groups)
        return _own[key]


def start_own(env: KernelEnvironment, groups: cgroups.Cgroups | None) -> OwnDaemon:
    site = claim_site(groups)
    delegated = delegate(groups, site.token)
    log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `end`)
    own = OwnDaemon(site.folder / "sandboxd.sock", site, env, delegated, log)
    own.start()
    return own


def end_own_daemons() -> None:
    """End the services that this process started; a copy of it by fork has none."""
    with _lock:
        for key in [key for key in _own if key[0] == os.getpid()]:
            _own.pop(key).end()
