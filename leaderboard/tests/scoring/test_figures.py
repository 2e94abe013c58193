"""Scores: figures of mixed attempts."""

from __future__ import annotations

from leaderboard.scoring.figures import (
    OVERALL,
    Scored,
    figures,
    summarise,
)
from runner.run_figures import pass_interval, wilson


def scored(
    task: int,
    passed: bool | None,
    *,
    category: str = "chart",
    is_void: bool = False,
    turns: int = 3,
    tokens: int | None = 100,
) -> Scored:
    return Scored(task, category, passed, is_void, turns, tokens, tokens, 1.0, 0.5, 2.0)


def test_the_denominator_is_every_task() -> None:
    void, still_open = scored(3, None, is_void=True), scored(4, None)
    result = figures([scored(1, True), scored(2, False), void, still_open], 10)
    assert (result.tasks, result.passed, result.failed, result.void, result.open) == (4, 1, 1, 1, 1)
    assert result.rate == 0.25
    assert not result.is_complete


def test_void_alone_and_open_alone_make_a_row_incomplete() -> None:
    assert not figures([scored(1, True), scored(2, None, is_void=True)], 10).is_complete
    assert not figures([scored(1, True), scored(2, None)], 10).is_complete
    assert figures([scored(1, True), scored(2, False)], 10).is_complete


def test_a_failed_attempt_counts_the_turn_limit() -> None:
    result = figures([scored(1, True, turns=2), scored(2, False, turns=3)], 10)
    assert result.turns == 6.0
    assert result.turns_solved == 2.0


def test_void_and_open_attempts_cost_nothing() -> None:
    result = figures([scored(1, True), scored(2, None, is_void=True), scored(3, None)], 10)
    assert (result.turns, result.prompt_tokens, result.wall_s) == (3.0, 100, 2.0)


def test_unknown_tokens_are_not_zero() -> None:
    assert figures([scored(1, True), scored(2, True, tokens=None)], 10).prompt_tokens is None
    unasked = scored(2, False, turns=0, tokens=None)
    assert figures([scored(1, True), unasked], 10).prompt_tokens == 100


def test_nothing_decided_has_no_mean() -> None:
    result = figures([scored(1, None)], 10)
    assert result.turns is None
    assert result.turns_solved is None
    assert result.prompt_tokens is None


def test_several_attempts_average_within_their_task_first() -> None:
    attempts = [scored(1, True), scored(1, True), scored(2, True), scored(2, False)]
    result = figures(attempts, 10)
    assert result.tasks == 2
    assert result.rate == 0.75
    assert (result.low, result.high) == pass_interval([1.0, 0.5], 4)


def test_attempts_that_agree_tell_of_their_task_and_those_that_do_not_of_more() -> None:
    tasks = range(40)
    once = figures([scored(t, t % 2 == 0) for t in tasks], 10)
    agreed = figures([scored(t, t % 2 == 0) for t in tasks for _ in range(5)], 10)
    mixed = figures([scored(t, n % 2 == t % 2) for t in tasks for n in range(4)], 10)
    assert once.rate == agreed.rate == mixed.rate == 0.5
    assert (agreed.low, agreed.high) == (once.low, once.high) == wilson(0.5, 40)
    assert (mixed.low, mixed.high) == wilson(0.5, 160)


def test_each_category_stands_beside_the_whole() -> None:
    by_category = summarise([scored(1, True), scored(2, False, category="text")], 10)
    assert {key: value.rate for key, value in by_category.items()} == {
        OVERALL: 0.5,
        "chart": 1.0,
        "text": 0.0,
    }
