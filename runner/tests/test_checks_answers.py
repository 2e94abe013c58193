"""Final answers as people write them: the number asked for counts, a list of guesses does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from runner.checks import Case, answers


def case_of(answer: str, query: str = "") -> Case:
    return Case(Path("/nowhere"), Path("/nowhere"), answer, query)


@dataclass(frozen=True)
class Said:
    answer: str
    holds: bool
    words: list[str] = field(default_factory=lambda: ["total"])
    expected: float = 1234.5
    tolerance: float = 0.01
    query: str = "Sum the 12 months of 2024."


NUMBERS = [
    Said("The total is 1234.5.", True),
    Said("Total: 1,234.50 EUR", True),
    Said("**Total:** `1234.50`", True),
    Said("Total:\n1234.5", True),
    Said("1234.5", True),
    Said("I summed the 12 months of 2024.\nThe total comes to € 1,234.5 over 7 shops.", True),
    Said("The mean is 99.1 and the total is 1234.5", True),
    Said("Mean: 99.1, total: 1234.5, maximum: 400", True),
    Said("合计：１２３４．５元", True, ["合计"]),
    Said("费用总额为1,234.50元，其中差旅99元。", True, ["总额"]),
    Said("共12万元", True, ["共"], 120_000),
    Said("The total fell to −3 degrees.", True, expected=-3),
    Said("The total is 5,123 and no more.", True, expected=5123),
    Said("$1234.5$ is the total", True),
    Said("The worst hour was 14:00 UTC.", True, ["hour"], 14, 0),
    Said("", False),
    Said("Done.", False),
    Said("The total is 1234.6.", False),
    Said("The total is 12345.", False),
    Said("The total is 234.5.", False),
    Said("The total is 1234.5 or 1300.", False),
    Said("合计是1200或1234.5。", False, ["合计"]),
    Said("The total is one of 1, 2, 3, 4, 5, 6, 1234.5.", False),
    Said("Nothing to say on that: 1234.5 and 77 and 88.", False),
    Said("total " + " ".join(str(n) for n in range(2000)), False),
    Said("The total of item1234.5x is unknown.", False),
    Said("12 e-mails and 9 phone numbers", True, ["mail"], 12, 0),
    Said("12 e-mails and 9 phone numbers", False, ["mail"], 9, 0, query=""),
    Said("12 e-mails and 9 phone numbers", True, ["phone"], 9, 0),
    Said("E-mail addresses: 12, phone numbers: 9", False, ["phone"], 12, 0),
    Said("英文版缺1节，中文版缺3节。", True, ["中文"], 3, 0),
    Said("英文版缺1节，中文版缺3节。", False, ["中文"], 1, 0),
    Said("There are 12 of them, total 12.", True, expected=12, query="12?"),
]


@pytest.mark.parametrize("said", NUMBERS, ids=lambda said: said.answer[:40])
def test_number(said: Said) -> None:
    case = case_of(said.answer, said.query)
    assert answers.number_near(case, said.words, said.expected, said.tolerance) is said.holds
    assertion = case.assertions[0]
    assert assertion["passed"] is said.holds
    assert bool(assertion["message"]) is not said.holds


def test_either_sign() -> None:
    case = case_of("Drawdown: -12.34 %")
    assert answers.number_near(case, ["drawdown"], 12.34, 0.01, either_sign=True)
    assert not answers.number_near(case, ["drawdown"], 12.34, 0.01)


NAMES = [
    ("The strongest quarter was Q2.", True),
    ("Q1: 10\nQ2: 40\nQ3: 20\nQ4: 30\nStrongest: Q2", True),
    ("Strongest quarter:\n**Q2**", True),
    ("Q2 is the strongest, ahead of Q4.", True),
    ("Q2", True),
    ("The second quarter was the strongest.", True),
    ("Strongest: Q3. Q2: 40", False),
    ("Q1, Q2, Q3 or Q4 is the strongest.", False),
    ("The strongest quarter is in the chart.", False),
    ("", False),
]


@pytest.mark.parametrize(("answer", "holds"), NAMES)
def test_name(answer: str, holds: bool) -> None:
    spellings, rivals = ["Q2", "second quarter"], ["Q1", "Q3", "Q4"]
    assert answers.name_given(case_of(answer), spellings, rivals, ["strongest"]) is holds


DATES = [
    ("Peak: 2025-03-14\nTrough: 2025-05-02", True),
    ("The fall went from the peak on 2025-03-14 to the trough on 2025-05-02.", True),
    ("Peak: 2025-05-02", False),
    ("Peak: 14 March 2025", False),
    ("Peak: 2025-03-14\nThe peak may also be 2025-03-15.", False),
    ("Peak: 2025-03-14, 2025-03-15, 2025-03-16, 2025-03-17", False),
    ("", False),
]


@pytest.mark.parametrize(("answer", "holds"), DATES)
def test_date(answer: str, holds: bool) -> None:
    assert answers.date_near(case_of(answer), ["peak"], "2025-03-14") is holds
