"""Prose answers: what counts as telling a point, as a list, as a summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.checks import texts
from runner.checks.case import Case

POINTS = {
    "feed": ["feed", "饲料"],
    "pigs": ["pig", "生猪"],
    "costs": ["cost reduction", "降本"],
    "rating": ["buy", "买入"],
}
SOURCE = "the report says much about feed, pigs, cost reduction and the rating " * 20
GOOD = (
    "The report expects feed sales to grow and the pig cycle to turn. "
    "Cost reduction goes on, so the rating stays buy for the year to come."
)


def failed(answer: str, least: int = 3) -> list[str]:
    case = Case(Path("/data"), Path("/output"), answer)
    texts.expect_summary(case, SOURCE, POINTS, least)
    return [str(a["name"]) for a in case.assertions if not a["passed"]]


def test_a_summary_that_tells_its_points_in_sentences_passes() -> None:
    assert failed(GOOD) == []
    chinese = "报告认为饲料业务稳步增长。生猪养殖继续降本增效，毛利率有所改善，现金流也好于去年。"
    assert failed(chinese * 2 + "维持“买入”评级。") == []


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("", "answer: length"),
        ("feed pig buy cost reduction", "answer: length"),
        ("feed pig cost reduction buy total mean result file chart " * 3, "answer: in sentences"),
        ("The report is long. It is well written and it has many pages. " * 3, "answer: tells"),
        (SOURCE * 4, "answer: length"),
    ],
)
def test_silence_lists_praise_and_copies_are_no_summary(answer: str, fault: str) -> None:
    assert any(name.startswith(fault) for name in failed(answer))


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        ("关键词：啤酒、营收，净利", ["啤酒", "营收", "净利"]),
        ("1. 啤酒\n2. 营收\n- 净利", ["啤酒", "营收", "净利"]),
        ("The keywords are: 'beer', 'sales'.", ["beer", "sales"]),
        ("", []),
    ],
)
def test_the_entries_of_a_list_are_read_without_marks_and_lead(
    answer: str, items: list[str]
) -> None:
    assert texts.items_of(answer) == items


def test_english_keywords_are_the_frequent_words_that_carry_something() -> None:
    text = "The team won the cup. The team's cup, <br/> a cup for the team and the town."
    assert texts.english_keywords(text, 3) == ["team", "cup", "won"]
