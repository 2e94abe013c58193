"""Searches for odd words find what reading every text finds, with either database."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from leaderboard.handoff.attempts import record_result
from leaderboard.models import AttemptText
from leaderboard.scoring.filing import file_runs
from leaderboard.search import results
from leaderboard.search.filters import Filter, read_filter
from leaderboard.search.words import MAX_READ
from leaderboard.submissions.run_actions import start
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.rows import make_suite, register_entry

pytestmark = pytest.mark.django_db

BODIES = (
    "100% of snake_case in C:\\temp\\new",
    "1000 of snakeXcase in C:/temp/new",
    "数据分析の結果 über Straße",
    "ÜBER STRASSE Σίσυφος",
    "said \"two words\" and 'more'",
    "a.b*c [x] (y) {z} ^$ |? +",
    "-- ' OR 1=1; NEAR(x) AND OR NOT *",
    "two  words apart, İstanbul ﬁne",
    "tab\tand\nline " + "long" * 300,
)
WORDS = (
    "100%", "%", "snake_case", "_", "C:\\temp", "\\", "\\n", "数据分析", "数据", "の", "über",
    "ÜBER", "straße", "STRASSE", '"two words"', '"two  words"', "'more'", ".b*", "[x]", "(y)",
    "{z}", "^$", "|?", "+", "***", "...", "--", "' OR", "NEAR(x)", "NOT", "OR", "*", "a", "z",
    "long" * 40, "σίσυφος", "no-such-word", "snake_case temp", "e words", "a % 数", '"', '""',
    '"unclosed two', "tab line",
)  # fmt: skip


@pytest.fixture
def bodies() -> dict[int, str]:
    """Texts by their attempts, all of them failed."""
    run = start(register_entry(), make_suite("small", len(BODIES)), concurrency=64)
    for job in claim(run.pk, 64, "worker"):
        record_result(job, judged(False))
    file_runs()
    texts = dict(zip(run.attempts.order_by("pk").values_list("pk", flat=True), BODIES, strict=True))
    for pk, body in texts.items():
        AttemptText.objects.filter(attempt=pk).update(body=body)
    return texts


def read_all(texts: dict[int, str], wanted: Filter) -> set[int]:
    words = [word.lower() for word in wanted.words]
    return {pk for pk, body in texts.items() if all(word in body.lower() for word in words)}


@pytest.mark.parametrize("most", [MAX_READ, 2])
def test_odd_words_find_what_reading_finds(
    bodies: dict[int, str], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """By reading the newest texts, and where few may be read by the index."""
    monkeypatch.setattr("leaderboard.search.words.MAX_READ", most)
    for word in WORDS:
        wanted = read_filter({"q": word})
        look = results.look(wanted, AnonymousUser())
        ids = set(look.list_ids(0, 99))
        right = read_all(bodies, wanted)
        if look.is_exact:
            assert ids == right, word
        else:
            assert ids <= right, word
            assert look.notes, word


@pytest.mark.parametrize("word", ["\0", "a\0b", "\ud800", "x" * 70_000, "\u200b", " ", "🤖" * 100])
def test_unreadable_words_are_answered(client: Client, bodies: dict[int, str], word: str) -> None:
    data = {"q": word.encode("utf-8", "replace").decode()}
    assert client.get("/failures/", data).status_code in (200, 400)  # 400: a NUL, or too long
