# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The mass of a rod whose density varies along it."""

from runner.checks import Case
from runner.checks.text import answers, formulas

INDEX = "137"
TITLE = "密度不均的金属棒的质量"
CATEGORY = "maths"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Two decimals are asked for: the exact fraction may stand beside them, not instead of them."


WORDS = ["质量", "mass", "m =", "m=", "结果", "kg", "公斤", "千克", "积分", "f(1)", "f(l)"]
MASSES = ("g", "克", "mg", "t", "吨", "lb", "lbs", "gram", "grams", "tonnes", "tons")
NO_MASS = r"[ \t]*((?:cm|mm|m|s|n|km)\b|[元块米升秒牛]|厘米|美元)"


def check(case: Case) -> None:
    import re

    mass = round(2 / 3 + 3 / 2 + 6, 2)
    text = f"{mass:.2f}"
    formulas.number_near(case, WORDS, mass, 0.0051)
    told = answers.folded(case.answer)
    found = [f for f in answers.numbers_in(told) if f"{f.value:.2f}" == text]
    case.expect(
        "answer: to two decimals",
        re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", told),
        text,
        case.answer[:120],
        message=f"The answer does not give the mass to two decimals ({text}).",
    )
    behind = [match[1] for f in found if (match := re.match(NO_MASS, told[f.end :]))]
    strange = [*(f.unit for f in found if f.unit in MASSES), *behind]
    case.expect(
        "answer: in kilograms",
        not strange,
        "kg, or no unit",
        strange[:1] or "right or none",
        message=f"The answer gives the mass in {strange[0] if strange else ''}, it is in kg.",
    )


REFERENCE = {
    "cells": [
        """
import sympy as sp

x = sp.symbols("x")
mass = sp.integrate(2 * x**2 + 3 * x + 6, (x, 0, 1))
print(mass)
print("mass:", f"{float(mass):.2f}")
""",
    ],
    "answer": "金属棒的质量约为 «mass» kg。",
}
WRONG = {
    "density-at-the-end": {
        "why": "takes the density at the far end for the whole rod",
        "cells": ["print('mass:', f'{2 + 3 + 6:.2f}')"],
        "answer": "金属棒的质量约为 «mass» kg。",
    },
    "mean-of-ends": {
        "why": "multiplies the mean of the two end densities by the length",
        "cells": ["print('mass:', f'{(6 + 11) / 2:.2f}')"],
        "answer": "金属棒的质量约为 «mass» kg。",
    },
    "unrounded": {
        "why": "leaves the fraction, though two decimals are asked for",
        "cells": [
            "from fractions import Fraction\nprint('mass:', Fraction(2, 3) + Fraction(3, 2) + 6)"
        ],
        "answer": "金属棒的质量为 «mass» kg。",
    },
}
