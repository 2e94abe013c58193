"""Comparisons in prose: who is said to be ahead of whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.checks.case import Case
from runner.checks.text import comparisons

OURS, BEATEN = r"otter(?:[- ]?2)?", r"open[- ]source \w+|heron|开源模型"
DENIALS = [r"\bno (?:\w+ )?substitute"]


@pytest.mark.parametrize(
    "answer",
    [
        "Otter 2 outperforms all open-source models, but lags behind Kite.",
        "Open-source models are surpassed by Otter; it does better than Heron.",
        "Kite outperforms Otter, which beats Heron.",
        "Heron does not outperform Otter.",
        "Otter not only surpasses Heron, it is free.",
        "The authors compare Otter with open-source models and outperform them.",
        "Open-source models lag behind closed ones. They are no substitute for Kite; Otter may be.",
        "Heron is no substitute for Kite.",
        "Otter 在各项测试上不断超越开源模型，与 Kite 相当。",
        "开源模型被 Otter 超过。它与 Heron 相比，性能优于它们。",
        "It is a report on otters and herons.",
        "",
    ],
)
def test_what_is_told_the_right_way_round_is_no_reversal(answer: str) -> None:
    assert comparisons.reversal(answer, OURS, BEATEN, DENIALS) == ""


@pytest.mark.parametrize(
    "answer",
    [
        "On both tests **Otter 2** is outperformed by the other open-source models.",
        "We test Otter; on most tests it is surpassed by Heron.",
        "Heron outperforms Otter on both.",
        "Otter falls behind open-source models.",
        "Otter is worse than Heron.",
        "Otter does not outperform Heron.",
        "Otter doesn’t beat open-source models.",
        "Otter is no suitable substitute for Kite.",
        "Otter 被开源模型超越。",
        "开源模型优于 Otter。",
        "Otter 不如开源模型。",
        "Otter 没有超过开源模型。",
    ],
)
def test_a_result_told_the_other_way_round_is_a_reversal(answer: str) -> None:
    assert comparisons.reversal(answer, OURS, BEATEN, DENIALS)
    case = Case(Path("/data"), Path("/output"), answer)
    comparisons.expect_not_reversed(case, OURS, BEATEN, DENIALS)
    assert [a["passed"] for a in case.assertions] == [False]


@pytest.mark.parametrize(
    "answer",
    [
        "28 films are longer and better.",
        "Of 400 films, 28 have the most votes.",
        "The fewest votes: 3. The most votes: 28.",
        "Heron has the fewest, and 28 have the most.",
        "28",
        "12",
    ],
)
def test_a_figure_given_for_what_was_asked(answer: str) -> None:
    case = Case(data=Path(), output=Path(), answer=answer)
    comparisons.expect_said_of(case, [28], comparisons.LEAST, comparisons.MOST)
    assert case.assertions[-1]["passed"], answer


@pytest.mark.parametrize(
    "answer",
    [
        "28 films have the fewest votes.",
        "The fewest votes: 28.",
        "Fewest votes:\n28 films",
        "得票最少的有 28 部。",
        "得票排在末位的有 28 部。",
        "Bottom of the table: 28",
        "## The fewest votes\n28",
    ],
)
def test_a_figure_given_for_something_else(answer: str) -> None:
    case = Case(data=Path(), output=Path(), answer=answer)
    comparisons.expect_said_of(case, [28], comparisons.LEAST, comparisons.MOST)
    assert not case.assertions[-1]["passed"], answer


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [
        ("Heron has the fewest and Otter the most votes.", True),
        ("Otter 40 %, Kite 35 %, Heron is the rarest", True),
        ("At least 40 % are Otter. The rarest is Heron.", True),
        ("The rarest pair is Otter, Kite.", True),
        ("The one with fewest votes is Otter; nobody likes it.", False),
        ("Otter (40 votes) is the rarest.", False),
    ],
)
def test_what_is_called_the_rarest_is_not_the_commonest(answer: str, is_right: bool) -> None:
    case = Case(data=Path(), output=Path(), answer=answer)
    least = f"(?<!at ){comparisons.LEAST}"
    comparisons.expect_not_called(case, "Otter", ["Kite", "Heron"], least, comparisons.MOST)
    assert case.assertions[-1]["passed"] == is_right
