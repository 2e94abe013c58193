"""The board's charts as a visitor and a program get them."""

from __future__ import annotations

import csv
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from playwright.sync_api import Page, expect

from leaderboard.board.charts import DRAWINGS
from leaderboard.models import Entry, Run, Suite
from leaderboard.scoring.standings import refresh_changed
from leaderboard.scoring.summaries import summarise
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite, set_price

pytestmark = pytest.mark.django_db


def fill(suite: Suite) -> list[Run]:
    runs = [
        finish_run(make_run(suite, make_entry(name)), solved)
        for name, solved in (("Foo", 7), ("<b>Bar</b>", 5), ("Baz", 2))
    ]
    Entry.objects.filter(pk=runs[2].entry_id).update(weights="open")
    for run in runs:
        set_price(run.entry.model_name)
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    finish_run(make_run(suite, make_entry("Void")), 5, void=2)
    make_run(suite, make_entry("Waiting"))
    refresh_changed()
    return runs


def get(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def names_of(answer: dict[str, Any]) -> set[str]:
    place = answer["columns"].index("entry")
    return {row[place] for row in answer["rows"]}


@pytest.mark.parametrize("path", ["/charts/", "/charts/list/"])
def test_every_chart_has_its_table_and_twins(client: Client, path: str) -> None:
    fill(make_suite())
    page = get(client, path)
    for key in DRAWINGS:
        assert f'id="chart-{key}"' in page
        assert f'data-src="/charts/{key}.json?suite=starter@1"' in page
        assert f'href="/charts/{key}.csv?suite=starter@1"' in page
    assert page.count("<caption>") == len(DRAWINGS)
    assert "Drawn: 3 models." in " ".join(page.split())
    assert "<b>Bar" not in page


@pytest.mark.parametrize(
    "key", [key for key in DRAWINGS if key not in ("matrix", "rate-against-cost")]
)
def test_a_chart_shows_rated_runs_that_the_filters_let_through(client: Client, key: str) -> None:
    fill(make_suite())
    models = {"Foo", "<b>Bar</b>", "Baz"}
    for query in ("", "?scripted=hide"):
        assert names_of(client.get(f"/charts/{key}.json{query}").json()) == models
    every = client.get(f"/charts/{key}.json?scripted=show").json()
    assert names_of(every) == {*models, "silent"}
    few = client.get(f"/charts/{key}.json?weights=open").json()
    assert names_of(few) == {"Baz"}
    table = get(client, f"/charts/{key}.csv?weights=open")
    assert [row["entry"] for row in csv.DictReader(table.splitlines())] == ["Baz"]


def test_the_matrix_holds_every_task(client: Client) -> None:
    fill(make_suite())
    rows = list(csv.DictReader(get(client, "/charts/matrix.csv?scripted=show").splitlines()))
    assert len(rows) == 8
    first = next(row for row in rows if row["task"] == "quarterly-sales")
    assert (first["category"], first["1. Foo"], first["4. silent"]) == (
        "Chart analysis",
        "1.0",
        "0.0",
    )


def test_success_within_turns_counts_attempts(client: Client) -> None:
    fill(make_suite())
    rows = list(csv.DictReader(get(client, "/charts/success-within-turns.csv").splitlines()))
    assert (rows[0]["entry"], rows[0]["within_2"], rows[0]["within_3"]) == ("Foo", "0", "7")
    assert len(rows[0]) == 1 + 10 + 1  # the suite's turns


def test_thirty_runs_are_drawn_and_said(client: Client) -> None:
    suite = make_suite()
    for number in range(33):
        finish_run(make_run(suite, make_entry(f"Model {number}")), number % 9)
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    refresh_changed()
    assert len(client.get("/charts/rate-against-tokens.json").json()["rows"]) == 30
    page = " ".join(get(client, "/charts/").split())
    assert "Drawn: the best 30 of 33 models." in page
    link = "/charts/?suite=starter@1&amp;scripted=show"
    assert f'<a href="{link[8:]}">Draw 1 scripted baseline too</a>' in page
    page = " ".join(get(client, "/charts/?scripted=show").split())
    assert "Drawn: the best 29 of 33 models and 1 scripted baseline." in page
    assert '<a href="?suite=starter@1">Leave scripted baselines out</a>' in page


def test_without_a_rate_the_page_says_so_once(client: Client) -> None:
    make_run(make_suite())
    page = get(client, "/charts/")
    assert page.count("No model has a verdict on every task yet") == 1
    assert "<figure" not in page
    assert 'href="/submit/">submit an endpoint' in page
    finish_run(make_run(Suite.objects.get(), make_entry("silent", is_scripted=True)), 0)
    assert "Draw 1 scripted baseline too" in get(client, "/charts/")
    assert "<figure" in get(client, "/charts/?scripted=show")


def test_empty_chart_says_which_fact_is_missing(client: Client) -> None:
    suite = make_suite()
    run = finish_run(make_run(suite, make_entry("Foo")), 3)
    refresh_changed()
    page = get(client, "/charts/")
    assert page.count('<p class="empty">') == 1
    assert "No price is known for these models. A maintainer adds prices" in page
    assert "manage.py load_prices FILE" in page
    run.attempts.update(prompt_tokens=None, completion_tokens=None)
    summarise(run)
    Run.objects.filter(pk=run.pk).update(is_filed=False, sequence=99)
    assert "No endpoint of these models counted its tokens" in get(client, "/charts/")


@pytest.mark.parametrize("path", ["/charts/absent.json", "/charts/absent.csv"])
def test_an_unknown_chart_is_not_found(client: Client, path: str) -> None:
    make_suite()
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/charts/", "/charts/matrix.json"])
def test_without_a_suite_there_are_no_charts(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_number_of_queries_does_not_grow(client: Client) -> None:
    suite = make_suite()
    counts = []
    for _ in range(2):
        fill(suite)
        with CaptureQueriesContext(connection) as queries:
            get(client, "/charts/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12


def test_board_holds_the_first_chart_without_a_script(client: Client) -> None:
    runs = fill(make_suite())
    page = get(client, "/")
    place = page[page.index("data-charts=") :]
    place = place[: place.index("</section>")]
    assert "Drawn: 3 models." in place
    assert "How many of the tasks does each model pass?" in place
    assert place.count('class="w-dot"') == 3
    assert "is-hollow" not in place
    assert 'class="w-dot is-hollow"' in get(client, "/?scripted=show")
    assert "&lt;b&gt;Bar&lt;/b&gt;" in place
    assert "<b>Bar" not in place
    assert 'class="w-dot"' in get(client, f"/?runs={runs[0].pk}")
    Run.objects.filter(pk=runs[0].pk).update(is_public=False)
    withdrawn = get(client, "/")
    assert ">Foo<" not in withdrawn[withdrawn.index("data-charts=") :]


def test_board_without_a_rate_has_an_empty_place_for_charts(client: Client) -> None:
    make_run(make_suite(), make_entry("Waiting"))
    page = get(client, "/")
    assert 'class="chart-plot"' not in page


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_loaded_charts_take_the_place_of_the_first_one(page: Page, live_server: Any) -> None:
    fill(make_suite())
    charts = f"**{reverse('chart-list')}*"
    page.route(charts, lambda _: None)  # held until the first one is measured
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(live_server.url)
    drawn = page.locator(".charts-place .chart-plain circle")
    expect(drawn).to_have_count(3)
    plot = page.locator(".charts-place .chart-plot").first
    expect(plot).to_be_visible()
    before = plot.bounding_box()
    page.unroute(charts)  # what was held goes on
    page.locator("#charts").scroll_into_view_if_needed()
    page.keyboard.press("Shift")
    expect(page.locator("#chart-pass-rates .js-plotly-plot")).to_be_visible(timeout=120_000)
    after = page.locator("#chart-pass-rates .chart-plot").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["width"] - after["width"]) <= 1
    assert abs(before["height"] - after["height"]) <= 1
