"""The board as a visitor gets it."""

from __future__ import annotations

import csv
import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Entry, Run, RunSummary, Standing, Suite
from leaderboard.scoring.standings import refresh_changed
from leaderboard.scoring.summaries import summarise
from leaderboard.tests.support.board_pages import ROW, get, rows_of
from leaderboard.tests.support.rows import (
    LONG_NAME,
    end_judged,
    finish_run,
    make_entry,
    make_run,
    make_suite,
)
from runner.contract import Status

pytestmark = pytest.mark.django_db


def test_an_empty_database_says_what_is_missing(client: Client) -> None:
    assert "No suite is installed yet" in get(client)


def test_a_suite_without_runs_says_so_and_leads_to_its_tasks(client: Client) -> None:
    suite = make_suite()
    page = get(client)
    assert "No run on Starter suite yet" in page
    assert f'href="/tasks/{suite.name}/"' in page


def test_complete_runs_are_ranked_with_ties_and_everything_else_is_not(client: Client) -> None:
    suite = make_suite(tasks=24)
    finish_run(make_run(suite, make_entry("Middle")), 15)
    finish_run(make_run(suite, make_entry("Twin")), 15)
    finish_run(make_run(suite, make_entry("Best")), 21)
    finish_run(make_run(suite, make_entry("Last")), 3)
    finish_run(make_run(suite, make_entry("Void")), 6, void=1)
    make_run(suite, make_entry("Waiting"))
    finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    assert rows_of(get(client)) == [
        ("1–3", "Best"),
        ("1–3", "Middle"),
        ("1–3", "Twin"),
        ("4", "Last"),
        ("", "Waiting"),
        ("", "Void"),
        ("", "reference"),
    ]


def test_a_first_start_shows_its_scripted_baselines(client: Client) -> None:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    page = get(client)
    assert "No model here yet." in page
    assert "Scripted baselines" in page
    assert rows_of(page) == [("", "silent")]


def test_a_rate_is_drawn_with_its_interval_and_n(client: Client) -> None:
    suite = make_suite(tasks=24)
    finish_run(make_run(suite), 12)
    page = get(client)
    assert "<b>50.0</b>" in page
    assert "50.0 %, 95 % interval 31.4 to 68.6" in page  # Wilson, 12 of 24
    assert "n 24" in page
    assert page.count("is-small") == 5  # every category of this suite has fewer than 20 tasks
    assert page.count('<span class="v">4 of 8</span>') == 3
    assert 'class="bar' not in page


def test_a_private_run_is_nowhere(client: Client) -> None:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("Secret"), is_public=False), 3)
    assert "Secret" not in get(client)


def test_a_running_run_shows_how_far_it_is(client: Client) -> None:
    suite = make_suite()
    run = make_run(suite, make_entry("Live"))
    Run.objects.filter(pk=run.pk).update(status=Status.RUNNING)
    for attempt in run.attempts.all()[:3]:
        end_judged(attempt, passed=True)
    page = get(client)
    assert "3 of 8 attempts" in page
    assert "running" in page


def test_columns_sort_both_ways_and_say_so(client: Client) -> None:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("b")), 2)
    finish_run(make_run(suite, make_entry("a")), 6)
    assert [name for _, name in rows_of(get(client, "/?sort=entry"))] == ["a", "b"]
    assert [name for _, name in rows_of(get(client, "/?sort=-entry"))] == ["b", "a"]
    assert [name for _, name in rows_of(get(client, "/?sort=-rate"))] == ["b", "a"]
    for key in ("rate", "chart", "software", "steps", "tokens", "time", "date", "nonsense"):
        assert len(rows_of(get(client, f"/?sort={key}"))) == 2
    page = get(client, "/?sort=steps")
    assert page.count("aria-sort") == 1
    assert re.search(r'aria-sort="ascending"[^>]*>\s*<a href="\?sort=-steps">', page)


