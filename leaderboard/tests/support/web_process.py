"""A real web process of a site, and asking it for pages."""

from __future__ import annotations

import contextlib
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator

from conftest import free_port, wait_until
from leaderboard.tests.support.site import Site
from leaderboard.tests.support.warm import Process
from pybench_site.local.serve import web_server


@contextlib.contextmanager
def web(site: Site, **environment: str) -> Iterator[tuple[str, Process]]:
    """Its address and its process, in a group of its own and ended with the block."""
    port = free_port()
    with site.with_environment(**environment).process(*web_server(port)) as process:
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
