"""A board on which exactly one run has a place, and a forecast before there is any."""

from __future__ import annotations

import csv
import re
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Run, Standing
from leaderboard.scoring.standings import refresh_changed
from leaderboard.submissions.forecast import Use, forecast
from leaderboard.tests.support.board_pages import rows_of
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from leaderboard.tests.support.submit_form import USABLE, make_draft, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    run = finish_run(make_run(make_suite(tasks=24), make_entry("Foo 70B")), 5)
    refresh_changed()
    return run


def test_its_place_is_the_first_and_no_range(client: Client, run: Run) -> None:
    page = text_of(client.get("/"))
    assert rows_of(page) == [("1", "Foo 70B")]
    assert not re.search(r'class="num rank tie-', page)
    standing = Standing.objects.get()
    assert (standing.rank, standing.rank_low, standing.rank_high) == (1, 1, 1)


def test_scripts_and_void_runs_beside_it_take_no_place(client: Client, run: Run) -> None:
    finish_run(make_run(run.suite, make_entry("reference", is_scripted=True)), 8)
    finish_run(make_run(run.suite, make_entry("Void")), 0, void=8)
    refresh_changed()
    shown = rows_of(text_of(client.get("/?scripted=show")))
    assert [name for place, name in shown if place] == ["Foo 70B"]


@pytest.mark.parametrize("sort", ["rate", "-rate", "entry", "turns", "nothing"])
def test_every_order_shows_it(client: Client, run: Run, sort: str) -> None:
    assert rows_of(text_of(client.get(f"/?sort={sort}"))) == [("1", "Foo 70B")]


def test_its_twins_charts_and_pages_are_there(client: Client, run: Run) -> None:
    told: Any = client.get("/board.json").json()
    assert len(told["rows"]) == 1
    lines = list(csv.reader(text_of(client.get("/board.csv")).splitlines()))
    assert len(lines) == 2
    for address in (
        "/",
        "/charts/",
        run.get_absolute_url(),
        f"/models/{run.entry.slug}/",
        f"/compare/?runs={run.pk}",
        "/failures/",
    ):
        assert client.get(address).status_code == 200, address
    with_itself = client.get(f"/compare/?runs={run.pk},{run.pk}")
    assert with_itself.status_code == 400
    assert "<h1>" in text_of(with_itself)  # said on one of our pages


def test_a_filter_that_leaves_nothing_says_so_and_its_place_stays(client: Client, run: Run) -> None:
    page = text_of(client.get("/?weights=closed"))
    assert rows_of(page) == []
    assert "Foo 70B" not in page
    assert Standing.objects.get().rank == 1


def test_a_forecast_is_a_range_and_grows_with_the_run(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "leaderboard.submissions.drafts.send_preflight_draft", lambda draft_id: None
    )
    client.force_login(make_user())
    suite = make_suite()
    ranges = []
    for attempts in ("1", "2"):
        draft = make_draft(client, suite, attempts_per_task=attempts)
        page = text_of(client.get(draft.get_absolute_url()))
        tokens = re.search(
            r'tokens, all attempts</span><span class="v">[^<]*<span[^>]*>\((\S+) to (\S+)\)<',
            page,
        )
        time = re.search(
            r'>time</span><span class="v">[^<]*<span class="range">\(([^<]+) to ([^<]+)\)<', page
        )
        assert tokens is not None
        assert time is not None
        assert tokens[1] != tokens[2]
        assert time[1] != time[2]
        ranges.append(forecast(USABLE_MEASURES, Use(int(attempts) * 8, 3)))
    once, twice = ranges
    assert 0 < once.tokens[0] < once.tokens[1]
    assert twice.tokens[:2] == (2 * once.tokens[0], 2 * once.tokens[1])
    assert once.seconds is not None
    assert twice.seconds is not None
    assert 0 < once.seconds[0] < once.seconds[1]
    assert twice.seconds[1] > once.seconds[1]


USABLE_MEASURES: dict[str, Any] = dict(USABLE["measures"])  # type: ignore[call-overload]


def test_forecast_leaves_out_unmeasured_quantities() -> None:
    unknown = forecast({}, Use(8, 2))
    assert unknown.seconds is None
    assert 0 < unknown.tokens[0] < unknown.tokens[1]