def test_several_suites_can_be_picked(client: Client) -> None:
    older = make_suite("older")
    Suite.objects.filter(pk=older.pk).update(version="1+ab")
    finish_run(make_run(older, make_entry("Veteran")), 3)
    make_suite("newer")
    assert "Veteran" in get(client)  # the newest suite has no ranked model yet
    assert "Veteran" not in get(client, "/?suite=newer")
    page = get(client, "/?suite=older%401%2Bab")
    assert "Veteran" in page
    kept = re.findall(r'href="(\?suite=[^"]*sort=[^"]*)"', page)  # the sort links keep the suite
    assert "Veteran" in get(client, f"/{unescape(kept[0])}")
    answer = client.get("/?suite=absent")
    assert answer.status_code == 404
    assert "There is no suite “absent”." in answer.content.decode()


def test_long_and_hostile_names_are_escaped(client: Client) -> None:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("<script>alert(1)</script>\u202e")), 3)
    finish_run(make_run(suite, make_entry(LONG_NAME, organisation='"><img src=x>')), 2)
    page = get(client)
    assert len(LONG_NAME) == 60
    assert LONG_NAME in page
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "\u202e" not in page


def test_the_number_of_queries_does_not_grow(client: Client) -> None:
    suite = make_suite()

    def count() -> int:
        refresh_changed()
        with CaptureQueriesContext(connection) as queries:
            client.get("/")
        return len(queries)

    finish_run(make_run(suite), 3)
    make_run(suite)
    few = count()
    for solved in range(6):
        finish_run(make_run(suite, make_entry(f"Model {solved}")), solved)
        make_run(suite)
    assert count() == few <= 9


def test_a_long_board_is_paged_and_keeps_its_order(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.views.board.PAGE_ROWS", 2)
    suite = make_suite()
    for solved in range(5):
        finish_run(make_run(suite, make_entry(f"Model {solved}")), solved)
    first = get(client, "/?sort=turns")
    assert [name for _, name in rows_of(first)] == ["Model 4", "Model 3"]
    further = re.search(r'href="(\?[^"]*page=2)"', first)
    assert further is not None
    second = get(client, f"/{unescape(further[1])}")
    assert [name for _, name in rows_of(second)] == ["Model 2", "Model 1"]


def test_the_board_is_there_for_programs_too(client: Client) -> None:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("=1+1", organisation="Foo, Inc")), 4)
    finish_run(make_run(suite, make_entry("Void")), 4, void=1)
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    finish_run(make_run(suite, make_entry("Secret"), is_public=False), 4)
    refresh_changed()
    data = client.get("/board.json").json()
    told = {"name": "starter", "version": "1", "digest": "ab" * 32, "season": 1, "seed": 20261121}
    assert data["suite"] == told
    first, void, scripted = data["rows"]
    assert (first["rank"], first["ut_strict"], first["passed"], first["tasks"]) == (None, 0.5, 4, 8)
    assert first["entry"] == "=1+1"
    assert (first["chart"], first["chart_passed"], first["chart_tasks"]) == (None, 2, 2)
    assert (void["group"], void["rank"], void["ut_strict"]) == ("unranked", None, None)
    assert scripted["group"] == "scripted"
    table = client.get("/board.csv?suite=starter@1")
    assert table["Content-Disposition"] == 'attachment; filename="starter-1.csv"'
    rows = list(csv.DictReader(table.content.decode().splitlines()))
    assert [row["entry"] for row in rows] == ["'=1+1", "Void", "silent"]
    assert rows[0]["organisation"] == "Foo, Inc"
    assert rows[1]["ut_strict"] == ""
    reasons = [
        "fewer than 20 tasks: counts alone",
        "incomplete",
        "scripted baselines are never ranked",
    ]
    assert [row["why_unranked"] for row in rows] == reasons
    ranked = finish_run(make_run(make_suite("Wide", tasks=24)), 12)
    refresh_changed()
    assert (
        client.get(f"/board.json?suite={ranked.suite.reference}").json()["rows"][0]["why_unranked"]
        is None
    )


