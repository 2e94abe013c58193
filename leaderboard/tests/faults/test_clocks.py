"""A host whose clock is an hour off, on PostgreSQL and Redis."""

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
from leaderboard.tests.support.faulty_site import (
    TASKS,
    faulty_site,
    held_by,
)
from leaderboard.tests.support.preloaded import with_preloaded
from leaderboard.tests.support.site import LEASE_S, Site
from leaderboard.tests.support.slow_endpoint import CELLS, slow_endpoint
from leaderboard.tests.support.web_process import is_ready

pytestmark = [pytest.mark.services, pytest.mark.sandbox, pytest.mark.peers]

HOUR_S = 3600

# A submission that waits for its preflight, and its run's number. Web hosts do the same.
SUBMIT = """
from leaderboard.queue import preflights
from leaderboard.models import Run, Suite
from leaderboard.submissions.run_actions import register
from runner.contract import Status
entry = register(name="e", base_url="{base_url}", model="m")
run = Run.objects.create(entry=entry, suite=Suite.objects.get(name="lines"), seed=7,
                         status=Status.CHECKING, concurrency=2, attempts_per_task=1)
preflights.ask_for_run(run.pk)
print(run.pk)
"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with faulty_site() as site:
        yield site


def with_clock(site: Site, offset_s: int) -> Site:
    """The site on a host whose wall clock is off; what counts seconds there is right."""
    return with_preloaded(site, "wrong_clock.c", WRONG_CLOCK_S=str(offset_s))


def taken_back(site: Site, run: int) -> list[int]:
    again = f"run_id = {run} AND tries > 1"
    found = site.rows(f"SELECT id FROM leaderboard_attempt WHERE {again} ORDER BY id")
    return [pk for (pk,) in found]


@pytest.mark.parametrize("offset_s", [HOUR_S, -HOUR_S])
@pytest.mark.parametrize("is_taker_wrong", [True, False], ids=["taker", "holder"])
def test_workers_whose_clocks_differ_take_from_each_other_what_is_lost_alone(
    site: Site, offset_s: int, is_taker_wrong: bool
) -> None:
    """One holds attempts while the other looks on for three leases; then the first one dies."""
    wrong = with_clock(site, offset_s)
    said = float(wrong.manage("shell", "-v", "0", "-c", "import time; print(time.time())"))
    assert said - time.time() == pytest.approx(offset_s, abs=300)  # the clock is really off
    first, second = (site, wrong) if is_taker_wrong else (wrong, site)
    port = free_port()
    second = second.with_environment(PYBENCH_WORKER_PORT=str(port))
    with slow_endpoint() as (base_url, endpoint), site.sweeper(), first.worker() as holder:
        endpoint.hold_after = CELLS + 2
        run = site.start_run(base_url, concurrency=TASKS)
        wait_until(lambda: endpoint.waiting > 0, "a reply is waited for", 180)
        with second.worker():
            wait_until(lambda: is_ready(port), "the other one is at work", 180)
            time.sleep(3 * LEASE_S)
            assert taken_back(site, run) == []  # nothing was taken from it
            held, before = held_by(site, holder.pid), sealed_of(site, run)
            assert held
            os.kill(holder.pid, signal.SIGKILL)
            holder.wait(60)
            endpoint.may_go_on.set()
            site.wait_for_end(run, 180)
    assert_whole(site, run, before)
    assert taken_back(site, run) == held
    assert_recomputable(site)


@pytest.mark.parametrize("offset_s", [HOUR_S, -HOUR_S])
def test_a_preflight_is_looked_at_whatever_the_clocks_of_its_hosts_say(
    site: Site, offset_s: int
) -> None:
    """The web host is right, the only worker is not; then the other way round."""
    wrong = with_clock(site, offset_s)
    with slow_endpoint() as (base_url, _), site.sweeper():
        for web, workers in ((site, wrong), (wrong, site)):
            code = SUBMIT.format(base_url=base_url)
            run = int(web.manage("shell", "-v", "0", "-c", code))
            with workers.worker():
                wait_for_preflight(site, run)
            [(report,)] = site.rows(f"SELECT preflight FROM leaderboard_run WHERE id = {run}")
            assert report["took_s"] > 0, report  # really looked at, not given up as lost


def wait_for_preflight(site: Site, run: int) -> None:
    wait_until(lambda: site.run_status(run) != "checking", "its preflight is over", 180)
