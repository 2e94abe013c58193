"""The local extrema of a cubic that has none."""

from runner.checks import Case

INDEX = "138"
TITLE = "三次函数的极值"
CATEGORY = "maths"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "The derivative has no real root, so the right answer is that there are none, in any language; the reason need not be given."


def check(case: Case) -> None:
    import re

    text = re.sub(r"[*`$\\]", "", case.answer.lower())
    kinds = r"(?:local |real |relative )*(?:maxim\w*|minim\w*|extrem\w*|turning points?)"
    says_none = [
        rf"\bno {kinds}",
        rf"(?:does not|doesn't|do not|did not) have (?:any )?{kinds}",
        rf"has neither (?:a )?{kinds}",
        rf"there (?:are|is) (?:no|not any) {kinds}",
        rf"without (?:any )?{kinds}",
        r"(?:没有|不存在|无)(?:任何|实数|局部|实)*(?:的)?极[大小]?值?点?",
        r"极[大小]?值点?(?:和极小值)?(?:都|均)?(?:不存在|没有)",
    ]
    claims = [
        rf"{kinds}(?: value| point)?s? (?:is|are|at|of|occurs?|=)[^a-z]{{0,12}}-?\d",
        r"极[大小]值点?(?:为|是|在|等于|:|：|=)\s*[^没无不]{0,8}-?\d",
    ]
    found = next((m[0] for p in says_none if (m := re.search(p, text))), "")
    claimed = next((m[0] for p in claims if (m := re.search(p, text))), "")
    case.expect(
        "answer: there is none",
        found,
        "no local maximum and no local minimum",
        case.answer[:200],
        message="The answer does not say that the function has no local extremum.",
    )
    case.expect(
        "answer: claims none",
        not claimed,
        "no value given for one",
        claimed or "none given",
        message=f"The answer claims an extremum: {claimed}.",
    )


REFERENCE = {
    "cells": [
        """
import sympy as sp

x = sp.symbols("x", real=True)
f = x**3 + 2 * x**2 + 3 * x + 4
print(sp.diff(f, x), sp.solve(sp.diff(f, x), x), sp.discriminant(sp.diff(f, x), x))
""",
    ],
    "answer": "导函数 3x^2+4x+3 的判别式为负，恒大于零，函数单调递增，因此没有极大值，也没有极小值。",
}
WRONG = {
    "inflection-taken-for-it": {
        "why": "takes the point of inflection for an extremum",
        "cells": [
            "import sympy as sp\nx = sp.symbols('x')\nf = x**3 + 2*x**2 + 3*x + 4\np = sp.solve(sp.diff(f, x, 2), x)[0]\nprint(p, f.subs(x, p))"
        ],
        "answer": "极小值为 2.59，在 x = -2/3 处取得；极大值不存在。",
    },
    "interval-ends": {
        "why": "gives the largest and smallest value on an interval of its own choice",
        "cells": [
            "import numpy as np\nx = np.linspace(-10, 10, 1001)\ny = x**3 + 2*x**2 + 3*x + 4\nprint(y.max(), y.min())"
        ],
        "answer": "The local maximum is 1234 and the local minimum is -826.",
    },
    "complex-points": {
        "why": "reports the complex critical points as extrema",
        "cells": ["import sympy as sp\nx = sp.symbols('x')\nprint(sp.solve(3*x**2 + 4*x + 3, x))"],
        "answer": "极值点为 x = -2/3 ± √5 i/3，代入得到两个极值。",
    },
}