@pytest.mark.parametrize("path", ["/board.json", "/board.csv"])
def test_without_a_suite_there_is_no_data(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_page_names_no_other_host_and_needs_no_inline_code(client: Client) -> None:
    finish_run(make_run(make_suite()), 3)
    response = client.get("/")
    page = response.content.decode()
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert "style=" not in page
    assert re.findall(r"<script(?![^>]*src=)", page) == []
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.fixture
def models() -> Suite:
    """Four ranked models of different sizes, and a baseline."""
    suite = make_suite()
    facts = [("Small", 3, 3.8, "open"), ("Large", 7, 70, "open"), ("Secretive", 5, None, "closed")]
    for name, solved, size, weights in facts:
        run = finish_run(make_run(suite, make_entry(name, organisation=f"{name} Labs")), solved)
        Entry.objects.filter(pk=run.entry_id).update(parameters_b=size, weights=weights)
    recorded = finish_run(make_run(suite, make_entry("Recorded")), 1)
    Entry.objects.filter(pk=recorded.entry_id).update(provenance=Entry.Provenance.RECORDED)
    Run.objects.filter(pk=recorded.pk).update(finished_at=datetime(2025, 2, 1, tzinfo=UTC))
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    return suite


def names_of(page: str) -> list[str]:
    return [name for _, name in rows_of(page)]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("size=small", ["Small"]),
        ("size=large&weights=open", ["Large"]),
        ("size=unknown", ["Secretive", "Recorded"]),
        ("weights=closed", ["Secretive"]),
        ("provenance=recorded", ["Recorded"]),
        ("provenance=run-here", ["Large", "Secretive", "Small"]),
        ("since=2026-01-01", ["Large", "Secretive", "Small"]),
        ("q=large+labs", ["Large"]),
        ("size=huge", []),
    ],
)
def test_filters_choose_rows_and_move_nobody(
    client: Client, models: Suite, query: str, names: list[str]
) -> None:
    places = {name: place for place, name in rows_of(get(client))}
    shown = rows_of(get(client, f"/?{query}&scripted=hide"))
    assert [name for _, name in shown] == names
    assert all(places[name] == place for place, name in shown)
    data = client.get(f"/board.json?{query}&scripted=hide").json()
    assert [row["entry"] for row in data["rows"]] == names
    table = client.get(f"/board.csv?{query}&scripted=hide").content.decode()
    assert [row["entry"] for row in csv.DictReader(table.splitlines())] == names


def test_baselines_are_hidden_on_request_alone(client: Client, models: Suite) -> None:
    assert "silent" in names_of(get(client, "/?size=small"))
    hidden = get(client, "/?scripted=hide")
    assert "silent" not in names_of(hidden)
    assert "1 scripted baseline is hidden" in hidden
    assert [row["group"] for row in client.get("/board.json").json()["rows"]].count("scripted") == 1


def test_a_small_category_has_its_count_and_the_order(client: Client, models: Suite) -> None:
    page = get(client, "/?category=text")
    assert names_of(page)[:2] == ["Large", "Secretive"]
    assert re.search(r'aria-sort="descending" title="Text analysis"', page)
    assert "<b>2 of 2</b></span>" in page  # too few for a rate
    assert "Complex maths</th>" not in page
    assert page.count('class="swatch') == 1


def test_columns_are_chosen_in_the_address(client: Client, models: Suite) -> None:
    page = get(client, "/?columns=turns&columns=size")
    heads = re.findall(r"<th scope=\"col\"[^>]*>\s*<a href=\"\?([^\"]*)\">(?:<span[^>]*></span>)?"
                       r"<span>(.*?)</span>", page)  # fmt: skip
    assert [title for _, title in heads] == ["Model", "Size", "Steps of the paper"]
    assert all("columns=size,turns" in unescape(query) for query, _ in heads)
    assert "70B" in page
    assert 'value="size" checked' in page
    assert 'class="whisker"' not in page


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("size=enormous", "The filter “size” has no “enormous”"),
        ("weights=%3Cb%3E", "The filter “weights” has no “&lt;b&gt;”"),
        ("provenance=quoted+by+hand", "The filter “provenance” has no “quoted by hand”"),
        ("category=cooking", "The filter “category” has no “cooking”"),
        ("since=yesterday", "“yesterday” is not a date such as 2026-01-31"),
        ("since=2026-02-31", "“2026-02-31” is not a date"),
        ("columns=price,turns", "There is no column “price”."),
        ("sort=price", "There is no column “price” to sort by."),
        ("sort=--rate", "There is no column “--rate” to sort by."),
        ("size=" + 3000 * "x", "The filter “size” has no “" + 40 * "x" + "”"),
    ],
)
def test_stale_filters_give_the_board_with_a_sentence(
    client: Client, models: Suite, query: str, sentence: str
) -> None:
    page = get(client, f"/?{query}")
    assert sentence in page
    assert len(rows_of(page)) == 5
    assert client.get(f"/board.json?{query}").json()["notes"]


