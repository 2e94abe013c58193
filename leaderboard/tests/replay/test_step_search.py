"""Search inside one attempt: every step, every part, and nothing that can hold the page up."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Attempt, Step
from leaderboard.replay import step_search
from leaderboard.replay.step_search import search_steps
from leaderboard.tests.support.rows import (
    add_step,
    change,
    finish_run,
    make_run,
    make_step,
    make_suite,
    printed,
    raised,
    show,
)
from runner.contract import StepStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt() -> Attempt:
    run = finish_run(make_run(make_suite()), 3)
    found: Attempt = run.attempts.select_related("task", "run").get(task__key="rotate-photo")
    found.steps.all().delete()
    steps = [
        make_step(1, code="alpha = 1", thought="I begin with Ampère.", outputs=[printed("beta\n")]),
        make_step(2, code="x = 'beta'", outputs=[raised()], status=StepStatus.ERROR),
        make_step(3, changes=[change("output/gamma (final).csv", b"1")]),
        make_step(4, code="", thought="The beta is saved: 10 €.", status=StepStatus.ANSWER),
    ]
    for step in steps:
        add_step(found, step)
    add_step(found, make_step(5, code="# İİ ıstanbul İ"))
    add_step(found, make_step(1, code="only_in_a_later_try()"), try_number=2)
    return found


def found_in(attempt: Attempt, words: str) -> list[tuple[int, str]]:
    result = search_steps(attempt, 1, words)
    return [(hit.index, hit.part) for hit in result.hits]


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ("alpha", [(1, "code")]),
        ("ALPHA", [(1, "code")]),
        ("AMPÈRE", [(1, "thought")]),
        ("beta", [(1, "output"), (2, "code"), (4, "thought")]),
        ("gamma (final)", [(3, "files")]),
        ("KeyError", [(2, "output")]),
        ("10 €.", [(4, "thought")]),
        ("ıstanbul İ", [(5, "code")]),
        ("10 .", []),  # a point is a point
        ("only_in_a_later_try", []),
        ("a" * 5_000, []),
        ("\x00", []),
        ("\ud800", []),
    ],
)
def test_words_are_found_as_they_stand(
    attempt: Attempt, words: str, where: list[tuple[int, str]]
) -> None:
    assert found_in(attempt, words) == where


def test_counts_and_surroundings_are_told(attempt: Attempt) -> None:
    result = search_steps(attempt, 1, "beta")
    assert (result.count, result.steps, result.more, result.unread) == (3, 3, 0, 0)
    hit = result.hits[1]
    assert (hit.before, hit.found, hit.after, hit.count) == ("x = '", "beta", "'", 1)


def test_a_text_that_no_encoding_takes_is_searched(attempt: Attempt) -> None:
    add_step(attempt, make_step(6, code="x = '\ud800\x00 delta'"))
    assert found_in(attempt, "delta") == [(6, "code")]


def test_pictures_and_tables_are_searched_by_their_text(attempt: Attempt) -> None:
    add_step(attempt, make_step(6, outputs=[show({"text/plain": "<Axes: delta>"})]))
    assert found_in(attempt, "delta") == [(6, "output")]


def test_every_step_of_a_long_attempt_is_searched(client: Client, attempt: Attempt) -> None:
    last = attempt.steps.get(index=3, try_number=1)
    body = attempt.steps.get(index=1, try_number=1).body
    Step.objects.bulk_create(
        Step(attempt=attempt, index=n, status="ok", body=body) for n in range(6, 1_001)
    )
    with CaptureQueriesContext(connection) as queries:
        result = search_steps(attempt, 1, "alpha")
    assert (result.steps, len(result.hits), result.more) == (996, 100, 896)
    assert len(queries) <= 12
    assert search_steps(attempt, 1, "gamma").indexes == {last.index}
    page = client.get(attempt.get_absolute_url(), {"find": "alpha", "try": "1"}).content.decode()
    assert "find=alpha&amp;try=1&amp;from=21#step-21" in page
    assert "and 896 more steps" in page


def test_what_is_too_large_is_said(
    client: Client, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_search, "MAX_STEP_BYTES", 400_000)
    add_step(attempt, make_step(6, code="x" * 500_000))
    result = search_steps(attempt, 1, "xxx")
    assert (result.unread, result.steps) == (1, 0)
    monkeypatch.setattr(step_search, "MAX_BYTES", 10)
    assert search_steps(attempt, 1, "alpha").unread == 6
    page = client.get(attempt.get_absolute_url(), {"find": "alpha", "try": "1"})
    assert "6 steps too large to be searched" in page.content.decode()


def test_hostile_words_stay_words(client: Client, attempt: Attempt) -> None:
    evil = '"><script>alert(1)</script>\u202e'
    add_step(attempt, make_step(6, code=f"print('''{evil}''')"))
    page = client.get(attempt.get_absolute_url(), {"find": evil, "try": "1"}).content.decode()
    assert "<b>1 hit</b>" in page
    assert "<script>alert" not in page


def test_a_search_is_kept_from_window_to_window(client: Client, attempt: Attempt) -> None:
    asked = {"find": "beta", "attempt": "1", "try": "1"}
    page = client.get(attempt.get_absolute_url(), asked).content.decode()
    assert '<input type="hidden" name="try" value="1">' in page
    assert 'href="?attempt=1&amp;try=1">clear</a>' in page
    empty = client.get(attempt.get_absolute_url(), {"find": "  "}).content.decode()
    assert 'class="found"' not in empty
