# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A parabola's curve and its highest value."""

import re

from runner.checks import Case
from runner.checks.charts import figures, unnoted
from runner.checks.text import answers

INDEX = "73"
TITLE = "A parabola and its maximum"
CATEGORY = "chart"
OUTPUTS = ["73.png"]
NOTE = "The curve may be drawn over any range that holds its top."


def check(case: Case) -> None:

    def curve(x):
        return -2 * x * x + 4 * x + 100

    figure = figures.read(case, "73.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 1, "the curve")
    else:
        expect_curve(case, figure, curve)
    answers.number_near(
        case,
        [
            "max",
            "at most",
            "最大",
            "highest",
            "largest",
            "greatest",
            "peak",
            "vertex",
            "top",
            "exceed",
            "upper bound",
            "≤",
            "<=",
            "\\le",
            "顶点",
            "最高",
            "上界",
        ],
        curve(1),
        1e-6,
        "answer: the highest value",
    )
    denied = re.search(
        r"\b(?:has|have|is|there's) no (?:\w+ )?max(?:imum)?\b(?! (?:other|above|beyond|greater))"
        r"|beyond all bounds|unbounded above|(?:没有|无|不存在)(?:上界|最大值)(?!以外)",
        answers.folded(case.answer),
    )
    case.expect(
        "answer: that there is one",
        not denied,
        "a highest value",
        denied[0] if denied else "so",
        message="The answer says that y has no highest value.",
    )
    exchanged = re.search(r"\(\s*102(?:\.0*)?\s*,\s*1(?:\.0*)?\s*\)", answers.folded(case.answer))
    case.expect(
        "answer: the top's coordinates",
        not exchanged,
        "x, then y",
        exchanged[0] if exchanged else "as expected",
        message="The answer gives the top's height as its place along x.",
    )


def expect_curve(case: Case, figure: figures.Figure, curve) -> None:
    import numpy as np

    lines = [
        (np.asarray(line.x), np.asarray(line.y))
        for axes in figure.panels
        for line in axes.lines
        if len(line.y) >= 20
    ]
    hits = [
        x
        for x, y in lines
        if x.min() < 1 < x.max() and np.allclose(y, curve(x), atol=0.01 * (np.ptp(y) + 1e-9))
    ]
    case.expect(
        "the curve of y",
        hits,
        "y over a range around its top",
        f"{len(lines)} other curves",
        "73.png",
        "73.png does not show the curve of y around its top.",
    )


REFERENCE = {
    "cells": [
        """
import numpy as np
import matplotlib.pyplot as plt

x = np.linspace(-10, 12, 500)
y = -2 * x * x + 4 * x + 100
fig, ax = plt.subplots(figsize=(8, 5))
ax.plot(x, y)
ax.plot([1], [102], "o")
ax.set_title("y = -2x² + 4x + 100")
ax.set_xlabel("x")
ax.set_ylabel("y")
fig.savefig("output/73.png")
import sympy as sp
t = sp.symbols("t")
f = -2 * t**2 + 4 * t + 100
print("top:", f.subs(t, sp.solve(sp.diff(f, t), t)[0]))
""",
    ],
    "answer": "The max value of y is «top». The curve is saved in ./output/73.png.",
}
WRONG = {
    "constant-term": {
        "why": "takes the constant term for the highest value",
        "cells": [
            "import numpy as np, matplotlib.pyplot as plt\nx = np.linspace(-10, 10, 200)\nplt.plot(x, -2*x*x + 4*x + 100)\nplt.savefig('output/73.png')"
        ],
        "answer": "The max value of y is 100.",
    },
    "sign-lost": {
        "why": "draws the parabola the wrong way up",
        "cells": [
            "import numpy as np, matplotlib.pyplot as plt\nx = np.linspace(-10, 10, 200)\nplt.plot(x, 2*x*x + 4*x + 100)\nplt.savefig('output/73.png')"
        ],
        "answer": "The max value of y is 102.",
    },
    "coarse-grid": {
        "why": "reads the highest value off a coarse grid that misses the top",
        "cells": [
            "import numpy as np, matplotlib.pyplot as plt\nx = np.linspace(-10, 10, 200)\ny = -2*x*x + 4*x + 100\nplt.plot(x, y)\nplt.savefig('output/73.png')\nprint('top:', round(y.max(), 3))"
        ],
        "answer": "The max value of y is «top».",
    },
}
