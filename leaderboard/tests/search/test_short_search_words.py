"""Words that the index of trigrams cannot hold: read for in a bounded number of texts, and said."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import AttemptText, Entry, Run
from leaderboard.search.words import Texts, find_texts, is_indexed
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

ANYBODY = AnonymousUser()
BOUND = 5
BODIES = ("Ox 频谱 === a%b", "total of the ox", "频 alone", "total === A%B", "nothing", "a\\b _ '")


@pytest.fixture(autouse=True)
def bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.search.words.MAX_READ", BOUND)


@pytest.fixture
def owner() -> Any:
    return get_user_model().objects.create_user("owner")


@pytest.fixture
def runs(owner: Any) -> list[Run]:
    """Three runs of eight failed attempts, the last one private; a text for each, oldest first."""
    suite = make_suite()
    entries = [make_entry(name) for name in ("Old", "New", "Mine")]
    Entry.objects.filter(pk=entries[2].pk).update(owner=owner)
    made = [finish_run(make_run(suite, entry), 0) for entry in entries]
    Run.objects.filter(pk=made[2].pk).update(is_public=False)
    for run in made:
        for number, attempt in enumerate(run.attempts.order_by("pk")):
            AttemptText.objects.create(attempt=attempt, body=BODIES[number % len(BODIES)])
    return made


def right_ones(words: list[str], texts: list[AttemptText]) -> set[int]:
    return {t.attempt_id for t in texts if all(w.lower() in t.body.lower() for w in words)}


def ids(found: Texts) -> set[int]:
    return set(found.attempts)


def newest(run_ids: list[int], containing: str = "") -> list[AttemptText]:
    """The texts that are read, the newest first."""
    texts = AttemptText.objects.filter(attempt__run__in=run_ids).order_by("-pk")
    return [text for text in texts if containing in text.body][:BOUND]


@pytest.mark.parametrize("word", ["ox", "OX", "频谱", "频", "a%", "%", "_", "\\", "'", "a", "zz"])
def test_the_newest_texts_are_read_for_it(runs: list[Run], owner: Any, word: str) -> None:
    for user, seen in ((ANYBODY, runs[:2]), (owner, runs)):
        found = find_texts([word], user)
        assert ids(found) == right_ones([word], newest([run.pk for run in seen]))
        assert f"“{word}” is too short for the index" in found.note
        assert f"in the newest {BOUND} attempts alone" in found.note


def test_beside_a_longer_word_all_that_hold_the_longer_one_are_read(
    runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    public = [run.pk for run in runs[:2]]
    texts = list(AttemptText.objects.filter(attempt__run__in=public))
    found = find_texts(["ox", "total"], ANYBODY)
    assert ids(found) == right_ones(["ox", "total"], texts)
    assert min(ids(found)) < min(text.attempt_id for text in newest(public))  # further back
    assert (found.note, found.is_exact) == ("", True)
    monkeypatch.setattr("leaderboard.search.words.MAX_HELD", 3)  # and of more, the newest alone
    found = find_texts(["ox", "total"], ANYBODY)
    assert ids(found) == right_ones(["ox", "total"], newest(public))
    assert not found.is_exact
    assert "in the newest 5 attempts alone" in found.note


def test_of_one_run_the_texts_of_that_run_are_read(runs: list[Run]) -> None:
    oldest = runs[0].pk
    assert find_texts(["zz"], ANYBODY, oldest).note
    found = find_texts(["ox"], ANYBODY, oldest)
    assert ids(found) == right_ones(["ox"], newest([oldest]))
    assert ids(found)


def test_where_all_could_be_read_nothing_is_said(
    runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.search.words.MAX_READ", 16)
    texts = list(AttemptText.objects.filter(attempt__run__in=[run.pk for run in runs[:2]]))
    assert len(texts) == 16
    found = find_texts(["频谱"], ANYBODY)
    assert (ids(found), found.note) == (right_ones(["频谱"], texts), "")


def test_a_word_of_three_letters_is_looked_up_among_all(runs: list[Run]) -> None:
    """However few may be read."""
    texts = list(AttemptText.objects.filter(attempt__run__in=[run.pk for run in runs[:2]]))
    for word in ("total", "tal", "ALONE"):
        found = find_texts([word], ANYBODY)
        assert (ids(found), found.note) == (right_ones([word], texts), "")


@pytest.mark.parametrize("word", ["ox", "频谱", "==="])
def test_no_more_texts_are_read_than_that(runs: list[Run], word: str) -> None:
    """The database is asked to look inside the newest few, not to pick the newest of all hits."""
    if is_indexed(word):
        assert connection.vendor == "sqlite"  # whose index holds signs too
        return
    with CaptureQueriesContext(connection) as queries:
        find_texts([word], ANYBODY)
    comparing = "REGEXP" if connection.vendor == "sqlite" else "STRPOS"
    reading = [query["sql"] for query in queries if comparing in query["sql"]]
    assert len(reading) == 1
    inside, _, outside = reading[0].partition("), measured AS")
    assert f"LIMIT {BOUND + 1}" in inside
    assert comparing not in inside
    assert comparing in outside


def test_the_page_says_so_and_keeps_what_was_typed(client: Client, runs: list[Run]) -> None:
    page = client.get("/failures/?q=频谱&state=failed").content.decode()
    answer = client.get("/failures.json?q=频谱&state=failed").json()
    assert 'name="q" value="频谱"' in page
    assert '<input type="hidden" name="state" value="failed">' in page
    assert len(answer["notes"]) == 1
    assert "“频谱” is too short for the index" in answer["notes"][0]
    assert answer["notes"][0] in page
    assert answer["total"] == len(find_texts(["频谱"], ANYBODY).attempts) > 0


def test_what_was_typed_is_quoted_harmlessly(client: Client, runs: list[Run]) -> None:
    page = client.get("/failures/", {"q": "<b \u202e'"}).content.decode()
    assert "“&lt;b” and “&#x27;” are too short" in page
    assert "<b " not in page
