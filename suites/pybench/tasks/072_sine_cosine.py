# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Sine and cosine drawn, and what their period is."""

from runner.checks import Case
from runner.checks.charts import figures, shown_names, unnoted

INDEX = "72"
TITLE = "正弦与余弦及其周期"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["72.png"]
NOTE = "Both curves must be drawn over a period or more, in radians or degrees, finely enough to be seen as curves, and the answer must give the period."


def check(case: Case) -> None:
    import numpy as np

    figure = figures.read(case, "72.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 2, "the curves")
        expect_period(case)
        return
    lines = [
        (np.asarray(line.x), np.asarray(line.y), said, units_of(axes.x))
        for axes, line, said in shown_names.named_lines(figure)
        if len(line.y) >= 30
    ]
    for name, wave in (("sine", np.sin), ("cosine", np.cos)):
        hits = [
            x
            for x, y, said, units in lines
            for unit in units
            if float(np.ptp(x)) * unit >= 6.2
            and float(np.abs(np.diff(x)).max()) * unit <= 0.6
            and np.allclose(y, wave(x * unit), atol=0.02)
            and is_named(said, name)
        ]
        case.expect(
            f"a curve of the {name}",
            hits,
            "over a period or more",
            f"{len(lines)} other curves",
            "72.png",
            f"72.png shows no curve of the {name} over a whole period.",
        )
    expect_period(case)


MOST_RADIANS = 200  # along an axis; beyond, its numbers are degrees


def units_of(axis) -> list[float]:
    """Radians for one of the axis's numbers: one, a degree, or π where its name says so."""
    import math
    import re

    has_pi = "π" in axis.label or "pi" in axis.label.lower()
    if re.search(r"deg|°|角度|度数", axis.label.lower()) or axis.high - axis.low > MOST_RADIANS:
        return [math.pi / 180]
    return [1.0, math.pi / 180, *([math.pi] if has_pi else [])]


WORDS = {"sine": "sin(?!.*cos)|(?<!余)正弦(?!.*余弦)", "cosine": "cos(?!.*sin)|余弦(?!.*正弦)"}


def is_named(said: str, name: str) -> bool:
    """True for a curve without a name of its own (a title may speak of both), or with its own."""
    import re

    own, other = (
        re.search(WORDS[n], said.replace("余弦", "cos").replace("正弦", "sin"))
        for n in (name, *(WORDS.keys() - {name}))
    )
    both = "sin" in said and "cos" in said or ("正弦" in said and "余弦" in said)
    return not said or both or bool(own) and not other


def expect_period(case: Case) -> None:
    import re

    text = case.answer.replace(" ", "").lower()
    period = re.search(r"2\*?\\?(?:π|pi|\\pi)|360(?:°|度|degrees)|6\.28", text)
    case.expect(
        "answer: the period",
        period and re.search(r"周期|period", text),
        "2π",
        case.answer[:160] or "no answer",
        message="The answer does not give the period 2π.",
    )
    wrong = re.search(
        r"(?:周期|period)[^。.;；，,]{0,12}?(?:[=≈为是:：]|等于)(?:π|\\?pi)(?![\w/])", text
    )
    wrong = wrong or re.search(
        r"(?:2\\?(?:π|pi)|360(?:°|度))(?:不是|并非)[^。；;，,]{0,8}周期", text
    )
    wrong = wrong or re.search(
        r"不是周期函数|非周期|(?:没有|毫?无|谈不上)周期(?!性?[^。；;，,]{0,8}[更小短])|[从永]不重复"
        r"|(?:nota?|non-?)periodic|noperiod(?!shorter|smaller|less|other)|neverrepeat",
        text,
    )
    case.expect("answer: no other period", not wrong, "none", wrong[0] if wrong else "none")


REFERENCE = {
    "cells": [
        """
import numpy as np
import matplotlib.pyplot as plt

x = np.linspace(-2 * np.pi, 2 * np.pi, 1000)
fig, ax = plt.subplots(figsize=(9, 5))
ax.plot(x, np.sin(x), label="sin(x)")
ax.plot(x, np.cos(x), label="cos(x)")
ax.legend()
ax.set_title("正弦与余弦函数")
ax.grid(True)
fig.savefig("output/72.png")
print(np.allclose(np.sin(x + 2 * np.pi), np.sin(x)), np.allclose(np.cos(x + 2 * np.pi), np.cos(x)))
""",
    ],
    "answer": "正弦和余弦函数的周期都是 2π：每隔 2π 图像重复一次，余弦比正弦超前 π/2。图像已保存到 ./output/72.png。",
}
WRONG = {
    "half-a-period": {
        "why": "draws from 0 to π only",
        "cells": [
            "import numpy as np, matplotlib.pyplot as plt\nx = np.linspace(0, np.pi, 200)\nplt.plot(x, np.sin(x))\nplt.plot(x, np.cos(x))\nplt.savefig('output/72.png')"
        ],
        "answer": "两个函数的周期都是 2π。",
    },
    "no-analysis": {
        "why": "draws the curves and says nothing of their period",
        "cells": [
            "import numpy as np, matplotlib.pyplot as plt\nx = np.linspace(0, 4 * np.pi, 400)\nplt.plot(x, np.sin(x))\nplt.plot(x, np.cos(x))\nplt.savefig('output/72.png')"
        ],
        "answer": "图像已保存到 ./output/72.png。",
    },
    "degrees-taken-for-radians": {
        "why": "feeds degrees to functions of radians",
        "cells": [
            "import numpy as np, matplotlib.pyplot as plt\nx = np.arange(0, 721, 10)\nplt.plot(x, np.sin(x))\nplt.plot(x, np.cos(x))\nplt.savefig('output/72.png')"
        ],
        "answer": "两个函数的周期都是 2π（360 度）。",
    },
}
