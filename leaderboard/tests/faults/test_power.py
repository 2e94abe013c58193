"""The power goes: whatever a reader saw as done was on the disk, with its bytes.

Rows and files lie on an ext4 image. At a moment when attempts are done the image is read as it is,
without what the kernel had not written yet, and everything goes on with that copy. Each case has
a control in which nobody waits for the disk: there something is lost, so a loss would be seen.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from conftest import run_command, wait_until
from leaderboard.tests.support.database_consistency import (
    Sealed,
    assert_recomputable,
    assert_whole,
    sealed_of,
)
from leaderboard.tests.support.preloaded import with_preloaded
from leaderboard.tests.support.servers import Server, own_postgres, own_redis, wait_for_postgres
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import Behaviour, slow_endpoint
from leaderboard.tests.support.warm import Process

DATABASES = [
    pytest.param(True, id="postgresql", marks=pytest.mark.peers),
    pytest.param(False, id="sqlite"),
]
pytestmark = [
    pytest.mark.services,
    pytest.mark.sandbox,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts an image"),
]

TASKS = 6
DONE_BEFORE = 3
DISK_MB = 1024  # sparse
# The kernel's own commits would only hide what nobody synced.
OPTIONS = "loop,commit=600"


@dataclass
class Disk:
    """An ext4 image, mounted at a folder; `image` is what the disk itself holds."""

    folder: Path
    image: Path

    def mount(self) -> None:
        run_command(["mount", "-t", "ext4", "-o", OPTIONS, str(self.image), str(self.folder)])

    def unmount(self) -> None:
        run_command(["umount", "--lazy", str(self.folder)])

    def sync(self) -> None:
        """Put everything on the disk that is there now."""
        run_command(["sync", "--file-system", str(self.folder)])

    def cut_power(self) -> None:
        """Keep what the disk holds, and forget what the kernel would have written yet.

        The image is copied as it is, with nothing synced. All that wrote to it must be dead:
        then no later sync is half in the copy. The disk comes back where it was.
        """
        held = self.image.with_suffix(".held")
        run_command(["cp", "--sparse=always", str(self.image), str(held)])
        self.unmount()
        self.image.unlink()  # what is written to it from now on goes nowhere
        held.rename(self.image)
        self.mount()


@contextlib.contextmanager
def own_disk() -> Iterator[Disk]:
    """An empty disk of its own; the test is skipped, with the reason, where none can be mounted."""
    outside = Path(tempfile.mkdtemp(prefix="pb-disk-"))
    outside.chmod(0o755)
    disk = Disk(outside / "disk", outside / "image")
    disk.folder.mkdir()
    try:
        with disk.image.open("wb") as file:
            file.truncate(DISK_MB << 20)
        mkfs = shutil.which("mkfs.ext4", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
        if mkfs is None:
            pytest.skip("no mkfs.ext4 on this host: apt-get install e2fsprogs")
        run_command([mkfs, "-q", "-E", "lazy_itable_init=0", str(disk.image)])
        command = ["mount", "-t", "ext4", "-o", OPTIONS, str(disk.image), str(disk.folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if done.returncode:
            pytest.skip(f"this host may not mount an image: {done.stderr.strip()}")
        try:
            yield disk
        finally:
            disk.unmount()
    finally:
        shutil.rmtree(outside, ignore_errors=True)


def kill(process: Process) -> None:
    """End a process and its group with no chance to write another byte."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(20)


@contextlib.contextmanager
def on_a_disk(
    with_postgres: bool, *options: str
) -> Iterator[tuple[Site, Disk, Server | None, tuple[str, Behaviour]]]:
    """A site all of which lies on a disk of its own, its database server, and an endpoint."""
    with contextlib.ExitStack() as stack:
        disk = stack.enter_context(own_disk())
        _, broker_url = stack.enter_context(own_redis())
        server, database_url = None, ""
        if with_postgres:
            server, database_url = stack.enter_context(own_postgres(disk.folder, *options))
        folder = Path(tempfile.mkdtemp(prefix="pb-site-", dir=disk.folder))
        site = make_site(folder, database_url, broker_url, TASKS)
        served = stack.enter_context(slow_endpoint())
        disk.sync()  # what was there long before
        yield site, disk, server, served


