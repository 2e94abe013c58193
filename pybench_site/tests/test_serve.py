"""`make run`'s supervisor: starts the whole site, restarts what dies, ends it together."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.process_tree import descendants_of
from pybench_site.install import ROOT

DEADLINE_S = 120.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(is_so: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        time.sleep(0.2)


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def children_like(pid: int, word: str) -> list[int]:
    return [p for p in descendants_of(pid) if word in command_line(p)]


class Site:
    """The supervisor as a process, with its own folder and ports."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.log = folder / "out.txt"
        self.env = {
            **os.environ,
            "PYBENCH_VAR": str(folder / "var"),
            "PYBENCH_PORT": str(self.port),
            "PYBENCH_SCRIPTED_PORT": str(free_port()),
        }
        for name in ("DATABASE_URL", "PYBENCH_BROKER_URL"):
            self.env.pop(name, None)
        self.process = self.start(self.log)

    def start(self, log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as out:
            return subprocess.Popen(
                [sys.executable, "-m", "pybench_site.serve"],
                cwd=ROOT,
                env=self.env,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def is_up(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return "the site is at" in self.log.read_text()

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as page:
            return str(page.read().decode())


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    try:
        yield site
    finally:
        for pid in descendants_of(site.process.pid):
            os.kill(pid, signal.SIGKILL)
        site.process.kill()
        site.process.wait(10)


@pytest.mark.services
def test_the_site_starts_heals_and_ends_as_a_whole(site: Site, tmp_path: Path) -> None:
    wait_until(site.is_up, "the site's start")
    assert "Scripted baselines" in site.get("/")

    second = site.start(tmp_path / "second.txt")
    assert second.wait(30) != 0
    assert "already running from this folder" in (tmp_path / "second.txt").read_text()

    (worker,) = children_like(site.process.pid, "celery -A pybench_site --quiet worker")[:1]
    os.kill(worker, signal.SIGKILL)
    wait_until(
        lambda: [p for p in children_like(site.process.pid, "--quiet worker") if p != worker],
        "the worker's restart",
    )

    everything = descendants_of(site.process.pid)
    site.process.send_signal(signal.SIGINT)
    assert site.process.wait(60) == 0
    wait_until(
        lambda: not [p for p in everything if "Z" not in state_of(p)], "the end of every process"
    )


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
