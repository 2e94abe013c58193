"""A worker whose consumer of messages, driver or tasks stand still for ever."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import free_port, wait_until
from leaderboard.tests.support.database_consistency import assert_whole, sealed_of
from leaderboard.tests.support.faulty_site import held_by
from leaderboard.tests.support.servers import own_redis
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import CELLS, slow_endpoint
from leaderboard.tests.support.stuck_worker import ENDS
from leaderboard.tests.support.web_process import fetch

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

STUCK = "leaderboard.tests.support.stuck_worker"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        _, broker_url = stack.enter_context(own_redis())
        yield make_site(folder, "", broker_url, tasks=4)


@pytest.mark.parametrize(
    ("part", "trouble"),
    [
        ("consumer", "the consumer of messages stands still"),
        ("intake", "messages wait and none is taken"),
        ("driver", "the driver stands still"),
        ("tasks", "the task runner.run_slice does not end"),
    ],
)
def test_worker_that_stands_still_says_so_and_ends(site: Site, part: str, trouble: str) -> None:
    port, stuck, ends = free_port(), site.folder / "var" / part, site.folder / "var" / ENDS
    doomed = site.with_environment(PYBENCH_WORKER_PORT=str(port))
    with slow_endpoint() as (base_url, endpoint), site.sweeper():
        with doomed.worker(STUCK) as worker:
            endpoint.hold_after = CELLS + 2
            run = site.start_run(base_url, concurrency=2)
            wait_until(lambda: endpoint.waiting > 0, "an attempt waits", 180)
            assert held_by(site, worker.pid)
            before, mark = sealed_of(site, run), len(site.log())
            stuck.touch()
            meanwhile = site.start_run(base_url, concurrency=2)  # a message for it
            ready = f"http://127.0.0.1:{port}/readyz"
            wait_until(lambda: trouble in fetch(ready)[1], "it says so", 180)
            assert fetch(ready)[0] == 503
            ends.touch()
            wait_until(lambda: worker.poll() is not None, "it ends", 180)
        assert "this process ends and gives back what it holds" in site.log()[mark:]
        stuck.unlink()
        ends.unlink()
        endpoint.may_go_on.set()
        with site.worker():
            for each in (run, meanwhile):
                site.wait_for_end(each)
    assert_whole(site, run, before)
    assert_whole(site, meanwhile)
