"""A fresh site in a folder of its own: its database, its static files, its web server."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

START_TIMEOUT_S = 120.0


@dataclass(frozen=True)
class Server:
    """A web server that answers."""

    address: str  # "http://127.0.0.1:1234"
    pid: int  # the root of its processes


def configure(folder: Path, database: str = "") -> None:
    """Point this process and its children at the site in `folder`, made where there is none.

    `database` is its address; without one it is a file in the folder.
    """
    (folder / "log").mkdir(parents=True, exist_ok=True)
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "bench.pages.settings",
        "DATABASE_URL": database or f"sqlite:///{folder}/site.sqlite3",
        "PYBENCH_VAR": str(folder),
        "PYBENCH_COLLECTED": "1",
        "PYBENCH_PORT": str(find_free_port()),
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serve() -> Iterator[Server]:
    """The configured site's web server, started as `make run` starts it."""
    from pybench_site.local.serve import HOST, PORTS, services

    web = next(service for service in services() if service.name == "web")
    web.start()
    try:
        assert web.process is not None
        address = f"http://{HOST}:{PORTS.site}"
        await_answer(address, web.process)
        yield Server(address, web.process.pid)
    finally:
        web.send(signal.SIGTERM)
        web.wait(time.monotonic() + 10)


def await_answer(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait for the first answer there. Exits when the process ends or the time is over."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=30) as answer:
            answer.read()
            return
        time.sleep(0.02)
    raise SystemExit(f"Nothing answered at {address} within {START_TIMEOUT_S:.0f} s.")
