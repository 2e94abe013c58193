"""Tasks that a guess can pass: stored with the suite, shown with it, counted apart on the board."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from leaderboard.models import Suite, Task
from leaderboard.scoring.standings import refresh_changed
from leaderboard.submissions.run_actions import start
from leaderboard.suites.install import install
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    register_entry,
)
from leaderboard.tests.support.site import write_suite
from runner.suite.reader import load_suite

pytestmark = pytest.mark.django_db

WHY = "One of two words is asked for."


@pytest.fixture
def suite() -> Suite:
    """Eight tasks, of which a guess can pass the first two."""
    suite = make_suite()
    suite.tasks.filter(position__lte=2).update(guessable=WHY)
    finish_run(make_run(suite, make_entry("Foo")), 5)
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 2)
    make_run(suite, make_entry("Waiting"))
    refresh_changed()
    return suite


def get(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_mark_is_stored_and_survives_installing_again(tmp_path: Path, settings: Settings) -> None:
    settings.SUITES = tmp_path / "suites"
    write_suite(settings.SUITES, tasks=2)
    path = settings.SUITES / "lines" / "tasks" / "lines_1.py"
    path.write_text(path.read_text().replace("WRONG =", f'GUESSABLE = "{WHY}"\nWRONG =', 1))
    folder = load_suite("lines", settings.SUITES)
    suite = install(folder).suite
    start(register_entry(), suite)
    assert list(suite.tasks.values_list("guessable", flat=True)) == [WHY, ""]
    Task.objects.update(guessable="")  # as rows are that were made before the column
    assert install(folder).what == "is up to date"
    assert list(suite.tasks.values_list("guessable", flat=True)) == [WHY, ""]
    tasks = tuple(replace(task, guessable="") for task in folder.tasks)
    install(replace(folder, tasks=tasks))
    assert not suite.tasks.exclude(guessable="").exists()


def test_task_pages_show_the_reason(client: Client, suite: Suite) -> None:
    page = get(client, "/tasks/starter/quarterly-sales/")
    assert "A guess can pass" in page
    assert WHY in page
    assert "A guess can pass" not in get(client, "/tasks/starter/rotate-photo/")
    assert get(client, "/tasks/starter/").count("can be guessed") == 2
    rows = client.get("/tasks/starter.json").json()["tasks"]
    assert [row["guessable"] for row in rows] == [WHY] * 2 + [""] * 6
    assert client.get("/tasks/starter/quarterly-sales.json").json()["guessable"] == WHY
    told = client.get("/api/v1/tasks/?suite=starter").json()["results"]
    assert [row["guessable"] for row in told] == [WHY] * 2 + [""] * 6


def test_health_counts_them_with_their_reasons(client: Client, suite: Suite) -> None:
    page = get(client, "/suites/starter/health/")
    assert ">2</dd>" in page
    assert page.count(f"A guess can pass: {WHY}") == 2
    tasks = client.get("/suites/starter/health.json").json()["tasks"]
    assert sorted(task["task"] for task in tasks if task["guessable"]) == [
        "quarterly-sales",
        "station-temperatures",
    ]


def test_board_shows_the_rate_without_them(client: Client, suite: Suite) -> None:
    page = get(client, "/")
    assert "No guess" in page
    assert "pass rate without 2 tasks that a guess can pass" in page
    foo, waiting, silent = client.get("/board.json").json()["rows"]
    assert (foo["entry"], foo["ut_strict"]) == ("Foo", 5 / 8)
    assert [foo[f"ut_strict_unguessed{word}"] for word in ("", "_passed", "_tasks")] == [None, 3, 6]
    assert (silent["ut_strict"], silent["ut_strict_unguessed_passed"]) == (2 / 8, 0)
    assert waiting["ut_strict_unguessed_passed"] is None
    assert '<span class="v">3 of 6</span>' in page
    records = list(csv.DictReader(client.get("/board.csv").content.decode().splitlines()))
    assert [row["ut_strict_unguessed_passed"] for row in records] == ["3.0", "", "0.0"]
    assert client.get("/api/v1/board/").json()["rows"][0]["ut_strict_unguessed_passed"] == 3
    assert 'aria-sort="descending"' in get(client, "/?sort=unguessed")


def test_several_attempts_per_task_are_a_mean_over_tasks(client: Client, suite: Suite) -> None:
    run = make_run(suite, make_entry("Twice"))
    run.attempts_per_task = 2
    run.save()
    for attempt in list(run.attempts.all()):
        attempt.pk, attempt.number = None, 2
        attempt.save()
    finish_run(run, 6)  # both attempts at the first three tasks
    refresh_changed()
    rows = {row["entry"]: row for row in client.get("/board.json").json()["rows"]}
    told = rows["Twice"]
    assert (told["ut_strict"], told["ut_strict_unguessed_passed"]) == (3 / 8, 1)
    assert told["ut_strict_unguessed_tasks"] == 6


def test_suite_without_marks_has_no_column_and_costs_no_query(client: Client) -> None:
    suite = make_suite()
    finish_run(make_run(suite), 3)
    refresh_changed()
    with CaptureQueriesContext(connection) as queries:
        page = get(client, "/")
    assert "No guess" not in page
    assert len(queries) == 7
    assert "ut_strict_unguessed" not in client.get("/board.json").json()["rows"][0]
    assert "ut_strict_unguessed" not in client.get("/api/v1/board/").json()["rows"][0]
