"""The queue with a real worker, Redis and kernels: messages, stops, cancels, refusals."""

from __future__ import annotations

import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import CELLS, Behaviour, slow_endpoint

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

TASKS = 4
RUNS = "leaderboard.models"
CAP = "Run.objects.filter(pk={}).update(ceiling=5000)"
PAUSES = "leaderboard.submissions.pauses"
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


def send_again(site: Site, run: int, times: int) -> None:
    """Send each attempt of the run so often as it was sent last, and ask who is next."""
    code = (
        "from leaderboard.models import Attempt\n"
        "from leaderboard.queue.messages import send_attempt, send_dispatch\n"
        f"for attempt in [*Attempt.objects.filter(run={run})] * {times}:\n"
        "    send_attempt(attempt.pk, str(attempt.token))\n"
        "    send_dispatch()"
    )
    site.manage("shell", "-c", code)


def bytes_of(path: Path) -> bytes:
    """Contents of the file; nothing if the worker has cleared it away by now."""
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
        send_again(running, run, 5)
        running.wait_for_end(run)
        send_again(running, run, 2)
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
        wait_until(lambda: running.count(run, "done") == 1, "an attempt is done", 180)
        wait_until(lambda: running.count(run, "running") == 1, "the next one is running", 180)
        running.manage("cancel_run", str(run))
        running.wait_for_end(run, 150)  # it waits for a reply that does not come
        assert running.run_status(run) == "cancelled"
        assert running.count(run, "done") == 1
        assert running.count(run, "cancelled") == TASKS - 1

    def test_a_pause_frees_its_places_and_the_run_goes_on_where_it_was(
        self, running: Site, endpoint: tuple[str, Behaviour]
    ) -> None:
        base_url, behaviour = endpoint
        behaviour.hold_after = CELLS + 1  # the first attempt's
        run = running.start_run(base_url, concurrency=1)
        wait_until(lambda: running.count(run, "done") == 1, "an attempt is done", 150)
        wait_until(lambda: running.count(run, "running") == 1, "the next one waits", 150)
        running.manage("shell", "-c", f"from {PAUSES} import pause; pause({run})")
        wait_until(lambda: running.count(run, "running") == 0, "its place is free", 60)
        assert running.run_status(run) == "paused"
        assert running.count(run, "queued") == TASKS - 1
        asked = len(behaviour.calls)
        behaviour.hold_after = None
        other = running.start_run(base_url, concurrency=1)  # the place is somebody else's
        running.wait_for_end(other, 150)
        assert len(behaviour.calls) == asked + TASKS * (CELLS + 1)
        running.manage("shell", "-c", f"from {PAUSES} import resume; resume({run})")
        running.wait_for_end(run, 150)
        assert running.run_status(run) == "done"
        assert sorted(tries_of(running, run)) == [1, 1, 1, 2]
        assert running.rows(
            f"SELECT DISTINCT passed, void_tries FROM leaderboard_attempt WHERE run_id = {run}"
        ) == [(1, 0)]


def test_run_stops_at_its_ceiling_and_goes_on_when_that_is_raised(
    site: Site, endpoint: tuple[str, Behaviour]
) -> None:
    base_url, behaviour = endpoint
    behaviour.tokens = (400, 100)  # 1,500 an attempt; a reserve is some 1,500 too
    run = site.start_run(base_url, concurrency=1)
    site.manage("shell", "-c", f"from {RUNS} import Run; {CAP.format(run)}")
    with site.worker(), site.sweeper():
        site.wait_for_end(run)
        assert site.run_status(run) == "cancelled"
        assert site.count(run, "done") == 2
        assert site.count(run, "cancelled") == TASKS - 2
        [(spent, reserved, why)] = site.rows(
            f"SELECT spent, reserved, stopped_for FROM leaderboard_run WHERE id = {run}"
        )
        assert (reserved, why) == (0, "ceiling")
        assert spent == 500 * len(behaviour.calls) <= 5_000
        raise_it = f"from {PAUSES} import resume; resume({run}, ceiling_tokens=50000)"
        site.manage("shell", "-c", raise_it)
        wait_until(lambda: site.run_status(run) == "done", "the rest is played", 150)
    assert site.count(run, "done") == TASKS
    assert site.rows(f"SELECT spent FROM leaderboard_run WHERE id = {run}") == [
        (500 * len(behaviour.calls),)
    ]


def test_worker_asked_to_stop_gives_its_attempts_back(
    site: Site, endpoint: tuple[str, Behaviour]
) -> None:
    base_url, behaviour = endpoint
    behaviour.hold_after = 0
    run = site.start_run(base_url, concurrency=2)
    with site.worker() as worker:
        wait_until(lambda: behaviour.waiting == 2, "two attempts wait for a reply", 180)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(180) == 0
    rows = site.rows(
        "SELECT DISTINCT status, void_tries, lease_until FROM leaderboard_attempt "
        f"WHERE run_id = {run}"
    )
    assert rows == [("queued", 0, None)]
    behaviour.may_go_on.set()
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
    messages = site.broker().lrange("attempts", 0, -1)
    assert messages
    assert not any(KEY.encode() in message for message in messages)
    site.broker().flushall()
    with site.worker(), site.sweeper():
        site.wait_for_end(run)
    assert tries_of(site, run) == [1] * TASKS


def test_a_worker_that_slept_through_its_lease_writes_nothing_more(
    site: Site, endpoint: tuple[str, Behaviour]
) -> None:
    base_url, behaviour = endpoint
    behaviour.hold_after = 0
    run = site.start_run(base_url, concurrency=2)
    with site.worker() as sleeper, site.sweeper():
        refused = site.log().count("fenced")
        wait_until(lambda: behaviour.waiting == 2, "two attempts wait for a reply", 180)
        site.stop_between_writes(sleeper)
        try:
            behaviour.may_go_on.set()
            with site.worker():
                site.wait_for_end(run)
            over = evidence(site, run)
        finally:
            sleeper.send_signal(signal.SIGCONT)
        wait_until(lambda: site.log().count("fenced") >= refused + 2, "both were refused", 180)
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
