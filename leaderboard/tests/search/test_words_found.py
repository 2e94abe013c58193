"""Words that are searched find the texts that hold them, within limits that the page names."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client

from leaderboard.models import AttemptText, Run
from leaderboard.search.words import TOO_SLOW, find_texts, look_up, read_newest
from leaderboard.tests.support.rows import make_varied_runs

pytestmark = pytest.mark.django_db

ANYBODY = AnonymousUser()


@pytest.fixture
def owner() -> Any:
    return get_user_model().objects.create_user("owner")


@pytest.fixture
def board(owner: Any) -> list[Run]:
    return make_varied_runs(owner)


def held_by(words: list[str], user: Any) -> list[int]:
    """The attempts whose texts hold the words, from the rows; the newest text first."""
    seen = AttemptText.objects.filter(attempt__run__in=Run.objects.visible_to(user))
    return [
        text.attempt_id
        for text in seen.order_by("-pk")
        if all(word.casefold() in text.body.casefold() for word in words)
    ]


def found_by(words: list[str], user: Any) -> set[int]:
    return set(find_texts(words, user).attempts)


@pytest.mark.parametrize("max_read", [5, 4_000])
@pytest.mark.parametrize("words", [["KeyError"], ["bad rate", "KeyError"], ["bad", "rate"]])
def test_words_find_the_texts_that_hold_them(
    board: list[Run],
    owner: Any,
    words: list[str],
    max_read: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Holds with all texts among the newest, and with the index."""
    monkeypatch.setattr("leaderboard.search.words.MAX_READ", max_read)
    for user in (ANYBODY, owner):
        assert found_by(words, user) == set(held_by(words, user))
        texts = find_texts(words, user)
        assert (texts.note, texts.is_exact) == ("", True)


def test_common_word_lists_the_newest_texts_with_a_note(
    board: list[Run], owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.search.words.MAX_READ", 5)
    monkeypatch.setattr("leaderboard.search.words.IS_COMMON", 1)
    newest = AttemptText.objects.filter(attempt__run__is_public=True).order_by("-pk")[:5]
    right = {text.attempt_id for text in newest if "totals" in text.body}
    assert found_by(["totals"], ANYBODY) == right  # none that is private is among the five
    assert right
    words = (
        "Many attempts hold these words: they were looked for in the newest 5 attempts alone. "
        "Add a rarer word to look further back."
    )
    page = Client().get("/failures/?q=totals").content.decode()
    assert words in page
    assert "<h2>At least " in page
    answer = Client().get("/failures.json?q=totals").json()
    assert (answer["notes"], answer["is_exact"]) == ([words], False)
    answer = Client().get("/failures.json?q=nowhere").json()
    assert (answer["notes"], answer["is_exact"]) == ([], True)


def test_word_common_only_in_old_texts_lists_some_of_them(
    board: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.search.words.MAX_READ", 1)
    monkeypatch.setattr("leaderboard.search.words.MAX_HELD", 2)
    right = held_by(["totals"], ANYBODY)
    assert len(right) > 3
    texts = find_texts(["totals"], ANYBODY)
    assert (len(texts.attempts), texts.is_exact) == (2, False)
    assert found_by(["totals"], ANYBODY) < set(right)
    assert texts.note == (
        "More than 2 attempts hold these words; 2 of them are counted and listed."
    )


def test_texts_are_read_up_to_so_many_bytes(
    board: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = AttemptText.objects.filter(attempt__run__is_public=True).order_by("-pk")
    sizes = [len(text.body.encode()) for text in newest[:3]]
    monkeypatch.setattr("leaderboard.search.words.MAX_READ_BYTES", sum(sizes))
    window = read_newest(["totals", "nowhere"], Run.objects.published())
    assert (window.texts, window.is_everything, window.hits) == (3, False, [])
    right = sum("totals" in text.body for text in newest[:3])
    assert window.counts == {"totals": right, "nowhere": 0}


def test_the_index_is_asked_for_the_words_that_few_hold(
    board: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that many hold are looked for in what it leads to."""
    asked: list[tuple[list[str], list[str]]] = []
    real = look_up

    def noted(rare: list[str], others: list[str], runs: Any) -> Any:
        asked.append((rare, others))
        return real(rare, others, runs)

    monkeypatch.setattr("leaderboard.search.words.look_up", noted)
    monkeypatch.setattr("leaderboard.search.words.MAX_READ", 3)
    AttemptText.objects.all().update(body="Übermut und Rest")
    marked = AttemptText.objects.filter(attempt__run__is_public=True).order_by("pk")[0]
    AttemptText.objects.filter(pk=marked.pk).update(body="ÜBERMUT nur hier")
    monkeypatch.setattr("leaderboard.search.words.IS_COMMON", 2)
    for words in (["nur hier", "übermut"], ["hier", "ÜBERMUT"]):
        assert found_by(words, ANYBODY) == {marked.attempt_id}
        assert asked.pop() == ([words[0]], [words[1]])


def test_a_search_that_takes_too_long_is_ended_and_says_so(
    board: list[Run], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.SEARCH_TIMEOUT_S = 0.05
    numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

    def endless(*_: Any, **__: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"{numbers} SELECT COUNT(*) FROM n")

    monkeypatch.setattr("leaderboard.search.words.search_texts", endless)
    page = Client().get("/failures/?q=totals")
    assert page.status_code == 200
    assert TOO_SLOW in page.content.decode()
    with connection.cursor() as cursor:  # the limit is gone with the search
        cursor.execute("SELECT 1")
