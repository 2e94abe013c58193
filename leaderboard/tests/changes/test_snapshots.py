"""Dated snapshots: kept by the sweep, served with checksums, without who withdrew."""

from __future__ import annotations

import csv
import hashlib
import json
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import BoardSnapshot, Run
from leaderboard.scoring.filing import file_runs
from leaderboard.snapshots.keep import keep_snapshots
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite, set_price
from runner.evidence.envelope import find_signer, read_payload

pytestmark = pytest.mark.django_db

TODAY = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The time of this process."""
    now = [TODAY]
    monkeypatch.setattr("django.utils.timezone.now", lambda: now[0])
    return now


@pytest.fixture
def runs(clock: list[datetime]) -> list[Run]:
    suite = make_suite(tasks=24)
    made = [
        finish_run(make_run(suite, make_entry(name)), solved)
        for name, solved in (("Foo", 7), ("=Bar", 2))
    ]
    set_price("foo")
    sweep_queue()
    return made


FOLDER = f"/snapshots/starter@1/1/{TODAY.date()}/"


def get_json(path: str) -> dict[str, Any]:
    answer = Client().get(path)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_sweep_keeps_the_board_once_per_change(runs: list[Run]) -> None:
    kept = BoardSnapshot.objects.get()
    assert (kept.day, kept.season, kept.rows) == (TODAY.date(), 1, 2)
    sweep_queue()
    assert BoardSnapshot.objects.get().kept_at == kept.kept_at
    with CaptureQueriesContext(connection) as queries:
        assert keep_snapshots() == 0
    assert len(queries) == 1


def test_todays_snapshot_follows_the_board_and_past_days_stay(
    runs: list[Run], clock: list[datetime]
) -> None:
    finish_run(make_run(runs[0].suite, make_entry("Baz")), 4)
    sweep_queue()
    assert [kept.rows for kept in BoardSnapshot.objects.all()] == [3]
    clock[0] += timedelta(days=1)
    sweep_queue()
    assert BoardSnapshot.objects.count() == 1  # nothing changed
    finish_run(make_run(runs[0].suite, make_entry("Qux")), 1)
    sweep_queue()
    assert [kept.rows for kept in BoardSnapshot.objects.all()] == [4, 3]
    assert len(get_json(FOLDER + "board.json")["rows"]) == 3


def test_files_are_those_that_the_manifest_names(runs: list[Run], settings: Settings) -> None:
    settings.DATA_LICENCE = "CC0-1.0"
    manifest = get_json(FOLDER + "manifest.json")
    assert [file["name"] for file in manifest["files"]] == ["board.csv", "board.json"]
    for file in manifest["files"]:
        content = Client().get(FOLDER + file["name"]).content
        assert file["address"] == f"http://testserver{FOLDER}{file['name']}"
        assert (len(content), hashlib.sha256(content).hexdigest()) == (
            file["bytes"],
            file["sha256"],
        )
    assert manifest["licence"] == "CC0-1.0"
    assert manifest["citation"].startswith("PyBench site: Starter suite v1, season 1, board of")
    assert manifest["left_out"] == 0


def test_address_that_is_cited_leads_to_the_board_of_that_day(runs: list[Run]) -> None:
    cited = get_json(FOLDER + "manifest.json")["citation"].split()[-1]
    answer = Client().get(cited)
    assert answer.status_code == 302
    assert answer["Location"] == f"/?suite=starter@1&season=1&as_of={TODAY.date()}"
    assert "Foo" in Client().get(answer["Location"]).content.decode()
    assert Client().get("/snapshots/starter@1/1/2026-01-01/").status_code == 404
    assert Client().get("/snapshots/starter@1/1/yesterday/").status_code == 404


def test_statement_names_an_entry_that_the_ledger_still_has(runs: list[Run]) -> None:
    end = get_statement()["ledger"]
    finish_run(make_run(runs[0].suite, make_entry("Baz")), 4)
    sweep_queue()
    assert get_statement()["ledger"]["number"] > end["number"]
    entries = [json.loads(line) for line in Client().get("/ledger.jsonl").getvalue().splitlines()]
    assert [one["chain"] for one in entries if one["number"] == end["number"]] == [end["digest"]]


def get_statement() -> dict[str, Any]:
    """The predicate of today's statement, its signature checked."""
    envelope = get_json(FOLDER + "statement.json")
    published = get_json("/.well-known/pybench-keys.json")["keys"]
    assert find_signer(envelope, {key["keyid"]: b64decode(key["public"]) for key in published})
    predicate: dict[str, Any] = json.loads(read_payload(envelope))["predicate"]
    return predicate


def test_rows_are_the_boards(runs: list[Run]) -> None:
    rows = get_json(FOLDER + "board.json")["rows"]
    assert rows == Client().get("/board.json").json()["rows"]
    assert rows[0]["cost_per_task"] is not None
    table = Client().get(FOLDER + "board.csv").content.decode()
    found = list(csv.DictReader(table.splitlines()))
    assert [(row["rank"], row["entry"]) for row in found] == [("1", "Foo"), ("2", "'=Bar")]


def test_withdrawn_run_is_left_out_and_counted(runs: list[Run]) -> None:
    withdraw(runs[0].pk)
    answer = get_json(FOLDER + "board.json")
    assert [row["entry"] for row in answer["rows"]] == ["=Bar"]
    assert answer["left_out"] == 1
    assert "Foo" not in Client().get(FOLDER + "board.csv").content.decode()
    manifest = get_json(FOLDER + "manifest.json")
    content = Client().get(FOLDER + "board.csv").content
    assert manifest["files"][0]["sha256"] == hashlib.sha256(content).hexdigest()
    assert b"Foo" not in bytes(BoardSnapshot.objects.get().body)


def test_snapshot_of_withdrawn_runs_alone_is_empty_and_valid(runs: list[Run]) -> None:
    for run in runs:
        withdraw(run.pk)
    assert get_json(FOLDER + "board.json")["rows"] == []
    assert Client().get(FOLDER + "board.csv").content == b"group\r\n"


@pytest.mark.parametrize(
    "path",
    [
        "/snapshots/starter@1/1/2026-11-22/board.csv",  # before the first
        "/snapshots/starter@1/1/2999-01-01/board.csv",
        "/snapshots/starter@1/1/yesterday/board.csv",
        "/snapshots/starter@1/2/2026-11-23/board.csv",
        "/snapshots/other@1/1/2026-11-23/board.csv",
        "/snapshots/starter/1/2026-11-23/board.csv",
        "/snapshots/starter@1/1/2026-11-23/board.exe",
        "/snapshots/starter@1/1/2026-11-23/..",
    ],
)
def test_what_was_not_kept_is_not_found(runs: list[Run], path: str) -> None:
    assert Client().get(path).status_code == 404


def test_list_names_each_kept_board(runs: list[Run]) -> None:
    page = Client().get("/snapshots/").content.decode()
    for name in ("board.csv", "board.json", "manifest.json"):
        assert f'href="{FOLDER}{name}"' in page
    assert "/snapshots/" in Client().get("/changes/").content.decode()


def test_list_without_snapshots_says_when_there_will_be_one() -> None:
    make_suite()
    file_runs()
    keep_snapshots()
    assert "No snapshot yet" in Client().get("/snapshots/").content.decode()
