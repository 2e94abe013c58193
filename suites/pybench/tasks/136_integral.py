# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A definite integral of a line."""

from runner.checks import Case
from runner.checks.text import formulas

INDEX = "136"
TITLE = "一次函数的定积分"
CATEGORY = "maths"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "A decimal or a fraction will do."


def check(case: Case) -> None:
    low, high = 1, 2
    expected = (high**2 - low**2) / 2 + (high - low)
    words = ["积分", "integral", "结果", "result", "∫", "面积", "area"]
    is_spoken = any(word in case.answer.lower() for word in words)
    formulas.number_near(case, words if is_spoken else ["="], expected, 1e-6)


REFERENCE = {
    "cells": [
        "import sympy as sp\nx = sp.symbols('x')\nprint('area:', sp.integrate(x + 1, (x, 1, 2)))"
    ],
    "answer": "f(x) 在 [1, 2] 上的定积分为 «area»，即 2.5。",
}
WRONG = {
    "from-zero": {
        "why": "integrates from zero to two",
        "cells": [
            "from scipy.integrate import quad\nprint('area:', quad(lambda x: x + 1, 0, 2)[0])"
        ],
        "answer": "定积分的结果是 «area»。",
    },
    "left-sum": {
        "why": "takes a coarse left sum for the integral",
        "cells": ["print('area:', sum((1 + i / 10 + 1) / 10 for i in range(10)))"],
        "answer": "定积分的结果是 «area»。",
    },
    "antiderivative-only": {
        "why": "gives the antiderivative at two and forgets the lower limit",
        "cells": ["print('area:', 2**2 / 2 + 2)"],
        "answer": "定积分的结果是 «area»。",
    },
}
