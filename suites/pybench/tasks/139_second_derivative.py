# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The second derivative of a rational function."""

from runner.checks import Case
from runner.checks.text import formulas

INDEX = "139"
TITLE = "有理函数的二阶导数"
CATEGORY = "maths"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Any formula in x that has the same values will do, plain or in LaTeX."


def check(case: Case) -> None:
    words = ["二阶", "second", "y''", "y\u2032\u2032", "f''", "d^2"]
    formulas.given(
        case, words, lambda x: 2 / (x + 1) ** 3, "answer: second derivative", "2/(x+1)^3"
    )


REFERENCE = {
    "cells": [
        "import sympy as sp\nx = sp.symbols('x')\nprint('second:', sp.diff(2*x + 1 + 1/(x + 1), x, 2))"
    ],
    "answer": "函数 y=2x+1+1/(x+1) 的二阶导数为 «second»。",
}
WRONG = {
    "first-derivative": {
        "why": "differentiates once",
        "cells": [
            "import sympy as sp\nx = sp.symbols('x')\nprint('second:', sp.diff(2*x + 1 + 1/(x + 1), x))"
        ],
        "answer": "二阶导数为 «second»。",
    },
    "sign-lost": {
        "why": "loses a sign when it differentiates the quotient again",
        "cells": [],
        "answer": "y' = 2 - 1/(x+1)^2，因此二阶导 y'' = -2/(x+1)^3。",
    },
    "power-too-low": {
        "why": "keeps the square in the denominator",
        "cells": [],
        "answer": "The second derivative is $\\frac{2}{(x+1)^{2}}$.",
    },
}
