"""Addresses as strangers bend them: clear words, nothing broken, nothing leaked."""

from __future__ import annotations

import pytest
from django.test import Client

from leaderboard.models import Entry, Run
from leaderboard.scoring.standings import refresh_changed
from leaderboard.suites.task_facets import Described, store_facets
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

HOSTILE = '<img src=x onerror="alert(1)">\u202eعربي'


@pytest.fixture
def runs() -> list[Run]:
    """Six runs of one suite, each with a seed of its own."""
    suite = make_suite()
    store_facets(suite, Described())
    found = []
    for number in range(6):
        run = finish_run(make_run(suite, make_entry(f"Foo {number}")), number)
        Run.objects.filter(pk=run.pk).update(seed=suite.seed + number)
        found.append(run)
    refresh_changed()
    return found


@pytest.mark.parametrize("count", [2, 3, 6])
def test_runs_of_different_seeds_are_refused_with_the_reason(runs: list[Run], count: int) -> None:
    asked = ",".join(str(run.pk) for run in runs[:count])
    page = Client().get(f"/compare/?runs={asked}")
    assert page.status_code == 400
    assert "another seed makes other instances" in page.content.decode()
    for kind in ("json", "csv"):
        answer = Client().get(f"/compare.{kind}?runs={asked}")
        assert answer.status_code == 400
        assert b"seed" in answer.content


def test_more_than_six_runs_are_refused_with_the_limit(runs: list[Run]) -> None:
    asked = ",".join(str(run.pk) for run in [*runs, finish_run(make_run(runs[0].suite), 1)])
    page = Client().get(f"/compare/?runs={asked}")
    assert page.status_code == 400
    assert "six" in page.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "runs=x,%3Cb%3E,-1,99999999999999999999",
        "as_of=1999-01-01",
        "as_of=2999-01-01",
        "as_of=%E2%80%AE",
        "skill=%3Cb%3E&file=../../etc/passwd",
        "season=1&scripted=hide&sort=-nothing",
        "q=" + "w" * 3000,
    ],
)
def test_odd_queries_of_the_board_have_a_card_a_chart_and_a_page(
    runs: list[Run], query: str
) -> None:
    for path in ("/", "/card.png", "/board.json", "/charts/", "/charts/pass-rates.svg"):
        assert Client().get(f"{path}?{query}").status_code == 200
    assert "<b>" not in Client().get(f"/?{query}").content.decode().partition("<main")[2][:3000]


@pytest.mark.parametrize("query", ["suite=%3Cb%3E", "suite=gone@1", "season=99", "season=-1"])
def test_boards_that_do_not_exist_have_no_card(runs: list[Run], query: str) -> None:
    assert Client().get(f"/card.png?{query}").status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "outcome=%3Cscript%3E",
        "step=" + "9" * 4000,
        "step=10%2B&turns=-1&outcome=finished",
        "turns=%F0%9F%A6%99",
    ],
)
def test_odd_facets_of_failures_find_nothing_and_break_nothing(runs: list[Run], query: str) -> None:
    page = Client().get(f"/failures/?{query}")
    assert page.status_code == 200
    assert "No attempt matches" in page.content.decode()
    assert "<script>" not in page.content.decode().partition("<main")[2]
    assert Client().get(f"/failures.json?{query}").json()["total"] == 0
    assert Client().get(f"/failures.csv?{query}").content.decode().count("\n") == 1


def test_hostile_name_is_text_in_every_twin(runs: list[Run]) -> None:
    Entry.objects.filter(pk=runs[0].entry_id).update(name=HOSTILE)
    pk = runs[0].pk
    for path in (
        "/",
        f"/runs/{pk}/",
        f"/runs/{pk}/badge.svg",
        f"/runs/{pk}/cite.bib",
        f"/runs/{pk}/eval-results.yaml",
        "/charts/pass-rates.svg",
        "/changes.atom",
        "/failures/?by=sentence",
        "/tasks/starter/static-page/",
    ):
        answer = Client().get(path)
        assert answer.status_code == 200
        assert "<img src=x" not in answer.content.decode(), path
    assert Client().get(f"/runs/{pk}/card.png").status_code == 200
