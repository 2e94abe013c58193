"""The line that shows the whole of a long replay."""

from __future__ import annotations

import pytest
from django.test import Client

from leaderboard.models import Step
from leaderboard.replay.minimap import MAX_MARKS, draw_minimap
from leaderboard.replay.step_windows import WINDOW_STEPS
from leaderboard.tests.support.replay_pages import attempt_at, get
from leaderboard.tests.support.rows import (
    add_step,
    finish_run,
    make_run,
    make_step,
    make_suite,
    printed,
)
from runner.contract import StepStatus


@pytest.mark.parametrize("count", [0, 1, WINDOW_STEPS])
def test_one_window_needs_no_map(count: int) -> None:
    assert draw_minimap(count, 1, [], ()) == []


def test_every_step_is_on_one_mark_and_each_begins_a_window(subtests: pytest.Subtests) -> None:
    for count in [21, 40, 41, 959, 960, 961, 9_999, 10_050, 65_535]:
        with subtests.test(count=count):
            marks = draw_minimap(count, 21, [21, count], {count})
            assert 2 <= len(marks) <= MAX_MARKS
            assert [mark.first for mark in marks[1:]] == [mark.last + 1 for mark in marks[:-1]]
            assert (marks[0].first, marks[-1].last) == (1, count)
            assert all(mark.first % WINDOW_STEPS == 1 for mark in marks)
            assert sum(mark.is_open for mark in marks) == 1
            assert sum(mark.failing for mark in marks) == 2
            assert marks[-1].hits == 1


def test_a_mark_leads_to_its_first_hit_then_to_its_first_failure() -> None:
    first, second, third = draw_minimap(60, 1, [5, 30, 35], {33})
    assert (first.step, first.window) == (5, 1)
    assert (second.step, second.window, second.failing, second.hits) == (33, 21, 2, 1)
    assert (third.step, third.failing, third.hits) == (41, 0, 0)


@pytest.mark.django_db
def test_a_long_replay_has_its_map_and_a_short_one_none(client: Client) -> None:
    run = finish_run(make_run(make_suite()), 3)
    attempt = attempt_at(run, "quarterly-sales")
    attempt.steps.all().delete()
    add_step(attempt, make_step(1, outputs=[printed("seen\n")]))
    assert "minimap" not in get(client, attempt)
    one = attempt.steps.get()
    Step.objects.bulk_create(
        Step(
            attempt=attempt,
            try_number=one.try_number,
            index=n,
            status=StepStatus.ERROR if n == 47 else one.status,
            body=one.body,
        )
        for n in range(2, 64)
    )
    page = get(client, attempt, "?from=21&find=seen")
    assert page.count('<li><a class="has-hit') >= 4
    assert (
        'href="?find=seen&amp;from=41#step-41" title="Steps 41 to 60, 1 failing, 20 with hits"'
        in page
    )
    plain = get(client, attempt, "?from=21")
    assert 'href="?from=41#step-47" title="Steps 41 to 60, 1 failing"' in plain
    assert plain.count('aria-current="true" href="?from=21#step-21"') == 1
