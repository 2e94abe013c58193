"""Finding the processes of a sandbox service on this host, and waiting for their end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from runner.sandbox.daemon import OwnDaemon
from runner.sandbox.zygote import ZygoteSandbox

DEADLINE_S = 60.0


@dataclass(frozen=True)
class Services:
    service: int
    zygote: int


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

    wait_for(is_up, "a zygote is up")
    return Services(service, found[0])


def is_zygote(pid: int) -> bool:
    """Whether it is Python (not bubblewrap) and the first of its pid namespace below the host's."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return words[0].endswith(b"/opt/env/bin/python") and numbers_of(pid)[1:] == ["1"]
    return False


def numbers_of(pid: int) -> list[str]:
    """Its number in each pid namespace that it is in, the host's first."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("NSpid:"):
            return line.split()[1:]
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


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
