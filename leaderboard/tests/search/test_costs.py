"""A search costs the same however many texts there are: no database reads or carries them all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from leaderboard.models import AttemptText, Run, Suite
from leaderboard.search import words
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

HELD = 20
STEPS_AT_ONCE = 10  # of SQLite's machine


WORDS = "the rare word"


def add_runs(suite: Suite, count: int, body: str = WORDS) -> None:
    """Runs of attempts that all have the same text."""
    for number in range(count):
        run = finish_run(make_run(suite, make_entry(f"Model {number}")), 0)
        texts = (AttemptText(attempt=one, body=body) for one in run.attempts.all())
        AttemptText.objects.bulk_create(texts)


def look_up() -> list[tuple[int, int, bool]]:
    return words.look_up(["rare"], [], Run.objects.visible_to(AnonymousUser()))


def count_steps() -> int:
    """Of SQLite's machine, to look the word up."""
    steps = 0

    def note() -> int:
        nonlocal steps
        steps += 1
        return 0

    raw: Any = connection.connection
    raw.set_progress_handler(note, STEPS_AT_ONCE)
    try:
        assert len(look_up()) == HELD + 1
    finally:
        raw.set_progress_handler(None, 0)
    return steps


def outputs_of(plan: dict[str, Any], table: str) -> list[str]:
    """The columns of the rows that PostgreSQL's plan takes from what it keeps as `table`."""
    here = plan.get("Output", []) if plan.get("CTE Name") == table else []
    below = [name for part in plan.get("Plans", []) for name in outputs_of(part, table)]
    return [*here, *below]


def explain(sql: str, values: Any) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (VERBOSE, FORMAT JSON) {sql}", values)
        found = cursor.fetchone()[0]
    plan: dict[str, Any] = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    return plan


def test_looking_a_word_up_ends_with_the_last_text_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten times the texts that hold it, and no more steps than before."""
    monkeypatch.setattr(words, "MAX_HELD", HELD)
    suite = make_suite()
    add_runs(suite, 45, "nothing")
    add_runs(suite, 5)
    assert len(look_up()) == HELD + 1
    if connection.vendor == "postgresql":
        return  # its index makes a bitmap of all; the texts themselves are read up to the limit
    few = count_steps()
    AttemptText.objects.update(body=WORDS)
    assert count_steps() <= 1.2 * few


def test_no_step_carries_the_texts_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """They may be twelve megabytes."""
    add_runs(make_suite(), 2)
    seen: list[tuple[str, Any]] = []

    def listen(execute: Any, sql: str, values: Any, many: bool, context: Any) -> Any:
        seen.append((sql, values))
        return execute(sql, values, many, context)

    with connection.execute_wrapper(listen):
        window = words.read_newest(["rare"], Run.objects.visible_to(AnonymousUser()))
    assert window.counts == {"rare": window.texts}
    assert len(seen) == 1
    sql, values = seen[0]
    for kept in ("newest", "measured", "compared"):
        head = sql.partition(f"{kept} ")[2].partition(" FROM ")[0]
        assert "body," not in head, kept
    if connection.vendor == "postgresql":
        plan = explain(sql, values)
        for kept in ("newest", "measured", "compared"):
            assert outputs_of(plan, kept)
            assert not [name for name in outputs_of(plan, kept) if "body" in name]
