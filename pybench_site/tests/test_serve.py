"""`make run`'s supervisor: starts the whole site, restarts what dies, ends it together."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.measuring.process_tree import descendants_of
from conftest import free_port, migrated_database, wait_until
from pybench_site.local.install import ROOT
from runner.worker.scratch_folders import Scratch

DEADLINE_S = 240.0
LONGEST_END_S = 120.0  # ten by the clocks of the processes, and what a crowded machine adds


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def children_like(pid: int, word: str) -> list[int]:
    return [p for p in descendants_of(pid) if word in command_line(p)]


class Site:
    """The supervisor as a process, with its own folder and ports."""

    process: subprocess.Popen[bytes]

    def __init__(self, folder: Path, sandboxes: Path) -> None:
        self.port = free_port()
        self.sandboxes = sandboxes
        self.log = folder / "out.txt"
        self.env = {
            **os.environ,
            "PYBENCH_VAR": str(folder / "var"),
            "PYBENCH_PORT": str(self.port),
            "PYBENCH_SCRIPTED_PORT": str(free_port()),
            "PYBENCH_SANDBOX_DIR": str(sandboxes),
        }
        for name in ("DATABASE_URL", "PYBENCH_BROKER_URL"):
            self.env.pop(name, None)

    def begin(self) -> None:
        self.process = self.start(self.log)

    def start(self, log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as out:
            return subprocess.Popen(
                [sys.executable, "-m", "pybench_site.local.serve"],
                cwd=ROOT,
                env=self.env,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def is_up(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return "the site is at" in self.log.read_text()

    def folders(self, name: str) -> Iterator[Path]:
        """Of attempts under way, in a folder of `var`."""
        return Path(self.env["PYBENCH_VAR"], name).glob("*/*-*")

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as page:
            return str(page.read().decode())


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    sandboxes = Path(tempfile.mkdtemp(prefix="pb-sb-"))  # sockets want short paths
    site = Site(tmp_path, sandboxes)
    try:
        yield site
    finally:
        shutil.rmtree(sandboxes, ignore_errors=True)
        for pid in descendants_of(site.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        site.process.kill()
        site.process.wait(60)


def with_its_tables(site: Site) -> Site:
    """The site on a database that has its tables already, as at any start but the first."""
    path = Path(site.env["PYBENCH_VAR"], "site.sqlite3")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(migrated_database().read_bytes())
    return site


@pytest.mark.services
def test_the_site_starts_heals_and_ends_as_a_whole(site: Site, tmp_path: Path) -> None:
    """Its first start: the only one here that makes its database."""
    site.begin()
    wait_until(site.is_up, "the site's start")
    assert "Scripted baselines" in site.get("/")
    made = [path for path in Path(site.env["PYBENCH_VAR"]).rglob("*") if path.is_file()]
    private = [
        path for path in made if path.parent.name in {"log", "mail"} or ".sqlite3" in path.name
    ]
    assert len(private) > 2
    assert [path for path in private if stat.S_IMODE(path.stat().st_mode) & 0o077] == []

    second = site.start(tmp_path / "second.txt")
    assert second.wait(180) != 0
    assert "already running from this folder" in (tmp_path / "second.txt").read_text()

    (worker,) = children_like(site.process.pid, "celery -A pybench_site --quiet worker")[:1]
    os.kill(worker, signal.SIGKILL)
    wait_until(
        lambda: bool({*children_like(site.process.pid, "--quiet worker")} - {worker}),
        "the worker's restart",
    )

    serving = children_like(site.process.pid, "pybench_site.asgi")
    assert len(serving) == 2  # granian, and its worker, which it does not take along
    os.kill(min(serving), signal.SIGKILL)
    wait_until(lambda: not any(map(command_line, serving)), "the end of both")
    wait_until(lambda: bool(children_like(site.process.pid, "pybench_site.asgi")), "a new one")
    wait_until(lambda: is_answering(site), "pages again")

    names = wait_for_attempt(site)
    end_beside_load(site, signal.SIGINT)
    assert site.process.returncode == 0
    assert_nothing_is_left(site, names)


def is_answering(site: Site) -> bool:
    with contextlib.suppress(OSError):
        return "Scripted baselines" in site.get("/")
    return False


def groups_like(names: set[str]) -> list[Path]:
    """The cgroups of these sandbox folders."""
    folders = (Path(p, n) for p, below, _ in os.walk("/sys/fs/cgroup") for n in below)
    return [folder for folder in folders if any(name in folder.name for name in names)]


def keep_busy(processes: int) -> list[subprocess.Popen[bytes]]:
    return [subprocess.Popen([sys.executable, "-c", "while 1: pass"]) for _ in range(processes)]


def wait_for_attempt(site: Site) -> set[str]:
    """Wait until baselines are played; the folders of the sandboxes' keepers."""
    wait_until(lambda: any(site.folders("scratch")), "an attempt is under way")
    return {path.name for path in site.sandboxes.glob("[wd]-*")}


def assert_no_sandbox_is_left(site: Site) -> None:
    assert not site.sandboxes.exists() or list(site.sandboxes.iterdir()) == []


def end_beside_load(site: Site, sign: signal.Signals) -> None:
    """Ask the site to end while the machine is busy; wait until every process of it has."""
    everything = descendants_of(site.process.pid)
    load = keep_busy(4)
    try:
        site.process.send_signal(sign)
        site.process.wait(LONGEST_END_S)
    finally:
        for each in load:
            each.kill()
            each.wait()
    wait_until(lambda: not [p for p in everything if "Z" not in state_of(p)], "all ended")


def assert_nothing_is_left(site: Site, names: set[str]) -> None:
    assert_no_sandbox_is_left(site)
    assert names
    scratch = Scratch(Path(site.env["PYBENCH_VAR"]) / "scratch")
    scratch.clear_abandoned()
    scratch.close()
    assert groups_like(names) == []
    assert list(site.folders("scratch")) == []


@pytest.mark.services
def test_site_asked_to_end_while_it_starts_ends(site: Site) -> None:
    site.begin()
    wait_until(lambda: "database, static files" in site.log.read_text(), "it prepares")
    everything = descendants_of(site.process.pid)
    site.process.send_signal(signal.SIGTERM)
    assert site.process.wait(LONGEST_END_S) == 0
    wait_until(lambda: not [p for p in everything if "Z" not in state_of(p)], "all ended")
    assert_no_sandbox_is_left(site)


@pytest.mark.services
def test_what_a_killed_site_left_is_swept_at_the_next_start_which_ends_whole(
    site: Site, tmp_path: Path
) -> None:
    with_its_tables(site).begin()
    wait_until(site.is_up, "the site's start")
    names = wait_for_attempt(site)
    assert groups_like(names) or not Path("/sys/fs/cgroup/memory").exists()
    for pid in [site.process.pid, *descendants_of(site.process.pid)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    site.process.wait(60)
    left = sorted(path.name for path in site.sandboxes.glob("[wd]-*"))
    shutil.rmtree(site.sandboxes / left[0])  # its folder is gone, its groups are not
    site.log = tmp_path / "again.txt"
    site.process = site.start(site.log)
    wait_until(site.is_up, "the next start")
    wait_until(lambda: groups_like(names) == [], "the groups are removed")
    assert {path.name for path in site.sandboxes.glob("[wd]-*")} & names == set()
    names = wait_for_attempt(site)
    end_beside_load(site, signal.SIGTERM)
    assert_nothing_is_left(site, names)


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
