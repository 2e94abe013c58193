"""Disks that are really full: the store of artifacts, and the worker's working folder."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.tests.support.database_consistency import assert_recomputable, assert_whole
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import slow_endpoint
from leaderboard.tests.support.small_disk import small_disk

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

TASKS = 2
FILLER = "filler"
# Bytes that no attempt before has left in the store, and too many to be kept with a step.
OWN_FILE = "import os\nopen('output/own.bin', 'wb').write(os.urandom(17 << 20))"
DISKS_KB = {"files": 160 << 10, "scratch": 80 << 10}


@contextlib.contextmanager
def full(disk: Path) -> Iterator[None]:
    """The disk has no room until the block ends."""
    try:
        with contextlib.suppress(OSError), (disk / FILLER).open("wb", buffering=0) as file:
            while True:
                file.write(bytes(65_536))
        yield
    finally:
        (disk / FILLER).unlink()


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.peers)]
)
def site(request: pytest.FixtureRequest, redis_url: str) -> Iterator[Site]:
    """A site whose store and whose working folder are small disks of their own."""
    is_served = request.param == "postgresql"
    database_url = request.getfixturevalue("new_postgres_database")() if is_served else ""
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        site = make_site(folder, database_url, redis_url, TASKS)
        site.environment["PYBENCH_BACKOFF_S"] = "0.5,2,20"
        for name, kilobytes in DISKS_KB.items():
            stack.enter_context(small_disk(folder / "var" / name, kilobytes))
        yield site


def problems_of(site: Site, run: int) -> set[str]:
    """The codes of what spoiled tries, as the diary has them."""
    rows = site.rows(
        f"SELECT reason FROM leaderboard_statuschange WHERE run_id = {run} AND reason LIKE '%: %'"
    )
    return {str(reason).rpartition(": ")[2] for (reason,) in rows}


@pytest.mark.parametrize(("disk", "problem"), [("files", "store_failed"), ("scratch", "disk_full")])
def test_full_disk_during_an_attempt_voids_one_try_and_says_so(
    site: Site, disk: str, problem: str
) -> None:
    heedless = site.with_environment(PYBENCH_LEAST_FREE_MB="0")
    with slow_endpoint() as (base_url, _), heedless.worker(), site.sweeper():
        with full(site.folder / "var" / disk):
            run = site.start_run(base_url, concurrency=2)
            wait_until(lambda: problem in problems_of(site, run), f"a try ended as {problem}")
        site.wait_for_end(run)
    assert_whole(site, run)


def test_disk_that_fills_up_before_results_are_stored_loses_none(site: Site) -> None:
    """Every reply is there, the output files are harvested, and their bytes find no room."""
    heedless = site.with_environment(PYBENCH_LEAST_FREE_MB="0")
    with slow_endpoint() as (base_url, endpoint), heedless.worker(), site.sweeper():
        endpoint.epilogue = OWN_FILE
        endpoint.hold_finals_after = 0
        run = site.start_run(base_url, concurrency=2)
        wait_until(lambda: endpoint.waiting > 0, "an attempt waits for its last reply")
        with full(site.folder / "var" / "files"):
            endpoint.may_go_on.set()
            wait_until(lambda: "store_failed" in problems_of(site, run), "a result found no room")
            assert site.count(run, "done") == 0
        site.wait_for_end(run)
    assert_whole(site, run)
    files = "SELECT DISTINCT attempt_id FROM leaderboard_artifact WHERE path = 'own.bin'"
    assert len(site.rows(f"{files} AND attempt_id IN ({attempts_of(run)})")) == TASKS
    assert "no faults found" in site.manage("verify")


def attempts_of(run: int) -> str:
    return f"SELECT id FROM leaderboard_attempt WHERE run_id = {run}"


def test_no_attempt_is_begun_while_a_disk_is_full(site: Site) -> None:
    careful = site.with_environment(PYBENCH_LEAST_FREE_MB="1")
    with slow_endpoint() as (base_url, endpoint), careful.worker(), site.sweeper():
        with full(site.folder / "var" / "scratch"):
            run = site.start_run(base_url, concurrency=2)
            wait_until(lambda: "New attempts wait" in site.log(), "the worker says why it waits")
            assert endpoint.calls == []
        site.wait_for_end(run)
    assert_whole(site, run)
    tries = site.rows(f"SELECT DISTINCT tries FROM leaderboard_attempt WHERE run_id = {run}")
    assert tries == [(1,)]
    assert_recomputable(site)
