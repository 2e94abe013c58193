# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The ten-thousandth harmonic number to ten decimals."""

from runner.checks import Case
from runner.checks.text import answers, conclusions

INDEX = "135"
TITLE = "倒数之和，十位小数"
CATEGORY = "maths"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "The value must be rounded to ten decimals; a trailing zero may be left out. The longer value may stand beside it, not instead of it."
WORDS = [
    "和",
    "sum",
    "总和",
    "结果",
    "result",
    "答案",
    "answer",
    "≈",
    "=",
    "about",
    "approximately",
]


def check(case: Case) -> None:
    import re
    from decimal import ROUND_HALF_UP, Decimal, getcontext

    getcontext().prec = 40
    total = sum(Decimal(1) / n for n in range(1, 10001))
    expected = total.quantize(Decimal("1e-10"), ROUND_HALF_UP)
    answers.number_near(case, WORDS, float(expected), 5.1e-11, "answer: the sum", concludes=True)
    text = answers.folded(case.answer)
    written = re.findall(r"(?<![\d.])9\.\d+", conclusions.concluded(text) or text)
    right = {str(expected), str(expected).rstrip("0")}
    strange = [text for text in written if not is_rounding(Decimal(text), total)]
    case.expect(
        "answer: to ten decimals",
        any(text in right for text in written) and not strange,
        str(expected),
        ", ".join(written[:4]) or "no such number",
    )


def is_rounding(value, total) -> bool:
    """True if `value` is the sum to as many decimals as it has, or to as many as a float gives."""
    from decimal import ROUND_HALF_UP, Decimal

    decimals = -value.as_tuple().exponent
    off = Decimal(1).scaleb(-13) if decimals > 12 else Decimal(0)
    return abs(value - total.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)) <= off


REFERENCE = {
    "cells": [
        """
from fractions import Fraction
import math

total = math.fsum(1 / n for n in range(1, 10001))
print(f"total: {total:.10f}")
""",
    ],
    "answer": "1 到 10000 的倒数之和约为 «total»。",
}
WRONG = {
    "four-decimals": {
        "why": "rounds to four decimals instead of ten",
        "cells": ["print('total:', round(sum(1 / n for n in range(1, 10001)), 4))"],
        "answer": "倒数之和约为 «total»。",
    },
    "last-term-left-out": {
        "why": "stops at 9999, as a range does",
        "cells": ["print(f'total: {sum(1 / n for n in range(1, 10000)):.10f}')"],
        "answer": "倒数之和约为 «total»。",
    },
    "single-precision": {
        "why": "adds up in single precision",
        "cells": [
            "import numpy as np\nterms = np.float32(1) / np.arange(1, 10001, dtype=np.float32)\n"
            "total = np.float32(0)\nfor term in terms:\n    total += term\nprint(f'total: {total:.10f}')"
        ],
        "answer": "倒数之和约为 «total»。",
    },
}
