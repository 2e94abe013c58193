# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Two to the power of a thousand, digit by digit."""

from runner.checks import Case
from runner.checks.text import answers

INDEX = "134"
TITLE = "二的一千次方"
CATEGORY = "maths"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "An integer is asked for: all its digits must stand in the answer; grouping by blanks or commas is fine, a rounded power of ten is not."


def check(case: Case) -> None:
    import re

    digits = re.sub(r"(?<=\d)(?:[\s,_]+|[.·'’])(?=\d)", "", answers.folded(case.answer))
    long = set(re.findall(r"\d{30,}", digits))
    expected = str(2**1000)
    long -= set(re.findall(r"(\d{30,})(?:位|digits)", digits))  # how many digits there are
    case.expect("answer: an integer in full", long, "one long integer", f"{len(long)} of them")
    case.expect(
        "answer: its digits",
        long == {expected},
        f"{expected[:12]}…{expected[-12:]} ({len(expected)} digits)",
        ", ".join(f"{n[:12]}…{n[-12:]} ({len(n)} digits)" for n in sorted(long)) or "no integer",
        message="The answer does not give the 302 digits of the power, and them alone.",
    )


REFERENCE = {
    "cells": ["print('power:', 2**1000)\nprint(len(str(2**1000)))"],
    "answer": "2 的 1000 次方是 «power»（共 302 位）。",
}
WRONG = {
    "floating-point": {
        "why": "computes in floating point and prints sixteen right digits",
        "cells": ["print('power:', 2.0**1000)"],
        "answer": "2 的 1000 次方是 «power»。",
    },
    "numpy-overflow": {
        "why": "lets 64-bit integers overflow",
        "cells": ["import numpy as np\nprint('power:', np.power(np.int64(2), 1000))"],
        "answer": "2 的 1000 次方是 «power»。",
    },
    "neighbouring-power": {
        "why": "multiplies once too often",
        "cells": ["value = 1\nfor _ in range(1001):\n    value *= 2\nprint('power:', value)"],
        "answer": "2 的 1000 次方是 «power»。",
    },
}
