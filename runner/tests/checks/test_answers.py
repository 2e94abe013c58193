"""Final answers as people write them: the number asked for counts, a list of guesses does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from runner.checks import Case
from runner.checks.text import answers, labelled_values, prose
from runner.tests.support.worst_texts import MOST_GROWTH, Reader, growth, repeated


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
    Said("英文版缺两节，中文版缺三节。", True, ["中文"], 3, 0),
    Said("英文版缺两节，中文版缺三节。", False, ["中文"], 2, 0),
    Said("英文版缺一节或两节。", False, ["英文"], 2, 0),
    Said("Two sections are missing in all.", True, ["missing"], 2, 0),
    Said("No sections are missing.", True, ["missing"], 0, 0),
    Said("Done, no problems.", False, ["missing"], 0, 0),
    Said("缺 4 节（1.2、3.1、2.4、10.1）。", True, ["缺"], 4, 0),
    Said("缺 4 节（1.2、3.1、2.4、10.1）。", False, ["缺"], 2.4, 0),
    Said("The hour was 9 or hour 17 (UTC).", False, ["hour"], 9, 0),
    Said("最少总用时：9小时16分钟，即 556 分钟。", True, ["总用时"], 556, 0),
    Said("total: 9 h 16 min", True, expected=556, tolerance=0),
    Said("total: 9 hours and 17 minutes", False, expected=556, tolerance=0),
    Said("The total is 1234.5. Correction: it is 99.", False),
    Said("The total is 99. Correction: it is 1234.5.", True),
    Said("total: 5000 mod 77 = 72", True, expected=72, tolerance=0),
    Said("The total ≡ 1,234,567 (mod 10^9+7).", True, expected=1_234_567, tolerance=0),
    Said("total: 1 234 567 (mod 1 000 000 007)", True, expected=1_234_567, tolerance=0),
    Said("total ≡ 7 (mod 1_234_567)", False, expected=1_234_567, tolerance=0),
    Said("总数模 10⁹+7 等于 1_234_567", True, ["总数"], 1_234_567, 0),
    Said("total ≈ 1.2345 × 10³", True),
    Said("The total is between 1234.5 and 1300.", False),
    Said("The total went 1234.5 → 1300.", False),
    Said("The total is 1234.5012 → 1234.50", True),
    Said("总额约合 12.34 万元，即 123,412.50 元。", True, ["总额"], 123_412.5),
    Said("总额约合 12.34 万元。", False, ["总额"], 123_412.5),
    Said("The worst hour was 14:00–15:00 UTC.", True, ["hour"], 14, 0),
    Said("y' = 0 → x = 1, so the total is y(1) = -2 + 4 + 100 = 102.", True, expected=102),
    Said("total: 5000 mod 77 = 72", False, expected=5000, tolerance=0),
    Said("英文版缺 3 节，中文版缺 1 节。", False, ["英文"], 1, 0, query="1. 标题\n3. 缺"),
    Said("Parts are 4 and 3, of which 2 go, so the total is 5.", True, expected=5, tolerance=0),
    Said("Parts are 4 and 3, of which 2 go, so the total is 5.", False, expected=4, tolerance=0),
    Said("The total is 5, so the mean is 7.", False, ["total"], 7, 0),
    Said("The total is 5 km or so.", True, expected=5, tolerance=0),
    Said("The total: 8,920.44 / 16,598 = 0.54", True, expected=0.54),
    Said("original total: 7.7\nThe total is 5.", True, expected=5, tolerance=0),
    Said("原总数 7。\n现在的总数：5", True, ["总数"], 5, 0),
    Said("The total is 3; the second highest total is 2.", True, expected=3, tolerance=0),
    Said("The total is 14; the second highest total is 3.", False, expected=3, tolerance=0),
    Said("9 of the total were dropped. The total is 151.", True, expected=151, tolerance=0),
    Said(
        "总共 16 节，英文 15 节，中文 12 节，因此英文缺 1 节，中文缺 4 节。", True, ["英文"], 1, 0
    ),
    Said(
        "总共 16 节，英文 15 节，中文 12 节，因此英文缺 1 节，中文缺 4 节。", False, ["英文"], 4, 0
    ),
    Said("total: ∫ (x+1) dx = F(2) - F(1) = 4 - 1.5 = 2.5", True, expected=2.5, tolerance=0),
    Said("original total: 5\nThe total is 7.", False, expected=5, tolerance=0),
    Said("The total is 5 ± 0.01.", True, expected=5, tolerance=0),
    Said("The total is 5 ± 9 (standard deviation).", True, expected=5, tolerance=0),
    Said("y' = 0 → x = ±1, so the total is 5.", True, expected=5, tolerance=0),
    Said("The roots are 1 ± √2; the total is 5.", True, expected=5, tolerance=0),
]


def test_number(subtests: pytest.Subtests) -> None:
    for said in NUMBERS:
        with subtests.test(said=said):
            case = case_of(said.answer, said.query)
            assert (
                answers.number_near(case, said.words, said.expected, said.tolerance) is said.holds
            )
            assertion = case.assertions[0]
            assert assertion["passed"] is said.holds
            assert bool(assertion["message"]) is not said.holds


def test_second_statement_is_refused_where_only_one_is_wanted() -> None:
    case = case_of("The total is 5. The total then comes out at 7.")
    assert answers.number_near(case, ["total"], 5, 0)
    assert not answers.number_near(case, ["total"], 5, 0, is_only=True)


def test_number_of_what_was_removed_is_read_where_it_is_asked_for() -> None:
    case = case_of("9 rows were removed. The rows removed were 9. 140 rows are left.")
    assert answers.number_near(case, ["removed"], 9, 0)
    assert not answers.number_near(case, ["removed"], 140, 0)


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
    ("The strongest quarter was Q2 or Q3.", False),
    ("Strongest: Q2 and Q4", False),
    ("最强 strongest: “Q2”或“Q3”", False),
    ("The strongest was Q2, then Q4.", True),
    ("Q1 10, Q3 20, Q2 40. So the strongest is Q2.", True),
    ("Q1 10, Q2 40, Q3 20, Q4 30 – so the strongest quarter is Q2.", True),
    ("Q1 10, Q3 20, Q2 40. So the strongest is Q3.", False),
    ("The strongest was Q1, so Q2 was the weakest.", False),
    ("", False),
]


def test_name(subtests: pytest.Subtests) -> None:
    for answer, holds in NAMES:
        with subtests.test(answer=answer, holds=holds):
            spellings, rivals = ["Q2", "second quarter"], ["Q1", "Q3", "Q4"]
            assert answers.name_given(case_of(answer), spellings, rivals, ["strongest"]) is holds


COUNTS = [
    ("Norway 52, Sweden 20. Since Sweden has most places, the answer is 20.", 20),
    ("先看时长：有104部；再看打分：有103部；两个条件同时满足的共有28部。", 28),
    ("其余27部略。满足条件的电影总数：28部，约占全部800部的3.5%。", 28),
    ("27 films are long, 28 films are good.", None),
    ("28 of the 400 films are long and good.", 28),
    ("400部电影中有28部符合条件。", 28),
    ("400 films, 104 films are long, 103 films are good, **28 films** are both.", 28),
    ("28 films\n1. The Well\n2. The Attic\nthe other 26 films are left out", 28),
    ("**28 films** are long, **27 films** are good.", None),
    ("28 films\nalternatively 27 films", None),
    ("影片数量是28部（总共400部）。", 28),
    ("影片数量共28部（总共400部）。", 28),
    ("**28**, alternatively 27 films or 26 films", None),
    ("The answer is 20. The answer is 28.", None),
    ("Norway 52, so it is perhaps 20.", None),
]


def test_count_is_that_of_the_conclusion(subtests: pytest.Subtests) -> None:
    for answer, count in COUNTS:
        with subtests.test(answer=answer, count=count):
            found = labelled_values.counted(answer, ["部", "films", "women"], ["共", "总数"])
            assert set(found) == ({count} if count else set(found))
            assert (len(set(found)) == 1) is (count is not None)


SETTLED = [
    ("Entertainment 27, Games 9, Sports 4, Music 35. Exact type: Music", True),
    ("Music first; Games 9, Sports 4, Comedy 3. Answer: Games", False),
    ("Entertainment 27, Music 35. Answer: Music. Answer: Entertainment", False),
    ("Music; Games is just as likely.", False),
    ("Music, perhaps because of its fans; Games follow.", True),
]


def test_name_is_that_of_the_conclusion(subtests: pytest.Subtests) -> None:
    for answer, holds in SETTLED:
        with subtests.test(answer=answer, holds=holds):
            rivals = ["Entertainment", "Games", "Sports", "Comedy"]
            assert (
                labelled_values.expect_settled(case_of(answer), "type", ["Music"], rivals) is holds
            )


DATES = [
    ("Peak: 2025-03-14\nTrough: 2025-05-02", True),
    ("The fall went from the peak on 2025-03-14 to the trough on 2025-05-02.", True),
    ("Peak: 2025-05-02", False),
    ("Peak: 14 March 2025", False),
    ("Peak: 2025-03-14\nThe peak may also be 2025-03-15.", False),
    ("Peak: 2025-03-14, 2025-03-15, 2025-03-16, 2025-03-17", False),
    ("Peak: 2025-03-14, 2025-03-15", False),
    ("Peak: 2025-03-14 or 2025-03-15", False),
    ("Peak: 2025-03-14, trough: 2025-05-02", True),
    ("", False),
]


def test_date(subtests: pytest.Subtests) -> None:
    for answer, holds in DATES:
        with subtests.test(answer=answer, holds=holds):
            assert answers.date_near(case_of(answer), ["peak"], "2025-03-14") is holds


LABELS = {"one": ["a", "x y"], "other": ["b"]}
READERS = [
    Reader(
        "a figure for each label",
        lambda text: labelled_values.stretches(text, LABELS),
        100_000,
        {
            "blank lines": repeated("\n", "x", "x"),
            "mentions": repeated("a b "),
            "spaces": repeated(" ", "x", "x"),
        },
    ),
    Reader(
        "keywords",
        lambda text: prose.english_keywords(text, 10),
        100_000,
        {"open tags": repeated("<"), "open tags with words": repeated("<word ")},
    ),
]


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        pytest.param(reader, text, id=f"{reader.name}-{text}")
        for reader in READERS
        for text in reader.texts
    ],
)
def test_worst_answers_take_time_in_proportion(reader: Reader, text: str) -> None:
    assert growth(reader, reader.texts[text]) <= MOST_GROWTH
