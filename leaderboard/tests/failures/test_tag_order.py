"""Tags of an attempt as a whole: their order, void attempts, steps without facts, long answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from leaderboard.failures.tags import BY_KEY, AttemptFacts, tags_of
from leaderboard.tests.support.attempt_facts import (
    FAILED,
    PASSED,
    VOID,
    WANTS,
    after,
    cell,
    failing,
    said,
)


def test_the_primary_tag_comes_first_in_the_published_order() -> None:
    facts = after(
        failing("ModuleNotFoundError", "No module named 'geopandas'"),
        failing("KeyError", "'a'"),
        failing("KeyError", "'a'"),
        of=WANTS,
        answer="Saved to ./output/a.csv.",
    )
    assert tags_of(facts) == (
        "package-missing", "premature-stop", "repeated-error", "wrong-column", "false-success"
    )  # fmt: skip


def test_a_void_attempt_says_nothing_of_the_model() -> None:
    steps = [failing("KeyError", "'a'"), failing("KeyError", "'a'")]
    assert tags_of(replace(VOID, steps=steps)) == ("infra-endpoint",)
    assert tags_of(AttemptFacts("cancelled", steps=steps)) == ()


def test_a_clean_pass_has_no_tag() -> None:
    assert tags_of(PASSED) == ()


def test_steps_without_some_facts_are_returned_without_them(subtests: pytest.Subtests) -> None:
    partial: list[dict[str, Any]] = [
        {},
        {"status": None, "code": None, "outputs": None, "notes": None, "changes": None},
        {"status": "error", "outputs": [{}], "observation": None},
        {"status": "killed", "outputs": [{"kind": "error", "error_name": None}]},
        {"changes": [{}], "notes": [None]},
    ]
    for step in partial:
        with subtests.test(step=step):
            assert set(tags_of(replace(WANTS, steps=[step]))) <= set(BY_KEY)


def test_endless_answers_are_read_in_bounded_time() -> None:
    answer = " ".join(f"{n}.7 saved" for n in range(200, 20_000))
    steps = [cell(printed=" ".join(f"{n}.2" for n in range(200, 30_000))), said(answer)]
    assert "unsupported-number" in tags_of(replace(FAILED, steps=steps, answer=answer))
