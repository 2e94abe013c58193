"""Finding the processes of a sandbox service on this host, and waiting for their end."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from conftest import wait_until
from runner.sandbox.factory import ZygoteSandbox
from runner.sandbox.host.account import find_range, sandbox_uid
from runner.sandbox.zygote.service_client import OwnDaemon


@dataclass(frozen=True)
class Services:
    service: int
    zygote: int


def users_of_sandboxes() -> set[int]:
    """Whom what belongs to sandboxes may run as on the host."""
    given = find_range().given
    own = {range(given.first_uid, given.first_uid + given.count)} if given else set()
    return {sandbox_uid(), *(uid for numbers in own for uid in numbers)}


def find_services(sandbox: ZygoteSandbox) -> Services:
    """This process' own service and its zygote, once that is up."""
    daemon = sandbox.daemon
    assert isinstance(daemon, OwnDaemon)
    assert daemon.process is not None
    service = daemon.process.pid
    found: list[int] = []

    def is_up() -> bool:
        found[:] = [pid for pid in tree_of(service) if is_zygote(pid)]
        return bool(found)

    wait_until(is_up, "a zygote is up")
    return Services(service, found[0])


def is_zygote(pid: int) -> bool:
    """True if it is Python (not bubblewrap) and the first of its pid namespace below the host's."""
    return words_of(pid)[0].endswith("/opt/env/bin/python") and numbers_of(pid)[1:] == ["1"]


def words_of(pid: int) -> list[str]:
    """Its command line; nothing of a process that has ended, or has yet to begin its program."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    return [""]


def numbers_of(pid: int) -> list[str]:
    """Its number in each pid namespace that it is in, the host's first."""
    with contextlib.suppress(OSError):
        told = Path(f"/proc/{pid}/status").read_text().partition("NSpid:")[2]
        return told.partition("\n")[0].split()
    return []


def tree_of(pid: int) -> list[int]:
    """The process and all that descend from it."""
    found = [pid]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def living(pids: Iterable[int]) -> list[int]:
    """Those that still run; one that only waits to be reaped does not."""
    found: list[int] = []
    for pid in pids:
        with contextlib.suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            found += [pid] if state not in "ZX" else []
    return found


HOLD = """
import array, os, socket
fds = array.array('i', [os.open('/dev/null', os.O_RDONLY) for _ in range(250)])
kept = []; n = 0
try:
    while n < 20_000:
        kept.append(socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
        kept[-1][0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)]); n += len(fds)
except OSError as error: print(n, error.errno)
"""


def find_groups(token: str) -> list[Path]:
    """Groups of a token, but for the one that stands for its owner. Groups come and go while we
    look, which `os.walk` does not mind."""
    return [
        Path(parent, name)
        for parent, names, _ in os.walk("/sys/fs/cgroup")
        for name in names
        if name.startswith(f"pybench-{token}-") and not name.endswith("-owner")
    ]
