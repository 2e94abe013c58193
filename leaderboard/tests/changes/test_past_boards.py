"""The board as of a past day, from the address."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import BoardSnapshot, Run, RunSummary, pack, unpack
from leaderboard.submissions.run_actions import withdraw
from leaderboard.suites.seasons import open_season
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

TODAY = datetime(2026, 11, 25, 12, tzinfo=UTC)
DAYS = [date(2026, 11, 18), date(2026, 11, 20), date(2026, 11, 21)]


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """Foo ended on the 18th, before boards were kept; Bar on the 20th and Baz on the 21st."""
    suite = make_suite(tasks=24)
    made = []
    for day, (name, solved) in zip(DAYS, (("Foo", 9), ("Bar", 15), ("Baz", 21)), strict=True):
        moment = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        run = finish_run(make_run(suite, make_entry(name)), solved)
        Run.objects.filter(pk=run.pk).update(finished_at=moment)
        made.append(run)
        set_time(monkeypatch, moment)
        sweep_queue()
    set_time(monkeypatch, TODAY)
    BoardSnapshot.objects.filter(day=DAYS[0]).delete()
    return made


def set_time(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)


def rows_of(day: str) -> list[tuple[Any, ...]]:
    rows = Client().get(f"/board.json?as_of={day}").json()["rows"]
    return [(row["group"], row["rank"], row["entry"], row["ut_strict"]) for row in rows]


def page_of(day: str, **more: str) -> str:
    answer = Client().get("/", {"as_of": day, **more})
    assert answer.status_code == 200
    return answer.content.decode()


def test_kept_day_has_its_own_ranks(runs: list[Run]) -> None:
    assert rows_of("2026-11-20") == [("ranked", 1, "Bar", 5 / 8), ("ranked", 2, "Foo", 3 / 8)]
    assert [row[2] for row in rows_of("2026-11-21")] == ["Baz", "Bar", "Foo"]
    page = page_of("2026-11-20")
    assert "The board as of 2026-11-20, with the ranks kept on 2026-11-20." in page
    assert ">Bar<" in page
    assert ">Baz<" not in page
    assert "as_of=2026-11-20" in page  # in links of columns, filters, charts and data
    assert '<a href="?">The board as it is now</a>' in page


def test_day_between_has_the_ranks_of_the_last_kept_one(runs: list[Run]) -> None:
    assert "with the ranks kept on 2026-11-21." in page_of("2026-11-22")
    assert [row[1] for row in rows_of("2026-11-22")] == [1, 2, 3]


def test_day_before_any_was_kept_has_rates_without_ranks(runs: list[Run]) -> None:
    assert rows_of("2026-11-19") == [("unranked", None, "Foo", 3 / 8)]
    page = page_of("2026-11-19")
    assert "rates only, because no ranks are stored for that day" in page
    assert "no rank stored" in page
    assert "No ranks are stored for that day." in page
    assert "No model has a verdict on every task" not in page


def test_day_before_the_first_run_says_so(runs: list[Run]) -> None:
    page = page_of("1999-01-01")
    assert "No run had ended by 1999-01-01." in page
    assert "Nothing was ranked by that day" in page
    assert rows_of("1999-01-01") == []


@pytest.mark.parametrize(
    ("day", "words"),
    [
        ("2999-01-01", "“2999-01-01” is in the future, so the current board is shown."),
        ("yesterday", "“yesterday” is not a date such as 2026-01-31"),
        ("2026-99-99", "is not a date such as"),
        ("<script>", "&lt;script&gt;"),
    ],
)
def test_impossible_day_gives_todays_board_and_says_so(
    runs: list[Run], day: str, words: str
) -> None:
    page = page_of(day)
    assert words in page
    assert ">Baz<" in page
    assert "The board as of" not in page


def test_figures_of_an_older_method_stay_as_they_were_and_say_so(runs: list[Run]) -> None:
    before = Client().get("/board.json?as_of=2026-11-21").json()
    RunSummary.objects.update(low=0.001, high=0.999)
    assert Client().get("/board.json?as_of=2026-11-21").json()["rows"] == before["rows"]
    key = ("the ranks a model may", "may be the best")
    page = page_of("2026-11-21")
    assert [word for word in key if word not in page] == []
    BoardSnapshot.objects.update(is_by_leads=False)
    page = page_of("2026-11-21")
    assert "kept on 2026-11-21, whose ranges an older method found: too narrow for 95 %." in page
    assert [word for word in key if word in page] == []
    manifest = Client().get("/snapshots/starter@1/1/2026-11-21/manifest.json").json()
    assert manifest["rank_ranges"] == "resampled ranks"


def test_mean_of_a_past_day_is_of_the_runs_of_then(
    runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bar has a second run on the 22nd and a third on the 23rd; its first is withdrawn later."""
    numbers = [runs[1].pk]
    for day, solved in ((22, 21), (23, 3)):
        moment = datetime(2026, 11, day, 12, tzinfo=UTC)
        run = finish_run(make_run(runs[1].suite, runs[1].entry), solved)
        Run.objects.filter(pk=run.pk).update(finished_at=moment)
        numbers.append(run.pk)
        set_time(monkeypatch, moment)
        sweep_queue()
    set_time(monkeypatch, TODAY)

    def look() -> tuple[str, float, list[Any]]:
        asked = {"as_of": "2026-11-22"}
        rows = Client().get("/board.json", asked).json()["rows"]
        bar = next(row for row in rows if row["entry"] == "Bar")
        turns = Client().get("/charts/success-within-turns.json", asked).json()["rows"]
        return bar["rates_of"], bar["ut_strict"], next(row for row in turns if row[0] == "Bar")[-2:]

    first, second, _ = numbers
    assert look() == (f"{second} {first}", 0.75, [0.75, 48])
    withdraw(first)
    assert look() == (str(second), 0.75, [0.875, 24])


