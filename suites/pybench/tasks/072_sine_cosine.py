"""Sine and cosine drawn, and what their period is."""

from runner.checks import Case, figures

INDEX = "72"
TITLE = "正弦与余弦及其周期"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["72.png"]
NOTE = "Both curves must be drawn over a period or more, in radians or degrees, finely enough to be seen as curves, and the answer must give the period."


def check(case: Case) -> None:
    import re

    import numpy as np

    figure = figures.read(case, "72.png")
    figures.require_note(case, figure)
    lines = [
        (np.asarray(line.x), np.asarray(line.y))
        for axes in figure.panels
        for line in axes.lines
        if len(line.y) >= 30
    ]
    for name, wave in (("sine", np.sin), ("cosine", np.cos)):
        hits = [
            x
            for x, y in lines
            for unit in (1.0, np.pi / 180)
            if float(np.ptp(x)) * unit >= 6.2
            and float(np.abs(np.diff(x)).max()) * unit <= 0.6
            and np.allclose(y, wave(x * unit), atol=0.02)
        ]
        case.expect(
            f"a curve of the {name}",
            hits,
            "over a period or more",
            f"{len(lines)} other curves",
            "72.png",
            f"72.png shows no curve of the {name} over a whole period.",
        )
    text = case.answer.replace(" ", "").lower()
    period = re.search(r"2\*?\\?(?:π|pi|\\pi)|360(?:°|度|degrees)|6\.28", text)
    case.expect(
        "answer: the period",
        period and re.search(r"周期|period", text),
        "2π",
        case.answer[:160] or "no answer",
        message="The answer does not give the period 2π.",
    )
    wrong = re.search(r"周期(?:都|均)?[为是:：](?:π|pi)(?![\w/])", text)
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
