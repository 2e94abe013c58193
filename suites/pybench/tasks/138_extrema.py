# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The local extrema of a cubic that has none."""

from runner.checks import Case
from runner.checks.text import answers

INDEX = "138"
TITLE = "三次函数的极值"
CATEGORY = "maths"
LANGUAGE = "zh"
OUTPUTS = []
GUESSABLE = "The right answer is that there is none, which a guess may say as well."
NOTE = "The derivative has no real root, so the right answer is that there are none, in any language; the reason need not be given."


KINDS = r"(?:local |real |relative )*(?:maxim\w*|minim\w*|extrem\w*|turning points?)"
ANY = r"(?:maxim|minim|extrem|turning point)"
SAYS_NONE = [
    r"\bno (?:local |real |relative )*(?:extrem\w*|turning points?)",
    rf"\bno {KINDS}(?: values?| points?)?(?:,? (?:and|or|nor)|,)(?: no)? {KINDS}",
    rf"(?:does not|doesn't|do not|did not|cannot) have (?:any )?(?:{KINDS} (?:or|nor|and) )?{KINDS}",
    rf"neither (?:a |any )?{KINDS}[^.\n]{{0,20}} nor (?:a |any )?{KINDS}",
    r"(?:has|have) no (?:\w+ )?extrem",
    r"there (?:are|is) (?:no|not any|none)[^.\n]{0,20}extrem",
    r"without (?:any )?(?:local )?extrem",
    r"(?:没有|不存在|无|既没有|既无)(?:任何|实数|局部|实)*(?:的)?极值点?",
    r"(?:既)?(?:没有|不存在|无)(?:任何|局部)?极大值点?(?:和|或|与|及|, ?|也没有|也无|又无|也不存在|又没有|, ?也没有|, ?也无|, ?无|, ?没有|, ?不存在)+(?:任何|局部)?极小值",
    r"极[大小]?值点?(?:和|与|及|, ?)极[大小]值点?(?:都|均|皆)?(?:不存在|没有|无)",
    r"极值点?(?:都|均)?(?:不存在|没有|为空|: ?无)",
    r"^\W*(?:there (?:are|is) )?(?:none|没有|无|不存在|都没有|都不存在)\W*$",
    r"(?:extrem\w*|turning points?)\W{0,4}(?:none|do(?:es)? not exist|don't exist)",
]
NONE_AFTER = [r"\W{0,3}(?:都|均)?(?:为|是)?\W{0,2}(?:不存在|没有|无|none|空|∅|\[\s*\]|\{\s*\})"]
NONE_OF = [
    r"{0}\w*(?: values?| points?)?\W{{0,4}}(?:none|no\b|do(?:es)? not exist|n/a|not exist|empty|∅|\[\s*\])",
    r"(?:no|any|without|neither)(?: a)? (?:local |real |relative )*{0}",
    r"(?:nor|or)(?: an?y?)? (?:local |real |relative )*{0}",
]
NUMBER = r"(?:约|大约|近似|about|approximately|roughly|near|around|≈|=|\s|:)*[xy(]*[\s=≈(]*-?\d"
CLAIMS = [
    rf"{ANY}\w*(?: value| point)?s? (?:is|are|was|at|of|occurs?(?: at)?|near|equals?|exists? (?:at|near)|=|≈)[^a-z.\n]{{0,12}}{NUMBER}",
    rf"{ANY}\w*(?: value| point)?s?\s*[:=≈]\s*{NUMBER}",
    rf"极[大小]值点?(?:分别)?(?:为|是|在|等于|约|取得|:|=|≈){NUMBER}",
    rf"(?:在|at)[^.。,;\n]{{0,20}}(?:取得|有|取到|存在|reaches|has|attains)[^.。,;\n没无不]{{0,12}}(?:极[大小]值|{ANY})",
    rf"(?:reaches|attains|has) (?:its |a |an )?(?:local )?{ANY}\w*[^.\n]{{0,25}}\d",
]


def parts_of(text: str) -> list:
    """Sentences, and what follows "but": a claim may stand beside a denial."""
    import re

    return re.split(r"[\n。;；]+|\.(?=\s|$)|\bbut\b|\bhowever\b|但是?|不过|而", text)


def claims(pattern: str, part: str):
    """The claim in a part of a sentence, unless that very part denies it."""
    import re

    match = re.search(pattern, part)
    before = part[: match.end()] if match else ""
    before = before[1 + before.rfind(",", 0, match.start()) :] if match else ""  # its clause
    denied = re.search(r"没有|不存在|无|\bno\b|\bnot\b|n't|neither|none|would", before)
    return None if denied else match


def check(case: Case) -> None:
    import re

    text = answers.folded(case.answer)
    found = next((m[0] for p in SAYS_NONE if (m := re.search(p, text))), "")
    by_kind = [
        any(re.search(rf"{kind}{p}", text) for p in NONE_AFTER) for kind in ("极大值点?", "极小值点?")
    ] + [
        any(re.search(p.format(kind), text) for p in NONE_OF) for kind in ("maxim", "minim")
    ]  # fmt: skip
    found = found or ("both denied" if all(by_kind[:2]) or all(by_kind[2:]) else "")
    claimed = next((m[0] for part in parts_of(text) for p in CLAIMS if (m := claims(p, part))), "")
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
