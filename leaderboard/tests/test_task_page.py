"""The pages of tasks as a visitor gets them."""

from __future__ import annotations

import csv
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Attempt, Suite, Task
from leaderboard.tests.factories import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite() -> Suite:
    return make_suite()


def get(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_a_task_shows_what_it_asks(client: Client, suite: Suite) -> None:
    Task.objects.filter(key="news-digest").update(note="Order <b>matters</b>.", strength="partial")
    page = get(client, "/tasks/starter/news-digest/")
    for words in ("新闻摘要与关键词", "最常见的五个关键词", 'lang="zh"', "./data/news.md"):
        assert words in page
    for words in ("./output/keywords.txt", "Text analysis", "partial", "Order &lt;b&gt;"):
        assert words in page
    assert "No attempt yet" in page


def test_results_lead_to_replays_and_models_come_first(client: Client, suite: Suite) -> None:
    first = finish_run(make_run(suite, make_entry("Foo")), 8)
    second = finish_run(make_run(suite, make_entry("Bar")), 0)
    scripted = finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    finish_run(make_run(suite, make_entry("Secret"), is_public=False), 8)
    page = get(client, "/tasks/starter/quarterly-sales/")
    at = [page.index(f"/runs/{r.pk}/tasks/quarterly-sales/") for r in (second, first, scripted)]
    assert at == sorted(at)
    assert "Secret" not in page
    assert "<b>50.0</b>" in page  # one of two models; baselines do not count
    assert "n 2" in page


def test_the_list_shows_every_task_with_its_solve_rate(client: Client, suite: Suite) -> None:
    finish_run(make_run(suite), 1)
    finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    page = get(client, "/tasks/starter/")
    assert page.count('href="/tasks/starter/') == 8 + 1  # and the one in the header
    assert "1 of 1" in page
    assert page.count("0 of 1") == 7


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/tasks/absent/", "There is no suite “absent”."),
        ("/tasks/starter/absent/", "Suite starter has no task “absent”."),
        ("/tasks/starter/quarterly-sales/?version=9", "There is no suite “starter”."),
    ],
)
def test_unknown_names_are_not_found(client: Client, suite: Suite, path: str, words: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert words in response.content.decode()


def test_the_newest_version_is_shown_and_older_ones_stay_reachable(
    client: Client, suite: Suite
) -> None:
    newer = make_suite("other")
    Suite.objects.filter(pk=newer.pk).update(name="starter", version="2")
    assert "v2" in get(client, "/tasks/starter/quarterly-sales/")
    assert "v1" in get(client, "/tasks/starter/quarterly-sales/?version=1")


@pytest.mark.parametrize("path", ["/tasks/starter/", "/tasks/starter/quarterly-sales/"])
def test_the_number_of_queries_does_not_grow(client: Client, suite: Suite, path: str) -> None:
    finish_run(make_run(suite), 3)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            get(client, path)
        counts.append(len(queries))
        for _ in range(5):
            finish_run(make_run(suite), 3)
    assert counts[0] == counts[1] <= 6


def test_the_list_is_sorted_by_how_hard_tasks_are(client: Client, suite: Suite) -> None:
    finish_run(make_run(suite), 3)
    run = finish_run(make_run(suite), 1)
    run.attempts.filter(task__key="static-page").delete()
    Attempt.objects.filter(task__key="static-page").update(passed=None)

    def keys(query: str) -> list[str]:
        return re.findall(r'class="sub">([\w-]+)<', get(client, f"/tasks/starter/{query}"))

    in_order = list(suite.tasks.values_list("key", flat=True))
    hardest = [*in_order[3:7], *in_order[1:3], in_order[0], in_order[7]]
    easiest = [in_order[0], *in_order[1:3], *in_order[3:7], in_order[7]]
    assert keys("") == keys("?sort=nonsense") == hardest
    assert keys("?sort=-solved") == easiest
    assert keys("?sort=position") == in_order


def test_the_list_has_twins(client: Client, suite: Suite) -> None:
    finish_run(make_run(suite), 1)
    data = client.get("/tasks/starter.json").json()
    first = data["tasks"][0]
    assert (first["task"], first["solve_rate"], first["decided"]) == ("quarterly-sales", 1.0, 1)
    table = get(client, "/tasks/starter.csv?version=1")
    rows = list(csv.DictReader(table.splitlines()))
    assert [row["solve_rate"] for row in rows] == ["1.0"] + ["0.0"] * 7
    assert client.get("/tasks/absent.json").status_code == 404
