"""The objects behind an API answer are freed with the request, not when garbage is collected."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import RequestFactory
from django.urls import resolve

from leaderboard.board.records import list_records
from leaderboard.scoring import standings
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db


class Rows(list[Any]):
    """A list that can be watched."""


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[weakref.ref[Rows]]]:
    """The rows that the board's address answers with."""
    seen: list[weakref.ref[Rows]] = []

    def noted(rows: Any) -> Rows:
        made = Rows(list_records(rows))
        seen.append(weakref.ref(made))
        return made

    monkeypatch.setattr("leaderboard.api.board.list_records", noted)
    was_on = gc.isenabled()
    gc.disable()
    yield seen
    if was_on:
        gc.enable()


def test_answered_rows_are_freed_without_garbage_collection(
    watched: list[weakref.ref[Rows]],
) -> None:
    suite = make_suite()
    finish_run(make_run(suite, make_entry()), 3)
    standings.refresh(suite)
    path = "/api/v1/board/"
    for _ in range(3):
        response = resolve(path).func(RequestFactory().get(path)).render()
        assert b'"rows":' in response.content.replace(b" ", b"")
        gone = weakref.ref(response)
        del response
        assert gone() is None
    assert len(watched) == 3
    assert [ref() for ref in watched] == [None] * 3


@pytest.mark.parametrize("path", ["/api/v1/runs/", "/api/v1/suites/", "/api/v1/runs/999999/"])
def test_answers_are_freed_without_garbage_collection(
    watched: list[weakref.ref[Rows]], path: str
) -> None:
    finish_run(make_run(make_suite(), make_entry()), 3)
    found = resolve(path)
    response = found.func(RequestFactory().get(path), *found.args, **found.kwargs).render()
    assert response.content
    gone = weakref.ref(response)
    del response
    assert gone() is None
