"""Data that a program asks for again: an ETag of what it may see, and 304 as long as that holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from leaderboard.board.queries import BOARDS
from leaderboard.models import Run
from leaderboard.scoring.standings import refresh_changed
from leaderboard.submissions import run_actions
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import (
    finish_run,
    make_board,
    make_entry,
    make_private_run,
    make_run,
    set_price,
)

pytestmark = pytest.mark.django_db

TWINS = ("/api/v1/board/", "/board.json", "/board.csv")


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def addresses(run: Run) -> list[str]:
    attempt = run.attempts.order_by("pk")[0]
    a, b = (finish_run(make_run(run.suite, make_entry(name)), 5).pk for name in ("A", "B"))
    suite, task = run.suite.name, attempt.task
    return [
        *TWINS,
        "/api/v1/schema/",
        "/api/v1/suites/",
        f"/api/v1/suites/{suite}/",
        "/api/v1/tasks/",
        f"/api/v1/tasks/{task.pk}/",
        "/api/v1/entries/",
        f"/api/v1/entries/{run.entry.slug}/",
        "/api/v1/runs/",
        f"/api/v1/runs/{run.pk}/",
        f"/api/v1/attempts/?run={run.pk}",
        f"/api/v1/attempts/{attempt.pk}/",
        f"/api/v1/attempts/{attempt.pk}/steps/",
        f"/api/v1/attempts/{attempt.pk}/artifacts/",
        f"/runs/{run.pk}.json",
        f"/models/{run.entry.slug}.json",
        f"/tasks/{suite}.json",
        f"/tasks/{suite}.csv",
        f"/tasks/{suite}/{task.key}.json",
        f"/suites/{suite}/health.json",
        "/failures.json",
        "/failures.csv",
        f"/compare.json?runs={a},{b}",
        f"/compare.csv?runs={a},{b}",
        "/charts/pass-rates.json",
        "/charts/pass-rates.csv",
        "/changes.json",
        "/changes.atom",
        f"/runs/{run.pk}/tasks/{task.key}/attempt.json",
    ]


def test_each_address_for_programs_answers_304_to_who_has_it() -> None:
    run, *_ = make_board()
    for address in addresses(run):
        first = Client().get(address)
        assert first.status_code == 200, address
        assert first["ETag"].startswith('"'), address
        assert first["Cache-Control"], address
        for known in (first["ETag"], f"W/{first['ETag']}", f'"other", {first["ETag"]}', "*"):
            again = Client().get(address, headers={"If-None-Match": known})
            assert (again.status_code, again.content) == (304, b""), (address, known)
            assert again["ETag"] == first["ETag"]
            assert again["Cache-Control"] == first["Cache-Control"]
        new = Client().get(address, headers={"If-None-Match": '"other"'})
        assert new.status_code == 200, address


def test_head_has_the_same_tag_as_get() -> None:
    make_board()
    for address in TWINS:
        assert Client().head(address)["ETag"] == Client().get(address)["ETag"]


def test_compressed_copy_is_recognised_by_its_weak_tag() -> None:
    make_board()
    sent = {"Accept-Encoding": "gzip"}
    first = Client().get("/board.json", headers=sent)
    assert (first["Content-Encoding"], first["ETag"][:2]) == ("gzip", "W/")
    again = Client().get("/board.json", headers=sent | {"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert "Accept-Encoding" in again["Vary"]


def rank_anew(run: Run) -> None:
    finish_run(make_run(run.suite, make_entry("Newcomer")), 7)
    refresh_changed()


def withdraw(run: Run) -> None:
    run_actions.withdraw(run.pk)
    refresh_changed()


def price(run: Run) -> None:
    set_price(run.entry.model_name)


def rename(run: Run) -> None:
    run.entry.name = "Renamed"
    run.entry.save()


@pytest.mark.parametrize("change", [rank_anew, withdraw, price, rename])
@pytest.mark.parametrize("address", TWINS)
def test_change_of_a_row_changes_the_board_s_tag(
    address: str, change: Callable[[Run], None]
) -> None:
    run, *_ = make_board()
    first = Client().get(address)
    change(run)
    BOARDS.clear()
    again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert again["ETag"] != first["ETag"]


def test_private_data_are_marked_so_and_their_tag_opens_nothing_to_others() -> None:
    make_board()
    owner = make_user("owner")
    run = make_private_run(owner)
    mine, other, stranger = Caller(owner), Caller(make_user("other")), Caller()
    for path in (
        f"runs/{run.pk}/",
        "runs/",
        f"attempts/?run={run.pk}",
        f"entries/{run.entry.slug}/",
    ):
        address = f"/api/v1/{path}"
        first = mine.get(address, headers=mine.headers_sent)
        check_private(first)
        again = mine.get(address, headers=mine.headers_sent | {"If-None-Match": first["ETag"]})
        assert again.status_code == 304
        check_private(again)
        for caller in (other, stranger):
            sent = caller.headers_sent | {"If-None-Match": first["ETag"]}
            answer = caller.get(address, headers=sent)
            assert answer.status_code in (200, 404), address
            assert run.entry.name not in answer.content.decode()
            assert answer.get("ETag") != first["ETag"]


def check_private(answer: Any) -> None:
    words = {word.strip() for word in answer["Cache-Control"].split(",")}
    assert "private" in words
    assert words & {"no-cache", "no-store"}
    assert "public" not in words
    assert "Authorization" in answer["Vary"]


def test_signed_in_reader_s_pages_for_programs_are_private() -> None:
    make_board()
    owner = make_user("owner")
    run = make_private_run(owner)
    client = Client()
    client.force_login(owner)
    mine = client.get(f"/runs/{run.pk}.json")
    assert "private" in mine["Cache-Control"]
    assert "Cookie" in mine["Vary"]
    refused = Client().get(f"/runs/{run.pk}.json", headers={"If-None-Match": mine["ETag"]})
    assert refused.status_code == 404
    assert "ETag" not in refused


def test_errors_and_new_runs_have_no_tag_and_are_not_stored() -> None:
    owner = make_user()
    run = make_private_run(owner)
    mine = Caller(owner)
    missing = mine.get("/api/v1/runs/99999/", headers=mine.headers_sent | {"If-None-Match": "*"})
    acted = mine.post(f"/api/v1/runs/{run.pk}/publish/", headers=mine.headers_sent)
    for answer in (missing, acted):
        assert "ETag" not in answer
        assert "no-store" in answer["Cache-Control"]
