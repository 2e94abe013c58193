"""The queue with a real worker, Redis and kernels: messages, stops, cancels, refusals."""

from __future__ import annotations

import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.tests.site import Site, make_site
from leaderboard.tests.slow_endpoint import CELLS, Behaviour, slow_endpoint

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

TASKS = 4
KEY = "sk-the-key-of-a-submitter"


@pytest.fixture(scope="module")
def site(redis_url: str) -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    try:
        yield make_site(folder, "", redis_url, TASKS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def endpoint() -> Iterator[tuple[str, Behaviour]]:
    with slow_endpoint() as served:
        yield served


@pytest.fixture(scope="class")
def running(site: Site) -> Iterator[Site]:
    """The site with its worker and sweeper at work."""
    with site.worker(), site.sweeper():
        yield site


def tries_of(site: Site, run: int) -> list[int]:
    rows = site.rows(f"SELECT tries FROM leaderboard_attempt WHERE run_id = {run} ORDER BY id")
    return [tries for (tries,) in rows]


def send_wake_ups(site: Site, run: int, times: int) -> None:
    code = (
        f"from leaderboard.wake import send_wake_up\nfor _ in range({times}): send_wake_up({run})"
    )
    site.manage("shell", "-c", code)


def bytes_of(path: Path) -> bytes:
    """What the file holds; nothing when the worker has cleared it away by now."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


class TestWhileAWorkerIsAtWork:
    def test_a_message_delivered_many_times_plays_nothing_twice(
        self, running: Site, endpoint: tuple[str, Behaviour]
    ) -> None:
        base_url, behaviour = endpoint
        run = running.start_run(base_url, concurrency=2)
        send_wake_ups(running, run, 20)
        running.wait_for_end(run)
        send_wake_ups(running, run, 5)
        assert tries_of(running, run) == [1] * TASKS
        assert len(behaviour.calls) == TASKS * (CELLS + 1)
        assert running.rows(
            f"SELECT DISTINCT passed FROM leaderboard_attempt WHERE run_id = {run}"
        ) == [(1,)]

    def test_the_key_reaches_the_endpoint_and_no_log_or_row(
        self, running: Site, endpoint: tuple[str, Behaviour]
    ) -> None:
        base_url, behaviour = endpoint
        run = running.start_run(base_url, SUBMITTED_KEY=KEY)
        running.wait_for_end(run)
        assert set(behaviour.calls) == {KEY}
        kept = [path for path in running.folder.rglob("*") if path.is_file()]
        assert any(path.name == "log" for path in kept)
        assert [path for path in kept if KEY.encode() in bytes_of(path)] == []

    def test_a_refused_key_ends_the_run_soon_with_a_sentence(
        self, running: Site, endpoint: tuple[str, Behaviour]
    ) -> None:
        base_url, behaviour = endpoint
        behaviour.status = 401
        run = running.start_run(base_url, concurrency=1)
        running.wait_for_end(run)
        assert running.run_status(run) == "done"
        assert len(behaviour.calls) == 3
        attempts = f"FROM leaderboard_attempt WHERE run_id = {run}"
        assert running.rows(f"SELECT DISTINCT outcome, fault, passed, problem {attempts}") == [
            ("endpoint_failed", "submitter", None, "The endpoint asks for an API key (401).")
        ]

    def test_a_cancelled_run_stops_within_seconds_and_keeps_its_results(
        self, running: Site, endpoint: tuple[str, Behaviour]
    ) -> None:
        base_url, behaviour = endpoint
        behaviour.hold_after = CELLS + 1  # the first attempt's
        run = running.start_run(base_url, concurrency=1)
        wait_until(lambda: running.count(run, "done") == 1, "an attempt is done", 60)
        wait_until(lambda: running.count(run, "running") == 1, "the next one is running", 30)
        running.manage("cancel_run", str(run))
        running.wait_for_end(run, 45)
        assert running.run_status(run) == "cancelled"
        assert running.count(run, "done") == 1
        assert running.count(run, "cancelled") == TASKS - 1


def test_a_worker_that_is_told_to_stop_gives_its_attempts_back(
    site: Site, endpoint: tuple[str, Behaviour]
) -> None:
    base_url, behaviour = endpoint
    behaviour.delay_s = 60.0
    run = site.start_run(base_url, concurrency=2)
    with site.worker() as worker:
        wait_until(lambda: len(behaviour.calls) == 2, "two attempts wait for a reply", 150)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(15) == 0
    rows = site.rows(
        "SELECT DISTINCT status, void_tries, lease_until FROM leaderboard_attempt "
        f"WHERE run_id = {run}"
    )
    assert rows == [("queued", 0, None)]
    behaviour.delay_s = 0.0
    with site.worker():
        site.wait_for_end(run)
    assert site.run_status(run) == "done"
    assert sorted(tries_of(site, run)) == [1, 1, 2, 2]
    assert list((site.folder / "var" / "scratch").glob("*/*")) == []


def test_a_lost_message_is_sent_again_and_held_no_key(
    site: Site, endpoint: tuple[str, Behaviour]
) -> None:
    base_url, _ = endpoint
    run = site.start_run(base_url, SUBMITTED_KEY=KEY)
    [message] = site.broker().lrange("pybench", 0, -1)
    assert KEY.encode() not in message
    site.broker().flushall()
    with site.worker(), site.sweeper():
        site.wait_for_end(run)
    assert tries_of(site, run) == [1] * TASKS


def test_a_worker_that_slept_through_its_lease_writes_nothing_more(
    site: Site, endpoint: tuple[str, Behaviour]
) -> None:
    base_url, behaviour = endpoint
    behaviour.delay_s = 60.0
    run = site.start_run(base_url, concurrency=2)
    with site.worker() as sleeper, site.sweeper():
        refused = site.log().count("fenced")
        wait_until(lambda: len(behaviour.calls) == 2, "two attempts wait for a reply", 150)
        sleeper.send_signal(signal.SIGSTOP)
        try:
            behaviour.delay_s = 0.0
            with site.worker():
                site.wait_for_end(run)
            over = evidence(site, run)
        finally:
            sleeper.send_signal(signal.SIGCONT)
        wait_until(lambda: site.log().count("fenced") == refused + 2, "both were refused", 30)
    assert evidence(site, run) == over
    assert sorted(tries_of(site, run)) == [1, 1, 2, 2]


def evidence(site: Site, run: int) -> list[tuple[object, ...]]:
    """Every attempt with its verdicts and the steps of its last try."""
    steps = "SELECT count(*) FROM leaderboard_step s WHERE s.attempt_id = a.id"
    verdicts = "SELECT count(*) FROM leaderboard_verdict v WHERE v.attempt_id = a.id"
    return site.rows(
        f"SELECT a.id, a.token, a.passed, a.finished_at, ({verdicts}), ({steps}) "
        f"FROM leaderboard_attempt a WHERE a.run_id = {run} ORDER BY a.id"
    )
