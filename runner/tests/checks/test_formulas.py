"""Formulas in answers: what is read as the asked-for one, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.checks.case import Case
from runner.checks.text import formulas

WORDS = ["second derivative", "二阶", "y''"]


def second(x: float) -> float:
    return 2 / (x + 1) ** 3


def passes(answer: str) -> bool:
    case = Case(Path("/data"), Path("/output"), answer)
    assert formulas.given(case, WORDS, second) is bool(case.assertions[-1]["passed"])
    return bool(case.assertions[-1]["passed"])


def test_the_right_formula_is_read_in_any_writing(subtests: pytest.Subtests) -> None:
    for answer in [
        "The second derivative of y=2x+1+1/(x+1) is 2/(x + 1)^3.",
        "二阶导数为 2/(x+1)**3",
        "y'' = $\\frac{2}{(x+1)^{3}}$",
        "y'' = \\dfrac{2}{(1+x)^3}, x \\neq -1",
        "The second derivative is 2(x+1)^(-3), defined where x+1 ≠ 0.",
        "y' = 2 - 1/(x+1)²\n所以二阶导 y'' = 2/(x+1)³",
        "2/(x**3 + 3*x**2 + 3*x + 1)",
        "y″ = 2⁄(x + 1)³（x ≠ −1）",
    ]:
        with subtests.test(answer=answer):
            assert passes(answer)


def test_other_formulas_lists_and_code_are_refused(subtests: pytest.Subtests) -> None:
    for answer in [
        "",
        "The second derivative is easy.",
        "The second derivative is -2/(x+1)^3.",
        "二阶导数为 2-1/(x+1)^2",
        "y'' = 2/(x+1)^2",
        "The second derivative is __import__('os').system('x')",
        "x x+1 1/x 2/x 2/(x+1) 2/(x+1)^2 2/(x+1)^3 3/(x+1)^3 x^2 x^3 x^4 x^5 x^6 x^7",
        "y'' = 2**999999999*x",
    ]:
        with subtests.test(answer=answer):
            assert not passes(answer)


def test_a_fraction_counts_as_its_value(subtests: pytest.Subtests) -> None:
    for answer, holds in [
        ("The integral is 5/2.", True),
        ("The integral is $\\frac{5}{2}$.", True),
        ("积分为 2.5", True),
        ("The integral is F(2) − F(1) = 4 − 1.5 = **2.5**", True),
        ("**The integral** is 4 − 3/2 = **5/2**.", True),
        ("The integral is 5/3.", False),
        ("The integral is 1/0.", False),
    ]:
        with subtests.test(answer=answer, holds=holds):
            case = Case(Path("/data"), Path("/output"), answer)
            assert formulas.number_near(case, ["integral", "积分"], 2.5, 1e-9) is holds
