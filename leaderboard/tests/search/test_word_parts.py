"""Words led to by parts: chosen where that pays, and found as by reading every text."""

from __future__ import annotations

import random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from leaderboard.models import AttemptText
from leaderboard.search import word_parts, words
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

COMMON = ["name_1 total", "name_2 total", "name_3 path.join", "name_44 total"] * 10
WORDS = (
    "name_44",
    "NAME_44",
    "name_9",
    "name_4",
    "xname_44",
    'name_"4',
    "name_%4",
    "total",
    "path.join",
    "频谱频谱",
    "name_频谱",
    "Übername_",
    "\\name_44",
)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("name_9", ["e_9"]),  # in none
        ("xname_77y", ["xna", "e_77y"]),
        ("name_1", []),  # a tenth hold it: the index soon has enough of them
        ("total", []),  # nothing would be left
        ("zebra", []),  # nothing is common
    ],
)
def test_parts_are_what_is_rare_of_a_word_that_few_hold(word: str, parts: list[str]) -> None:
    assert word_parts.choose_parts(word, COMMON) == parts


@pytest.mark.django_db
def test_only_sqlite_with_a_long_plain_word_reads_a_sample() -> None:
    assert word_parts.find_parts(["tot", "Übermut"]) == {}
    with connection.execute_wrapper(refuse):
        assert word_parts.find_parts(["tot", "Übermut"]) == {}


def refuse(*_: object) -> None:
    raise AssertionError("a query")


@pytest.mark.django_db
def test_parts_find_what_reading_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sample of the newest texts that knows nothing of those before."""
    monkeypatch.setattr(words, "MAX_READ", 3)
    monkeypatch.setattr(word_parts, "SAMPLE", 16)
    chance = random.Random(5)
    suite = make_suite()
    for number in range(8):
        run = finish_run(make_run(suite, make_entry(f"Model {number}")), 0)
        rest = "name_ name_1 total path.join" if number > 5 else "name_"
        AttemptText.objects.bulk_create(
            AttemptText(attempt=one, body=f"{chance.choice(WORDS)} {rest} {chance.choice(WORDS)}")
            for one in run.attempts.all()
        )
    bodies = dict(AttemptText.objects.values_list("attempt", "body"))
    led = 0
    for word in WORDS:
        found = words.find_texts([word], AnonymousUser())
        held = {pk for pk, body in bodies.items() if word.lower() in body.lower()}
        ids = {pk for attempts in found.attempts.values() for pk in attempts}
        assert ids == held if found.is_exact else ids <= held, word
        led += word in word_parts.find_parts([word])
    assert led or connection.vendor == "postgresql"
