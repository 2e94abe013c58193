"""Ranks on the tasks of a facet, kept by the sweep for each kept day."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.board import rows as board_rows
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, BoardSnapshot, Run, Suite, unpack
from leaderboard.scoring import inference, standings
from leaderboard.scoring.summaries import summarise
from leaderboard.snapshots import facet_ranks
from leaderboard.snapshots.facet_ranks import MAX_VALUES, keep_facet_ranks
from leaderboard.submissions.run_actions import withdraw
from leaderboard.suites.task_facets import Described, find_tasks, store_facets
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

DAYS = [date(2026, 11, 18), date(2026, 11, 20)]
TODAY = datetime(2026, 11, 25, 12, tzinfo=UTC)
# Foo passes all but tables, Bar the tables alone, Baz nothing.
PASSED = {
    "Foo": {"news-digest", "rotate-photo", "trim-silence", "shortest-route", "word-frequency"},
    "Bar": {"quarterly-sales", "station-temperatures", "static-page"},
    "Baz": set(),
}


def set_time(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)


def play(suite: Suite, name: str, moment: datetime) -> Run:
    run = finish_run(make_run(suite, make_entry(name)), 0)
    Attempt.objects.filter(run=run, task__key__in=PASSED[name]).update(passed=True)
    summarise(run)
    Run.objects.filter(pk=run.pk).update(finished_at=moment)
    return run


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """Foo and Bar ended on the 18th, Baz on the 20th."""
    for module in (facet_ranks, standings, board_rows):
        monkeypatch.setattr(module, "LEAST_TASKS", 1)
    suite = make_suite()
    store_facets(suite, Described())
    made = []
    for day, names in zip(DAYS, (("Foo", "Bar"), ("Baz",)), strict=True):
        moment = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        set_time(monkeypatch, moment)
        made += [play(suite, name, moment) for name in names]
        sweep_queue()
    set_time(monkeypatch, TODAY)
    return made


def rows_of(query: str) -> list[tuple[Any, ...]]:
    rows = Client().get(f"/board.json?{query}").json()["rows"]
    return [(row["entry"], row["rank"], row["part_rate"], row["part_rank"]) for row in rows]


def test_kept_day_has_ranks_on_the_facets_tasks(runs: list[Run]) -> None:
    assert rows_of("as_of=2026-11-18&skill=tables") == [("Bar", 2, 1.0, 1), ("Foo", 1, 0.0, 2)]
    assert rows_of("as_of=2026-11-19&file=png") == [("Foo", 1, 1.0, 1), ("Bar", 2, 0.0, 2)]
    later = rows_of("as_of=2026-11-21&skill=tables")
    assert [(row[0], row[3]) for row in later] == [("Bar", 1), ("Foo", 2), ("Baz", 2)]


def test_kept_ranks_are_those_of_the_attempts(runs: list[Run]) -> None:
    """Each value of each facet, ranked anew from the rows."""
    suite = runs[0].suite
    suite.refresh_from_db()
    stored = unpack(BoardSnapshot.objects.get(day=DAYS[1]).facet_places)
    assert {facet: set(values) for facet, values in stored.items()} == {
        facet: set(counts) for facet, counts in suite.facets.items()
    }
    for facet, values in stored.items():
        for value, rows in values.items():
            keys = {
                Attempt.objects.get(run=runs[0], task=task).task.key
                for task in find_tasks(suite, {facet: value})
            }
            table = [[float(key in PASSED[r.entry.name]) for key in sorted(keys)] for r in runs]
            reach = inference.rank_ranges(table)
            sums = [sum(row) for row in table]
            assert {row[0]: row[1:] for row in rows} == {
                run.pk: [
                    1 + sum(other > own for other in sums),
                    reach[n].low,
                    reach[n].high,
                ]
                for n, (run, own) in enumerate(zip(runs, sums, strict=True))
            }, value


def test_board_as_it_is_shows_them_while_they_are_current(runs: list[Run]) -> None:
    assert [row[3] for row in rows_of("skill=tables")] == [1, 2, 2]
    page = Client().get("/?skill=tables").content.decode()
    assert '<b>3 of 3</b><span class="n"> · rank 1' in page
    api = Client().get("/api/v1/board/?skill=tables").json()["rows"]
    assert {(row["entry"], row["part_rank"]) for row in api} == {("Bar", 1), ("Foo", 2), ("Baz", 2)}
    Suite.objects.update(changes=99)  # a run was filed and the sweep is yet to come
    assert [row[3] for row in rows_of("skill=tables")] == [None] * 3


def test_without_kept_ranks_there_are_rates_alone(runs: list[Run]) -> None:
    both = "as_of=2026-11-18&skill=tables&file=xlsx"  # only single values are ranked
    assert [row[2:] for row in rows_of(both)] == [(1.0, None), (0.0, None)]
    page = Client().get(f"/?{both}").content.decode()
    assert "No ranks on these tasks alone are stored for that day." in page
    BoardSnapshot.objects.update(facet_places=b"")
    assert [row[3] for row in rows_of("as_of=2026-11-18&skill=tables")] == [None, None]
    assert "No ranks on these tasks" not in Client().get("/?as_of=2026-11-18").content.decode()


def test_boards_of_an_earlier_release_are_ranked_by_the_sweep(runs: list[Run]) -> None:
    BoardSnapshot.objects.update(facet_places=b"", ranked_changes=0)
    assert keep_facet_ranks(budget_s=0) == 1  # a value at a time where time is short
    sweep_queue()
    assert [row[3] for row in rows_of("as_of=2026-11-18&skill=tables")] == [1, 2]
    with CaptureQueriesContext(connection) as queries:
        assert keep_facet_ranks() == 0
    assert len(queries) == 1


def test_board_that_changes_is_ranked_anew(
    runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_time(monkeypatch, datetime(2026, 11, 20, 13, tzinfo=UTC))
    withdraw(runs[1].pk)
    sweep_queue()
    set_time(monkeypatch, TODAY)
    assert rows_of("as_of=2026-11-20&skill=tables") == [("Foo", 1, 0.0, 1), ("Baz", 2, 0.0, 1)]
    assert [row[0] for row in rows_of("as_of=2026-11-18&skill=tables")] == ["Foo"]


def test_deleted_run_leaves_the_others_ranks_computable(runs: list[Run]) -> None:
    runs[1].delete()
    BoardSnapshot.objects.update(facet_places=b"", ranked_changes=0)
    keep_facet_ranks()
    assert rows_of("as_of=2026-11-18&skill=tables") == [("Foo", 1, 0.0, 1)]


def test_stored_values_are_bounded(runs: list[Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facet_ranks, "MAX_VALUES", 2)
    BoardSnapshot.objects.update(facet_places=b"", ranked_changes=0)
    while keep_facet_ranks():
        pass
    for kept in BoardSnapshot.objects.all():
        stored = unpack(kept.facet_places)
        assert {facet: len(values) for facet, values in stored.items()} == {"skill": 2, "file": 2}
        assert kept.ranked_changes == kept.changes
    assert MAX_VALUES == 12


def test_board_without_ranked_runs_is_done_at_once() -> None:
    suite = make_suite()
    store_facets(suite, Described())
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    sweep_queue()
    kept = BoardSnapshot.objects.get()
    assert kept.ranked_changes == kept.changes
    assert rows_of("skill=tables") == [("silent", None, None, None)]  # without the places, a count
