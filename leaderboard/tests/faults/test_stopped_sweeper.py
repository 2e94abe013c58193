"""A sweeper that stands still, and two sweepers at once, on PostgreSQL and Redis."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from conftest import free_port, wait_until
from leaderboard.tests.support.database_consistency import (
    assert_recomputable,
    assert_whole,
    sealed_of,
)
from leaderboard.tests.support.faulty_site import faulty_site, held_by
from leaderboard.tests.support.site import LEASE_S, Site
from leaderboard.tests.support.slow_endpoint import CELLS, slow_endpoint
from leaderboard.tests.support.web_process import is_ready

pytestmark = [pytest.mark.services, pytest.mark.sandbox, pytest.mark.peers]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with faulty_site() as site:
        yield site


def test_a_sweeper_that_stands_still_delays_and_loses_nothing(site: Site) -> None:
    port = free_port()
    survivor = site.with_environment(PYBENCH_WORKER_PORT=str(port))
    with slow_endpoint() as (base_url, endpoint), site.sweeper() as sweeper:
        endpoint.hold_after = CELLS + 2
        with site.worker() as doomed:
            run = site.start_run(base_url, concurrency=4)
            wait_until(lambda: endpoint.waiting > 0, "it holds an attempt that waits", 180)
            assert held_by(site, doomed.pid)
            # Only now the other one, which could have taken all attempts. It sweeps as it starts.
            with survivor.worker():
                wait_until(lambda: is_ready(port), "the other worker is at work", 180)
                os.kill(sweeper.pid, signal.SIGSTOP)
                before = sealed_of(site, run)
                os.kill(doomed.pid, signal.SIGKILL)
                doomed.wait(60)
                endpoint.may_go_on.set()
                meanwhile = site.start_run(base_url, concurrency=2)
                site.wait_for_end(meanwhile, 180)  # nobody needs the sweeper for that
                time.sleep(3 * LEASE_S)
                assert held_by(site, doomed.pid)  # nobody took them back
                os.kill(sweeper.pid, signal.SIGCONT)
                site.wait_for_end(run, 180)
    assert_whole(site, run, before)
    assert_whole(site, meanwhile)
    assert_recomputable(site)


def test_two_sweepers_take_back_once_what_a_killed_worker_held(site: Site) -> None:
    """Each sends its sweeps; two workers do them at the same time, far more often than usual."""
    port = free_port()
    quick = site.with_environment(PYBENCH_SWEEP_EVERY_S="0.2")
    survivor = quick.with_environment(PYBENCH_WORKER_PORT=str(port))
    with slow_endpoint() as (base_url, endpoint), quick.sweeper(), quick.sweeper():
        endpoint.hold_finals_after = 1
        with quick.worker() as doomed:
            run = site.start_run(base_url, concurrency=4)
            wait_until(lambda: site.count(run, "done") == 1, "an attempt is done")
            wait_until(lambda: endpoint.waiting > 0, "another waits for its last reply")
            with survivor.worker(), survivor.with_environment(PYBENCH_WORKER_PORT="0").worker():
                wait_until(lambda: is_ready(port), "the others are at work")
                os.kill(doomed.pid, signal.SIGKILL)
                doomed.wait(60)
                held, before = held_by(site, doomed.pid), sealed_of(site, run)
                endpoint.may_go_on.set()
                site.wait_for_end(run)
    assert held
    assert_whole(site, run, before)
    assert_recomputable(site)
    lost = "SELECT attempt_id FROM leaderboard_statuschange WHERE reason LIKE '%worker_lost%'"
    taken_back = site.rows(f"{lost} AND run_id = {run} ORDER BY attempt_id")
    assert [pk for (pk,) in taken_back] == held
    again = f"SELECT id, tries FROM leaderboard_attempt WHERE run_id = {run} AND tries > 1"
    assert site.rows(f"{again} ORDER BY id") == [(pk, 2) for pk in held]
