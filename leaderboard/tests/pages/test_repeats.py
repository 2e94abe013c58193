"""Runs with several attempts per task, on the board, their own page and beside others."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

import pytest
from django.test import Client

from leaderboard.models import Attempt, Run, Suite
from leaderboard.scoring.standings import refresh_changed
from leaderboard.scoring.summaries import summarise
from leaderboard.tests.support.rows import (
    end_judged,
    end_void,
    finish_run,
    make_entry,
    make_run,
    make_suite,
)
from runner.contract import Status

pytestmark = pytest.mark.django_db

PASSES = [(1, 1, 1), (1, 0, 1), (0, 0, 1), (0, 0, 0)]  # per task, by number of the attempt


def play(suite: Suite, passes: Sequence[Sequence[int]], name: str) -> Run:
    """A finished run with as many attempts per task as `passes` says."""
    run = make_run(suite, make_entry(name))
    run.attempts.all().delete()
    run.attempts_per_task = len(passes[0])
    for task, verdicts in zip(suite.tasks.order_by("position"), passes, strict=True):
        for number, passed in enumerate(verdicts, 1):
            attempt = Attempt(run=run, task=task, category=task.category, number=number)
            end_judged(attempt, passed=bool(passed))
    run.status = Status.DONE
    run.save()
    summarise(run)
    return run


@pytest.fixture
def suite() -> Suite:
    return make_suite("starter", len(PASSES))


def order_of(page: str) -> list[str]:
    """The names in the table's rows, from above."""
    return re.findall(r'id="run-\d+"><bdi>(\w+)</bdi>', page)


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_the_board_has_columns_only_where_a_run_repeats(client: Client, suite: Suite) -> None:
    finish_run(make_run(suite, make_entry("Once")), 2)
    assert "pass@" not in read(client, "/")
    play(suite, PASSES, "Thrice")
    refresh_changed()
    page = read(client, "/")
    assert "pass@3" in page
    words = " ".join(re.sub(r"<[^>]*>", " ", page).split())
    assert "30 to 95" not in words  # of few tasks
    assert "2 of 4 k 3" in words
    assert "±" not in words  # counts alone
    assert f'href="{Run.objects.get(entry__name="Thrice").get_absolute_url()}#repeats"' in page
    assert order_of(read(client, "/?sort=-flips")) == ["Thrice", "Once"]
    assert order_of(read(client, "/?sort=pass_at_k")) == ["Thrice", "Once"]


def test_programs_get_the_same_numbers(client: Client, suite: Suite) -> None:
    finish_run(make_run(suite, make_entry("Once")), 2)
    play(suite, PASSES, "Thrice")
    refresh_changed()
    rows = {row["entry"]: row for row in client.get("/board.json").json()["rows"]}
    assert rows["Thrice"]["pass_at_k"] == 0.75
    assert rows["Thrice"]["pass_hat_k"] == 0.25
    assert rows["Thrice"]["tasks_flipped"] == 2
    assert rows["Once"]["pass_at_k"] is None
    table = list(csv.DictReader(read(client, "/board.csv").splitlines()))
    assert {row["entry"]: row["pass_hat_k"] for row in table} == {"Thrice": "0.25", "Once": ""}


def test_a_run_shows_its_chances_and_the_tasks_that_flip(client: Client, suite: Suite) -> None:
    run = play(suite, PASSES, "Thrice")
    page = read(client, f"/runs/{run.pk}/")
    assert "Of 4 tasks, 1 passed in all 3 attempts, 2 in some and 1 in none." in page
    flips = page[page.index("Tasks that flip") :].split("</ul>")[0]
    assert flips.count("<li>") == 2
    keys = list(suite.tasks.order_by("position").values_list("key", flat=True))
    assert f"/runs/{run.pk}/tasks/{keys[1]}/?attempt=2" in flips
    assert f"/tasks/{keys[0]}/" not in flips


def test_a_run_with_a_void_attempt_claims_nothing(client: Client, suite: Suite) -> None:
    run = play(suite, PASSES, "Thrice")
    end_void(run.attempts.order_by("pk")[0])
    Attempt.objects.filter(pk=run.attempts.order_by("pk")[0].pk).update(passed=None)
    summarise(run)
    assert 'id="repeats"' not in read(client, f"/runs/{run.pk}/")


def test_runs_are_compared_for_as_many_attempts_as_all_have(client: Client, suite: Suite) -> None:
    thrice = play(suite, PASSES, "Thrice")
    twice = play(suite, [(1, 1), (1, 0), (1, 1), (0, 0)], "Twice")
    once = finish_run(make_run(suite, make_entry("Once")), 2)
    page = read(client, f"/compare/?runs={thrice.pk},{twice.pk}")
    assert "pass@2: one passes" in page
    section = page[page.index('id="repeats"') :].split("</section>")[0]
    assert "<b>2.7 of 4</b>" in section  # pass@2 of three attempts: 1 + 1 + 2/3 + 0
    assert "2 of 4" in section
    assert "Tasks that flip" in section
    group = read(client, f"/compare/?runs={thrice.pk},{twice.pk},{once.pk}")
    assert "pass@2: one passes" in group
    said = client.get(f"/compare.json?runs={thrice.pk},{twice.pk}").json()
    assert (said["a"]["pass_at_k"], said["b"]["pass_hat_k"]) == (0.75, 0.5)
    alone = read(client, f"/compare/?runs={once.pk},{finish_run(make_run(suite), 1).pk}")
    assert 'id="repeats"' not in alone
