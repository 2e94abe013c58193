"""A worker that is really killed in the middle of a run: nothing is lost, nothing is done twice."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import wait_until
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import CELLS, slow_endpoint

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

TASKS = 8


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.peers)]
)
def site(request: pytest.FixtureRequest, redis_url: str) -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    is_served = request.param == "postgresql"
    database_url = request.getfixturevalue("new_postgres_database")() if is_served else ""
    try:
        yield make_site(folder, database_url, redis_url, TASKS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_workers_that_claim_at_once_never_get_the_same_attempt(site: Site) -> None:
    run = site.start_run("http://127.0.0.1:59999/v1", "--attempts=4", concurrency=12)
    claimed = race(site, run, processes=3)
    assert sorted(claimed) == sorted(set(claimed))
    assert len(claimed) == 4 * TASKS
    assert site.run_status(run) == "done"


def test_a_run_survives_the_death_of_its_worker(site: Site) -> None:
    with slow_endpoint() as (base_url, endpoint), site.sweeper():
        endpoint.hold_finals_after = 3  # nothing can finish after three, nor lose its steps
        run = site.start_run(base_url, concurrency=3)
        with site.worker() as worker:
            wait_until(lambda: site.count(run, "done") == 3, "three attempts are done", 240)
            wait_until(lambda: endpoint.waiting > 0, "another waits for its last reply", 240)
            wait_until(lambda: has_step_under_way(site), "an attempt has a step", 240)
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait(60)
        endpoint.may_go_on.set()
        finished = finished_of(site, run)
        interrupted = site.rows(
            f"SELECT id FROM leaderboard_attempt WHERE run_id = {run} AND status = 'running'"
        )
        assert interrupted
        assert len(finished) < TASKS
        site.broker().flushall()  # every message is lost as well
        with site.worker():
            site.wait_for_end(run)

    kept = {row.attempt: row for row in finished_of(site, run)}
    assert [kept[row.attempt] for row in finished] == finished
    assert len(kept) == TASKS
    for row in kept.values():
        was_interrupted = (row.attempt,) in interrupted
        assert (row.problem, row.sentence) == ("", "Passed: the only check passed.")
        assert (row.tries, row.verdicts) == (2 if was_interrupted else 1, 1)
        assert row.steps_of_last_try == CELLS + 1
    evidence = [row for row in kept.values() if row.steps > row.steps_of_last_try]
    assert {(row.attempt,) for row in evidence} <= set(interrupted)
    assert evidence
    assert len(endpoint.calls) <= (CELLS + 1) * (TASKS + len(interrupted))
    assert "0 with figures that differed" in site.manage("recompute")


class Finished(NamedTuple):
    """Summary of a finished attempt."""

    attempt: int
    tries: int
    finished_at: object
    passed: object
    problem: str
    sentence: str
    verdicts: int
    steps: int
    steps_of_last_try: int


def finished_of(site: Site, run: int) -> list[Finished]:
    steps = "SELECT count(*) FROM leaderboard_step s WHERE s.attempt_id = a.id"
    verdicts = "SELECT count(*) FROM leaderboard_verdict v WHERE v.attempt_id = a.id"
    columns = f"({verdicts}), ({steps}), ({steps} AND s.try_number = a.tries)"
    rows = site.rows(
        f"SELECT a.id, a.tries, a.finished_at, a.passed, a.problem, a.sentence, {columns} "
        f"FROM leaderboard_attempt a WHERE a.run_id = {run} AND a.status = 'done' ORDER BY a.id"
    )
    return [Finished(*row) for row in rows]


def has_step_under_way(site: Site) -> bool:
    return bool(
        site.one(
            "SELECT count(*) FROM leaderboard_step s JOIN leaderboard_attempt a "
            "ON a.id = s.attempt_id WHERE a.status = 'running'"
        )
    )


# One of several processes that claim and finish a run's attempts as fast as they can.
RACE = """
from leaderboard.handoff import attempts
from leaderboard.tests.support.jobs import claim, judged
while jobs := claim({run}, 3, "racer"):
    for job in jobs:
        attempts.record_result(job, judged(True))
        print(job.attempt_id)
"""


def race(site: Site, run: int, processes: int) -> list[int]:
    """The attempts that each of several processes finished, all together."""
    code = RACE.format(run=run)
    with ThreadPoolExecutor(processes) as pool:
        racers = [
            pool.submit(site.manage, "shell", "-v", "0", "-c", code) for _ in range(processes)
        ]
        said = [racer.result() for racer in racers]
    return [int(line) for text in said for line in text.split()]