@pytest.mark.parametrize("query", ["page=x", "page=-1", "page=99", "q=%F0%9F%92%A9", "suite="])
def test_odd_values_give_the_board(client: Client, models: Suite, query: str) -> None:
    get(client, f"/?{query}")


def test_runs_that_do_not_differ_share_a_bracket(client: Client) -> None:
    suite = make_suite(tasks=24)
    for solved in (21, 19, 9, 3):
        finish_run(make_run(suite, make_entry(f"Model {solved}")), solved)
    page = get(client)
    ties = re.findall(r'class="num rank(?: tie-(\w+))?"', page)
    groups = [row["tie_group"] for row in client.get("/board.json").json()["rows"][:4]]
    assert groups == [1, 1, 2, 2]
    assert ties[1:5] == ["top", "bottom", "", ""]  # the first is the column's head
    by_turns = get(client, "/?sort=turns")
    assert "tie-" not in by_turns  # the bracket has a meaning in the order of ranks alone


def test_each_row_that_may_be_the_best_is_bracketed(client: Client) -> None:
    """Also one below a row that may not be: it solved others of the tasks."""
    suite = make_suite(tasks=40)
    for name, solved in (("Best", 30), ("Near", 22), ("Apart", 21), ("Last", 0)):
        run = finish_run(make_run(suite, make_entry(name)), solved)
        if name == "Apart":
            run.attempts.update(passed=False)
            run.attempts.filter(task__position__gt=40 - solved).update(passed=True)
            summarise(run)
    page = get(client)
    ties = re.findall(r'class="num rank(?: tie-(\w+))?"', page)
    rows = client.get("/board.json").json()["rows"]
    assert [row["tie_group"] for row in rows] == [1, 2, 1, 2]
    assert ties[1:5] == ["whole", "", "whole", ""]


def test_runs_of_an_entry_are_one_row_with_their_mean(client: Client) -> None:
    suite, entry = make_suite(), make_entry("Foo")
    finish_run(make_run(suite, entry), 8)
    later = finish_run(make_run(suite, entry), 2)
    make_run(suite, entry)
    page = get(client)
    assert next(path for _, path, _ in ROW.findall(page)) == later.get_absolute_url()
    assert names_of(page) == ["Foo", "Foo"]
    assert "fenced · queued" in page
    assert "mean of 2 runs" in page
    assert "<b>5 of 8</b>" in page


def test_a_run_waits_for_its_place_without_a_wrong_one(client: Client) -> None:
    finish_run(make_run(make_suite(), make_entry("Foo")), 8)
    page = client.get("/").content.decode()
    assert "its rank is being computed" in page
    assert rows_of(page) == [("", "Foo")]


def test_three_hundred_entries_stay_light(client: Client) -> None:
    suite = make_suite()
    entries = Entry.objects.bulk_create(
        Entry(
            slug=f"m-{i}", name=f"Model number {i}", organisation="An organisation", model_name="m"
        )
        for i in range(300)
    )
    runs = Run.objects.bulk_create(
        Run(entry=entry, suite=suite, seed=suite.seed, status=Status.DONE) for entry in entries
    )
    categories = ["", *(category["key"] for category in suite.categories)]
    RunSummary.objects.bulk_create(
        RunSummary(run=run, category=key, tasks=8, attempts=8, passed=i % 9, failed=8 - i % 9,
                   rate=i % 9 / 8, turns=4.2, prompt_tokens=9, completion_tokens=9)
        for i, run in enumerate(runs) for key in categories
    )  # fmt: skip
    Standing.objects.bulk_create(
        Standing(run=run, suite=suite, rank=i, rank_low=i, rank_high=i + 9)
        for i, run in enumerate(runs, 1)
    )
    with CaptureQueriesContext(connection) as queries:
        response = client.get("/")
    assert len(queries) <= 8
    assert len(response.content) < 100_000
    assert "page 1 of 9" in response.content.decode()
