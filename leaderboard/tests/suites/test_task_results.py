"""A task's results are read a page at a time, and no further back than the newest so many."""

from __future__ import annotations

import pytest
from django.test import Client

from leaderboard.models import Suite
from leaderboard.tests.support.rows import finish_run, make_entry, make_run
from leaderboard.views import tasks
from leaderboard.views.tasks import Results

pytestmark = pytest.mark.django_db


def test_every_stretch_of_the_results_is_that_of_the_whole(suite: Suite) -> None:
    for number in range(5):
        finish_run(make_run(suite, make_entry(f"Foo {number}")), 4)
        finish_run(make_run(suite, make_entry(f"base {number}", is_scripted=True)), 8)
    task = suite.tasks.all()[0]
    whole = Results(task)[:]
    assert [a.run.entry.is_scripted for a in whole] == [False] * 5 + [True] * 5
    assert [a.run_id for a in whole[:5]] == sorted((a.run_id for a in whole[:5]), reverse=True)
    for start in range(11):
        for stop in range(start, 12):
            assert Results(task)[start:stop] == whole[start:stop]
    assert (Results(task)[7], len(Results(task))) == (whole[7], 10)


def test_older_results_are_left_out_and_the_page_says_so(
    suite: Suite, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [finish_run(make_run(suite, make_entry(f"Foo {n}")), 4) for n in range(4)]
    words = "Only the newest 3 results of models are listed"
    path = "/tasks/starter/quarterly-sales/"
    assert words not in client.get(path).content.decode()
    monkeypatch.setattr(tasks, "MAX_RESULTS", 3)
    page = client.get(path).content.decode()
    assert words in page
    assert f"/runs/{runs[0].pk}/tasks/quarterly-sales/" not in page
    assert f"/runs/{runs[1].pk}/tasks/quarterly-sales/" in page
