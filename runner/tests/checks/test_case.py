"""Message of a check about two lists that are not the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runner.checks import Case
from runner.checks.case import ITEM_CHARS, SHOWN_CHARS

HERE = Path(__file__).parents[1]
LONG = "word " * 200


def said(actual: object, expected: object, file: str = "page.html") -> str:
    """Message of `Case.equal` about them; "" if it holds."""
    case = Case(HERE, HERE)
    holds = case.equal("terms in order", actual, expected, file)
    [assertion] = case.assertions
    assert assertion["passed"] is holds is (actual == expected)
    return str(assertion["message"])


def test_lists_of_two_lengths(subtests: pytest.Subtests) -> None:
    for actual, expected, says in [
        ("ab", "abc", "expected 3 items, found 2; the first that is missing is no. 3, “c”."),
        ("ac", "abc", "expected 3 items, found 2; the first that is missing is no. 2, “b”."),
        ("d", "abcd", "expected 4 items, found 1; the first that is missing is no. 1, “a”."),
        ("ab", "aab", "expected 3 items, found 2; the first that is missing is no. 2, “a”."),
        ("", "a", "expected 1 item, found none; the first that is missing is no. 1, “a”."),
        ("abcd", "abc", "expected 3 items, found 4; the first too many is no. 4, “d”."),
        ("axbc", "abc", "expected 3 items, found 4; the first too many is no. 2, “x”."),
        ("a", "", "expected 0 items, found 1; the first too many is no. 1, “a”."),
        (
            "ax",
            "abc",
            "expected 3 items, found 2; the first that differs is no. 2: expected “b”, found “x”.",
        ),
        (
            "ba",
            "abc",
            "expected 3 items, found 2; the first that differs is no. 1: expected “a”, found “b”.",
        ),
    ]:
        with subtests.test(actual=actual, expected=expected, says=says):
            assert said(list(actual), list(expected)) == f"page.html, terms in order: {says}"


def test_lists_of_one_length() -> None:
    assert said([1, 2, 3.25], [1, 2, 3.5]) == (
        "page.html, terms in order, no. 3: expected “3.5”, found “3.25”."
    )


def test_without_a_file_it_is_the_answer() -> None:
    assert said(["a"], ["a", "b"], file="") == (
        "the answer, terms in order: expected 2 items, found 1; "
        "the first that is missing is no. 2, “b”."
    )


@pytest.mark.parametrize(("actual", "expected"), [([], []), (["a", ["b"]], ["a", ["b"]])])
def test_the_same_lists_are_no_fault(actual: list[Any], expected: list[Any]) -> None:
    assert said(actual, expected) == ""


def test_long_items_leave_the_sentence_whole() -> None:
    message = said([LONG, "b"], [f"other {LONG}"])
    assert len(message) < SHOWN_CHARS
    assert message.endswith(f"found “{LONG[: ITEM_CHARS - 1]}…”.")


def test_rows_are_items() -> None:
    """Items that have no hash, such as the rows of a table."""
    assert said([["x", 1]], [["x", 1], ["y", 2]]) == (
        "page.html, terms in order: expected 2 items, found 1; "
        "the first that is missing is no. 2, “['y', 2]”."
    )
