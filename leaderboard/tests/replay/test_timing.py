"""Time spent in a try, from what is stored of its steps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from leaderboard.models import Step, Verdict
from leaderboard.replay.timing import time_steps
from leaderboard.tests.support.rows import add_step, finish_run, make_run, make_step, make_suite

NOW = datetime(2026, 11, 23, tzinfo=UTC)


def step(index: int, at_s: float | None, model_s: float, cell_s: float) -> Step:
    began = None if at_s is None else NOW + timedelta(seconds=at_s)
    return Step(index=index, started_at=began, model_s=model_s, cell_s=cell_s)


def test_steps_stand_one_after_the_other_with_their_waits() -> None:
    rows = time_steps([step(1, 0, 2, 1), step(2, 5, 4, 0)], Verdict(duration_s=1))
    assert [(r.index, r.start, r.model, r.cell, r.other, r.other_s) for r in rows] == [
        (1, 0, 20, 10, 20, 2),
        (2, 50, 40, 0, 0, None),
        (None, 90, 0, 10, 0, None),
    ]


def test_recorded_steps_without_times_follow_each_other() -> None:
    rows = time_steps([step(1, None, 3, 0), step(2, None, 1, 0)], None)
    assert [(r.start, r.model, r.other_s) for r in rows] == [(0, 75, None), (75, 25, None)]


@pytest.mark.parametrize(
    "steps",
    [[], [step(1, None, 0, 0)], [step(1, 10, 0, 0), step(2, 10, 0, 0)]],
)
def test_nothing_is_drawn_where_no_time_is_known(steps: list[Step]) -> None:
    assert time_steps(steps, None) == []


def test_a_clock_that_went_back_gives_no_negative_wait() -> None:
    rows = time_steps([step(1, 100, 2, 1), step(2, 0, 1, 0)], None)
    assert rows[0].other_s == 0
    assert all(0 <= r.start <= 100 for r in rows)


@pytest.mark.django_db
def test_a_replay_shows_it(client: Client) -> None:
    run = finish_run(make_run(make_suite()), 3)
    attempt = run.attempts.select_related("task", "run").get(task__key="rotate-photo")
    attempt.steps.all().delete()
    add_step(attempt, make_step(1))
    page = client.get(attempt.get_absolute_url()).content.decode()
    assert "where the time went" in page
    assert '<rect class="is-model" x="0.0%" width="84' in page