def test_unranked_run_of_a_past_day_waits_for_no_rank(runs: list[Run]) -> None:
    snapshot = BoardSnapshot.objects.get(day=DAYS[2])
    body = [row | {"group": "unranked"} for row in unpack(snapshot.body) or ()]
    BoardSnapshot.objects.filter(pk=snapshot.pk).update(body=pack(body))
    page = page_of("2026-11-21")
    assert "no rank stored" in page
    assert "its rank is being computed" not in page


def test_withdrawn_run_is_in_no_past_board(runs: list[Run]) -> None:
    withdraw(runs[1].pk)
    assert [row[2] for row in rows_of("2026-11-20")] == ["Foo"]
    page = page_of("2026-11-20")
    assert "1 row left the board since." in page
    assert ">Bar<" not in page
    assert rows_of("2026-11-19")[0][2] == "Foo"


def test_past_board_keeps_filters_charts_and_queries_bounded(runs: list[Run]) -> None:
    page = page_of("2026-11-21", q="Ba")
    assert ">Bar<" in page
    assert ">Foo<" not in page
    assert '<input type="hidden" name="as_of" value="2026-11-21">' in page
    chart = Client().get("/charts/pass-rates.json?as_of=2026-11-20").json()
    assert sorted(row[0] for row in chart["rows"]) == ["Bar", "Foo"]
    now = Client().get("/charts/pass-rates.json").json()
    assert sorted(row[0] for row in now["rows"]) == ["Bar", "Baz", "Foo"]
    with CaptureQueriesContext(connection) as queries:
        page_of("2026-11-20")
    assert len(queries) <= 12


def test_day_of_an_earlier_season_keeps_its_address(runs: list[Run]) -> None:
    before = rows_of("2026-11-20")
    open_season(runs[0].suite)  # on the 25th
    assert rows_of("2026-11-20") == before
    page = page_of("2026-11-20")
    assert "The board as of 2026-11-20, with the ranks kept on 2026-11-20." in page
    assert '<a href="?">The board as it is now</a>' in page
    assert "season=1" in page  # in links of columns, filters, charts and data
    assert "No run had ended by 2026-11-20." in page_of("2026-11-20", season="2")
    assert Client().get("/board.json").json()["rows"] == []


def test_charts_and_pictures_of_a_past_board_carry_its_day(runs: list[Run]) -> None:
    page = Client().get("/charts/?as_of=2026-11-20").content.decode()
    said = "The board as of 2026-11-20, with the ranks kept on 2026-11-20. Drawn: 2 models"
    assert said in " ".join(page.split())
    assert page.count('data-day="2026-11-20"') == page.count("data-images") > 0
    assert "data-day" not in Client().get("/charts/").content.decode()
    picture = Client().get("/charts/pass-rates.svg?as_of=2026-11-20").content.decode()
    assert "with 95 % intervals, 2026-11-20<" in picture
    now = Client().get("/charts/pass-rates.svg").content.decode()
    assert f"with 95 % intervals, {TODAY.date()}<" in now


def test_list_of_snapshots_leads_to_each_board(runs: list[Run]) -> None:
    page = Client().get("/snapshots/").content.decode()
    address = "/?suite=starter%401&amp;season=1&amp;as_of=2026-11-20"
    assert address in page
    assert Client().get(address.replace("&amp;", "&")).status_code == 200


def test_today_is_the_board_as_it_is(runs: list[Run]) -> None:
    assert "The board as of" not in page_of("2026-11-25")
    assert "The board as of" in page_of("2026-11-24")
