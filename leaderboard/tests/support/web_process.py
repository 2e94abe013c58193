"""A real web process of a site, and asking it for pages."""

from __future__ import annotations

import contextlib
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