def play_until_the_cut(
    site: Site, worker: Process, server: Server | None, run: int, done: int
) -> tuple[Sealed, Sealed]:
    """Play until the power cut, which ends everything that writes; return what a reader saw as
    done. The endpoint lets no more attempts finish than that.
    """
    wait_until(lambda: site.count(run, "done") == done, "attempts are done", 180)
    seen = sealed_of(site, run), said_of(site, run)
    kill(worker)
    if server:
        server.end(signal.SIGQUIT)  # at once: nothing is written on the way
    assert len(seen[0]) == done
    return seen


def said_of(site: Site, run: int) -> Sealed:
    """The steps and verdicts of the finished attempts."""
    of = f"JOIN leaderboard_attempt a ON a.id = x.attempt_id AND a.run_id = {run}"
    done = f"{of} WHERE a.status = 'done'"
    steps = f'SELECT a.id, x.id, x.try_number, x."index" FROM leaderboard_step x {done}'
    verdicts = f"SELECT a.id, x.id, a.passed FROM leaderboard_verdict x {done}"
    return [*site.rows(steps), *site.rows(verdicts)]


def power_on(site: Site, disk: Disk, server: Server | None) -> None:
    disk.cut_power()
    site.broker().flushall()
    if server:
        server.start()
        wait_for_postgres(server)


@pytest.mark.parametrize("with_postgres", DATABASES)
def test_what_was_seen_as_done_is_there_when_the_power_comes_back(with_postgres: bool) -> None:
    with on_a_disk(with_postgres) as (site, disk, server, (base_url, endpoint)):
        endpoint.hold_finals_after = DONE_BEFORE
        with site.worker() as worker:
            run = site.start_run(base_url, concurrency=2)
            seen, said = play_until_the_cut(site, worker, server, run, DONE_BEFORE)
        endpoint.may_go_on.set()
        power_on(site, disk, server)
        assert [row for row in seen if row not in sealed_of(site, run)] == []
        assert "no faults found" in site.manage("verify")
        with site.worker(), site.sweeper():
            site.wait_for_end(run, 180)
            again = site.start_run(base_url, concurrency=2)
            site.wait_for_end(again, 180)
        assert_whole(site, run, seen)
        after = said_of(site, run)
        assert said
        assert [row for row in said if row not in after] == []
        assert_whole(site, again)
        assert_recomputable(site)
        assert "no faults found" in site.manage("verify")


@pytest.mark.parametrize("with_postgres", DATABASES)
def test_where_nobody_waits_for_the_disk_something_is_lost(with_postgres: bool) -> None:
    """The control: the same cut after the disk only said that it had written."""
    with on_a_disk(with_postgres, "-c", "fsync=off") as (site, disk, server, served):
        base_url, endpoint = served
        endpoint.hold_finals_after = 1
        lies = with_preloaded(site, "no_sync.c")
        with lies.worker() as worker:
            run = lies.start_run(base_url, concurrency=2)
            wait_until(lambda: site.count(run, "done") == 1, "the first is done", 180)
            wait_until(lambda: endpoint.waiting > 0, "the second waits for its last reply", 180)
            disk.sync()  # less than the kernel's 30 s before the cut
            endpoint.hold_finals_after = 2
            seen, _ = play_until_the_cut(site, worker, server, run, done=2)
        assert not is_kept(site, disk, server, run, seen)


def is_kept(site: Site, disk: Disk, server: Server | None, run: int, seen: Sealed) -> bool:
    """True if all that was seen is there again; a database that is no longer one keeps nothing."""
    try:
        power_on(site, disk, server)
        after = sealed_of(site, run)
    except (pytest.fail.Exception, psycopg.Error, sqlite3.Error):
        return False
    return all(row in after for row in seen)
