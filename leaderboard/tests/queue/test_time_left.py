"""Time that a run still takes, as its page says it."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from leaderboard.handoff import attempts
from leaderboard.models import Attempt
from leaderboard.queue.progress import TimeLeft, estimate
from leaderboard.tests.support.jobs import claim_one, judged
from leaderboard.tests.support.rows import start_run
from runner.contract import Outcome, Status

NOW = timezone.now()


def ended(wall_s: float) -> Attempt:
    return Attempt(status=Status.DONE, outcome=Outcome.FINISHED, passed=True, wall_s=wall_s)


def running(elapsed_s: float) -> Attempt:
    return Attempt(status=Status.RUNNING, started_at=NOW - timedelta(seconds=elapsed_s))


def test_estimate_counts_attempts_over_lanes() -> None:
    done = [ended(10.0) for _ in range(4)]
    queued = [Attempt(status=Status.QUEUED) for _ in range(6)]
    assert estimate([*done, *queued], 2, NOW) == TimeLeft(30.0, 30.0, 30.0)
    left = estimate([*done, running(4.0)], 2, NOW)
    assert left is not None
    assert round(left.middle_s) == 6


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [ended(10.0)] * 2 + [Attempt(status=Status.QUEUED)],
        [ended(10.0)] * 5,
        [ended(0.0)] * 5 + [Attempt(status=Status.QUEUED)],
    ],
)
def test_too_little_is_no_estimate(rows: list[Attempt]) -> None:
    assert estimate(rows, 2, NOW) is None


def test_attempt_that_takes_ages_or_started_in_the_future_is_finite() -> None:
    done = [ended(value) for value in (5.0, 10.0, 60.0)]
    for elapsed_s in (1e6, -1e6):
        left = estimate([*done, running(elapsed_s)], 2, NOW)
        assert left is not None
        assert 0 < left.low_s <= left.middle_s <= left.high_s < 1000


def test_range_holds_for_nine_of_ten_simulated_runs() -> None:
    rng = random.Random(14)
    inside = 0
    for _ in range(300):
        done = [ended(rng.lognormvariate(3, 0.6)) for _ in range(15)]
        coming = [rng.lognormvariate(3, 0.6) for _ in range(16)]
        left = estimate([*done, *(Attempt(status=Status.QUEUED) for _ in coming)], 2, NOW)
        assert left is not None
        lanes = [0.0, 0.0]
        for wall_s in coming:
            lanes[lanes.index(min(lanes))] += wall_s
        inside += left.low_s <= max(lanes) <= left.high_s
    assert inside >= 0.85 * 300


@pytest.mark.django_db
def test_page_has_one_status_line(client: Client) -> None:
    run = start_run(5, concurrency=1)
    page = " ".join(client.get(f"/runs/{run.pk}/progress/").content.decode().split())
    assert "<b>Waiting for a worker</b> ·" in page
    assert ">0 of 5</b> attempts ended" in page
    for _ in range(3):
        attempts.record_result(claim_one(run), judged(True))
    Attempt.objects.filter(passed=True).update(wall_s=120.0)
    claim_one(run)
    page = " ".join(client.get(f"/runs/{run.pk}/progress/").content.decode().split())
    assert ">3 of 5</b>" in page
    assert "about 4 min left</b> ·" in page  # no range from 4 min to 4 min


@pytest.mark.django_db
def test_status_line_has_the_range_of_attempts_that_vary(client: Client) -> None:
    run = start_run(5, concurrency=1)
    for wall_s in (20.0, 120.0, 900.0):
        job = claim_one(run)
        attempts.record_result(job, judged(True))
        Attempt.objects.filter(pk=job.attempt_id).update(wall_s=wall_s)
    claim_one(run)
    assert " left</b> (" in client.get(f"/runs/{run.pk}/progress/").content.decode()
