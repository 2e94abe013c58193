"""Prose answers: what counts as telling a point, as a list, as a summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.checks.case import Case
from runner.checks.text import prose

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
    prose.expect_summary(case, SOURCE, POINTS, least)
    return [str(a["name"]) for a in case.assertions if not a["passed"]]


def test_a_summary_that_tells_its_points_in_sentences_passes() -> None:
    assert failed(GOOD) == []
    chinese = "报告认为饲料业务稳步增长。生猪养殖继续降本增效，毛利率有所改善，现金流也好于去年。"
    assert failed(chinese * 2 + "维持“买入”评级。") == []


def test_silence_lists_praise_and_copies_are_no_summary(subtests: pytest.Subtests) -> None:
    for answer, fault in [
        ("", "answer: length"),
        ("feed pig buy cost reduction", "answer: length"),
        ("feed pig cost reduction buy total mean result file chart " * 3, "answer: in sentences"),
        ("The report is long. It is well written and it has many pages. " * 3, "answer: tells"),
        (SOURCE * 4, "answer: length"),
    ]:
        with subtests.test(answer=answer, fault=fault):
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
    assert prose.items_of(answer) == items


def test_english_keywords_are_the_frequent_words_that_carry_something() -> None:
    text = "The team won the cup. The team's cup, <br/> a cup for the team and the town."
    assert prose.english_keywords(text, 3) == ["team", "cup", "won"]


SAID = {"open": ["release"], "scale": ["70B"], "cost": ["cost&down"], "cycle": ["周期&反转"]}


def test_a_clause_that_does_not_deny_a_point_states_it(subtests: pytest.Subtests) -> None:
    for answer, is_stated in [
        ("The authors release it to all.", ["open"]),
        ("They not only release it, but also explain it.", ["open"]),
        ("Sizes go up to 70B. Costs come down.", ["scale", "cost"]),
        ("猪周期有望逐步反转。", ["cycle"]),
        ("- **Release**: they release the weights", ["open"]),
        ("They never release it.", []),
        ("The weights aren't released.", []),
        ("猪周期并未反转。", []),
        ("release, 70B, cost", []),
        ("Down go the sales and the cost.", []),
    ]:
        with subtests.test(answer=answer, is_stated=is_stated):
            assert prose.told_points(answer, SAID)[0] == is_stated


FIGURES = "Revenue rose to 141,703.4 million yuan, by 16.78 %, with 9,300 staff in 2023."


def test_figures_of_a_summary_stand_in_its_source(subtests: pytest.Subtests) -> None:
    for answer, is_own in [
        ("In 2023 it took 1417.03 (亿元).", True),
        ("It rose by 16.8 % to 141.7 billion.", True),
        ("It rose by about 17 % in 3 units.", True),
        ("It has ９３００ staff, 9,300 in all.", True),
        ("It says nothing in figures.", True),
        ("The table is in section 5.1, on page 13.", True),
        ("It is measured 0-shot by pass@100 on page 77, in Table 2.31.", True),
        ("70亿参数。", False),
        ("It rose by 21.3 %.", False),
        ("It has 93000 staff in 2032.", False),
        ("It rose by 15 or 16.78 or 36 %.", False),
    ]:
        with subtests.test(answer=answer, is_own=is_own):
            case = Case(Path("/data"), Path("/output"), answer)
            prose.expect_own_figures(case, FIGURES)
            assert all(a["passed"] for a in case.assertions) is is_own, case.assertions


@pytest.mark.parametrize(
    ("source", "answer", "is_own"),
    [
        ("Its 7 billion and 70B parameters", "参数为70亿和 700 亿", True),
        ("参数为70亿和 700 亿", "It has 7.0 billion and 70 billion parameters", True),
        ("Its 7 billion parameters", "参数为700亿", False),
    ],
)
def test_hundreds_of_millions_are_read_as_billions(source: str, answer: str, is_own: bool) -> None:
    case = Case(Path("/data"), Path("/output"), answer)
    prose.expect_own_figures(case, source)
    assert all(a["passed"] for a in case.assertions) is is_own, case.assertions


THINGS = {
    "margin": "profit margin|利润率",
    "profit": r"\bprofit\b|利润",
    "sales": r"\bsales\b|营收",
}


def test_a_percentage_belongs_to_the_name_that_it_is_said_of(subtests: pytest.Subtests) -> None:
    for text, said in [
        ("sales rose 7 %, profit 16.8 percent", [(7, "sales"), (16.8, "profit")]),
        ("on 7% sales growth, profit rose by 17%", [(7, "sales"), (17, "profit")]),
        ("sales rose 7% against 17% profit growth", [(7, "sales"), (17, "profit")]),
        ("sales and profit rose by 7% and 17% respectively", [(7, "sales"), (17, "profit")]),
        ("营收和利润分别增长7%、17%", [(7, "sales"), (17, "profit")]),
        ("17%的利润增长", [(17, "profit")]),
        ("利润 4 亿元, 增长17%(利润率提高2个百分点)", [(17, "profit"), (2, "margin")]),
        ("profit fell.\n+17%", [(17, "")]),
        ("profit rose by 17 million", []),
    ]:
        with subtests.test(text=text, said=said):
            assert prose.percentages(text, THINGS) == said


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [("Ann was robbed by Bob.", True), ("**Ann** robbed Bob.", False), ("", True)],
)
def test_what_the_source_tells_the_other_way_is_no_part_of_a_summary(
    answer: str, is_right: bool
) -> None:
    case = Case(Path("/data"), Path("/output"), answer)
    prose.expect_not_contradicted(case, [r"ann robbed bob"])
    assert [a["passed"] for a in case.assertions] == [is_right]
