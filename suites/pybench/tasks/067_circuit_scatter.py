# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A scatter of the X and Y of a race track's turns."""

from runner.checks import Case
from runner.checks.charts import figures, marks, unnoted

INDEX = "67"
TITLE = "X 与 Y 的散点图"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["67.png"]
NOTE = "X along, Y upward, a point a row."


def check(case: Case) -> None:
    import re

    import pandas as pd

    frame = pd.read_csv(case.data / "Azerbaijan_Baku.csv")
    figure = figures.read(case, "67.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 5, "a dot for each row")
        return
    others = ["distance", "距离", "year", "年", "speed", "time", "lap"]
    figures.expect_no_other_subject(case, figure, others, ["x", "y"])
    wrong = [
        f"{axis.label} along {name}"
        for axes in figure.panels
        for axis, name, other in ((axes.x, "x", "y"), (axes.y, "y", "x"))
        for words in [re.findall("[a-z]+", axis.label.lower())]
        if other in words and name not in words
    ]
    case.expect(
        "its axes' titles", not wrong, "X along, Y upward", ", ".join(wrong) or "so", "67.png"
    )
    marks.expect_points(case, figure, list(frame["X"]), list(frame["Y"]), "a point for each row")


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/Azerbaijan_Baku.csv')\nprint(df.describe())",
        "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.scatter(df['X'], df['Y'])\nax.set_xlabel('X')\nax.set_ylabel('Y')\nax.set_title('X 与 Y 的散点图')\nfig.savefig('output/67.png')",
    ],
    "answer": "散点图已保存到 ./output/67.png。",
}
WRONG = {
    "joined-by-a-line": {
        "why": "draws a line through the points instead of points",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Azerbaijan_Baku.csv')\nplt.plot(df['X'], df['Y'])\nplt.savefig('output/67.png')"
        ],
        "answer": "散点图已保存到 ./output/67.png。",
    },
    "against-distance": {
        "why": "sets X against the distance",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Azerbaijan_Baku.csv')\nplt.scatter(df['Distance'], df['X'])\nplt.savefig('output/67.png')"
        ],
        "answer": "散点图已保存到 ./output/67.png。",
    },
    "axes-swapped": {
        "why": "swaps the two directions",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Azerbaijan_Baku.csv')\nplt.scatter(df['Y'], df['X'])\nplt.savefig('output/67.png')"
        ],
        "answer": "散点图已保存到 ./output/67.png。",
    },
}
