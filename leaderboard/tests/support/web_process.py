"""A real web process of a site, and asking it for pages."""

from __future__ import annotations

import contextlib
import re
import shlex
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from conftest import free_port, wait_until
from leaderboard.tests.support.site import Site
from leaderboard.tests.support.warm import ROOT, Process
from pybench_site.local.serve import BIN, web_server

UNIT = ROOT / "deploy" / "systemd" / "pybench-web.service"


def production_server(port: int) -> list[str]:
    """The command of the web processes on a server, as its unit has it."""
    [line] = [line for line in UNIT.read_text().splitlines() if line.startswith("ExecStart=")]
    program, *words = shlex.split(line.removeprefix("ExecStart="))
    place = words.index("--port") + 1
    return [str(BIN / Path(program).name), *words[:place], str(port), *words[place + 1 :]]


@contextlib.contextmanager
def web(
    site: Site, command: Callable[[int], list[str]] = web_server, **environment: str
) -> Iterator[tuple[str, Process]]:
    """Its address and its process, in a group of its own and ended with the block."""
    port = free_port()
    with site.with_environment(**environment).process(*command(port)) as process:
        wait_until(lambda: is_served(port), "the web process answers", 180)
        yield f"http://127.0.0.1:{port}", process


def is_served(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def is_ready(port: int) -> bool:
    """True once the process says on its port that it is ready."""
    with contextlib.suppress(OSError):  # its port is not open yet
        return fetch(f"http://127.0.0.1:{port}/readyz")[0] == 200
    return False


def fetch(url: str) -> tuple[int, str]:
    """Status and body, whatever the status."""
    try:
        with urllib.request.urlopen(url, timeout=120) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def peak_bytes(pid: int) -> int:
    """The most memory that any process of the web server has had, or since `forget_peak`."""
    return max(read_peak(each) for each in family_of(pid))


def forget_peak(pid: int) -> None:
    for each in family_of(pid):
        Path(f"/proc/{each}/clear_refs").write_text("5")


def family_of(pid: int) -> list[int]:
    """The web server's processes, without those that read a file and go."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family_of(int(child)))]


def read_peak(pid: int) -> int:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) << 10 if found else 0
