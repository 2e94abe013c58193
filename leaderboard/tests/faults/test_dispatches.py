"""Dispatches that are killed or crowded, and widths over several workers."""

from __future__ import annotations

import contextlib
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.tests.support.database_consistency import assert_whole
from leaderboard.tests.support.servers import Server, own_redis
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import slow_endpoint
from leaderboard.tests.support.warm import run_python

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

TASKS = 6
# A dispatch that dies once it has chosen, before it commits.
KILLED = """
import os
from leaderboard.handoff import attempts, dispatch
attempts.note_worker("w:1", 8)
dispatch.send = lambda *_: os.kill(os.getpid(), 9)
attempts.dispatch()
"""


@pytest.fixture
def site() -> Iterator[tuple[Site, Server]]:
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        broker, broker_url = stack.enter_context(own_redis())
        yield make_site(folder, "", broker_url, TASKS), broker


def tries_of(site: Site, run: int) -> list[int]:
    rows = site.rows(f"SELECT DISTINCT tries FROM leaderboard_attempt WHERE run_id = {run}")
    return [tries for (tries,) in rows]


def test_three_workers_together_ask_no_more_at_once_than_the_owner_allowed(
    site: tuple[Site, Server],
) -> None:
    one, _ = site
    with slow_endpoint() as (base_url, endpoint), contextlib.ExitStack() as stack:
        endpoint.delay_s = 0.2
        for _ in range(3):
            stack.enter_context(one.worker())
        stack.enter_context(one.sweeper())
        wait_until(lambda: one.one("SELECT count(*) FROM leaderboard_worker") == 3, "all", 180)
        runs = [one.start_run(base_url, "--attempts", "2", concurrency=4) for _ in range(2)]
        for run in runs:
            one.wait_for_end(run)
        playing = one.rows("SELECT count(DISTINCT worker) FROM leaderboard_attempt")
    assert endpoint.most_at_once == 4  # reached, and not exceeded: both runs share the endpoint
    assert playing > [(1,)]
    for run in runs:
        assert_whole(one, run)
        assert tries_of(one, run) == [1]


def test_broker_that_restarts_with_a_hundred_messages_loses_nothing(
    site: tuple[Site, Server],
) -> None:
    one, broker = site
    with slow_endpoint() as (base_url, _):
        run = one.start_run(base_url)
        code = "from leaderboard.queue.messages import send_dispatch\n"
        one.manage("shell", "-c", f"{code}for _ in range(100): send_dispatch()")
        assert one.broker().llen("attempts") > 100
        with one.worker(), one.sweeper():
            broker.end(signal.SIGKILL)
            broker.start()
            one.wait_for_end(run)
    assert_whole(one, run)


def test_dispatch_that_is_killed_before_it_commits_stops_nobody(
    site: tuple[Site, Server],
) -> None:
    one, _ = site
    with slow_endpoint() as (base_url, _):
        run = one.start_run(base_url)
        done = run_python(["manage.py", "shell", "-c", KILLED], one.environment)
        assert done.returncode == -signal.SIGKILL
        with one.worker(), one.sweeper():
            one.wait_for_end(run)
    assert_whole(one, run)
    assert tries_of(one, run) == [1]


def test_attempts_of_a_worker_that_is_known_to_be_dead_are_free_before_its_lease(
    site: tuple[Site, Server],
) -> None:
    one, _ = site
    patient = one.with_environment(PYBENCH_LEASE_S="3600")
    with slow_endpoint() as (base_url, endpoint), patient.sweeper():
        endpoint.hold_after = 0
        with patient.worker() as doomed:
            run = patient.start_run(base_url, concurrency=2)
            wait_until(lambda: endpoint.waiting == 2, "two attempts wait for a reply", 180)
            doomed.send_signal(signal.SIGKILL)
            doomed.wait(60)
        endpoint.may_go_on.set()
        with patient.worker():  # as the supervisor starts it again
            patient.wait_for_end(run, 180)
    assert_whole(patient, run)
