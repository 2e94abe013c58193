"""Units behind an answer's numbers."""

from pathlib import Path

import pytest

from runner.checks.case import Case
from runner.checks.text import units

FORMS = [
    ("offset 32.25 g", True),
    ("offset = 32.25", True),
    ("The offset is **32.25 grams**.", True),
    ("offset 32.25 g (0.03225 kg)", True),
    ("截距为 32.25 克。", True),
    ("offset: -32.25 g, slope 0.904", True),
    ("offset 32.25 kg", False),
    ("截距为 32.25 千克。", False),
    ("offset 32.25 milligrams", False),
    ("offset 32.25 g, that is 32.25 kg", False),
]


@pytest.mark.parametrize(("answer", "holds"), FORMS)
def test_another_unit_is_another_value(tmp_path: Path, answer: str, holds: bool) -> None:
    case = Case(data=tmp_path, output=tmp_path, answer=answer)
    assert units.expect_unit(case, "g", 32.25, 0.01, "answer: offset") is holds


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("时长 5.37 秒", True),
        ("时长 5.37秒钟（5370 毫秒）", True),
        ("5.37 分钟", False),
        ("5.37 ms", False),
    ],
)
def test_times(tmp_path: Path, answer: str, holds: bool) -> None:
    case = Case(data=tmp_path, output=tmp_path, answer=answer)
    assert units.expect_unit(case, "s", 5.37, 0.03, "answer: length") is holds
