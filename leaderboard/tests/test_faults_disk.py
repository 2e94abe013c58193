"""Disks that are really full: the store of artifacts, and the worker's working folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.tests.site import Site, make_site
from leaderboard.tests.slow_endpoint import slow_endpoint
from leaderboard.tests.wholeness import assert_recomputable, assert_whole

pytestmark = [
    pytest.mark.services,
    pytest.mark.sandbox,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts the small disks"),
]

TASKS = 2
DISK_MB = 8
FILLER = "filler"


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of a few megabytes at `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ["-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=755", "small"]
    done = subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"this root may not mount a small disk: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> None:
    with contextlib.suppress(OSError), (disk / FILLER).open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def make_room(disk: Path) -> None:
    (disk / FILLER).unlink()


@pytest.fixture(scope="module")
def site(redis_url: str) -> Iterator[Site]:
    """A site whose store and whose working folder are small disks of their own."""
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        site = make_site(folder, "", redis_url, TASKS)
        site.environment["PYBENCH_BACKOFF_S"] = "0.5,2,20"
        for name in ("files", "scratch"):
            stack.enter_context(small_disk(folder / "var" / name))
        yield site


def problems_of(site: Site, run: int) -> set[str]:
    """The codes of what spoiled tries, as the diary has them."""
    rows = site.rows(
        f"SELECT reason FROM leaderboard_statuschange WHERE run_id = {run} AND reason LIKE '%: %'"
    )
    return {str(reason).rpartition(": ")[2] for (reason,) in rows}


@pytest.mark.parametrize(("disk", "problem"), [("files", "store_failed"), ("scratch", "disk_full")])
def test_a_disk_that_fills_up_under_an_attempt_costs_a_try_and_says_so(
    site: Site, disk: str, problem: str
) -> None:
    heedless = replace(site, environment={**site.environment, "PYBENCH_LEAST_FREE_MB": "0"})
    with slow_endpoint() as (base_url, _), heedless.worker(), site.sweeper():
        fill(site.folder / "var" / disk)
        run = site.start_run(base_url, concurrency=2)
        wait_until(lambda: problem in problems_of(site, run), f"a try ended as {problem}", 180)
        make_room(site.folder / "var" / disk)
        site.wait_for_end(run)
    assert_whole(site, run)


def test_no_attempt_is_begun_while_a_disk_is_full(site: Site) -> None:
    careful = replace(site, environment={**site.environment, "PYBENCH_LEAST_FREE_MB": "1"})
    with slow_endpoint() as (base_url, endpoint), careful.worker(), site.sweeper():
        fill(site.folder / "var" / "scratch")
        run = site.start_run(base_url, concurrency=2)
        wait_until(lambda: "New attempts wait" in site.log(), "the worker says why it waits", 180)
        assert endpoint.calls == []
        make_room(site.folder / "var" / "scratch")
        site.wait_for_end(run)
    assert_whole(site, run)
    tries = site.rows(f"SELECT DISTINCT tries FROM leaderboard_attempt WHERE run_id = {run}")
    assert tries == [(1,)]
    assert_recomputable(site)
