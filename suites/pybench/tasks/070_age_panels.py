# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Two plots side by side: age against BMI, and mean charges by age."""

from runner.checks import Case, alternatives
from runner.checks.charts import figures, marks, unnoted
from runner.checks.charts.figure_note import Axes

INDEX = "70"
TITLE = "年龄、BMI 与平均保险金额"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["70.png"]
NOTE = "The left plot's points may have either measure along the bottom; the right one's line goes through the mean charges by age."

AGE = ["age", "年龄"]
BMI = ["bmi", "body mass", "身体质量", "体重指数", "体质"]


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "insurance.csv")
    means = frame.groupby("age")["charges"].mean()
    figure = figures.read(case, "70.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 20, "dots on the left and a line on the right")
        return
    panels = sorted(figure.panels, key=lambda axes: axes.box[0] if axes.box else 0.0)
    case.demand(
        "two plots",
        len(panels) == 2,
        2,
        len(panels),
        "70.png",
        f"70.png holds {len(panels)} plots, two are asked for.",
    )
    left, right = panels
    case.expect(
        "side by side",
        left.box[0] + left.box[2] <= right.box[0] + 0.02,
        "left and right",
        "one above the other" if left.box[0] == right.box[0] else "so",
        "70.png",
    )
    case.expect(
        "points on the left",
        left.points or any(line.style in ("None", "", " ") for line in left.lines),
        "a scatter",
        "none",
        "70.png",
        "The left plot of 70.png is no scatter.",
    )
    age, bmi = list(frame["age"]), list(frame["bmi"])
    alternatives.any_of(
        case,
        "age and BMI of each row",
        {
            "age along": lambda own: marks.expect_points(
                own, figure, age, bmi, x_words=AGE, y_words=BMI
            ),
            "BMI along": lambda own: marks.expect_points(
                own, figure, bmi, age, x_words=BMI, y_words=AGE
            ),
        },
        "70.png",
    )
    marks.expect_line(case, figure, list(means), 0.005, "mean charges by age", list(means.index))
    case.expect(
        "the line on the right",
        any(line.n == len(means) for line in right.lines),
        "so",
        f"{len(right.lines)} lines",
        "70.png",
    )
    expect_axis_names(case, right)


def expect_axis_names(case: Case, right: Axes) -> None:
    """The axes of the right plot are named rightly, if at all."""
    called = f"{right.title} {right.y.label} {' '.join(right.legend)}".strip().lower()
    case.expect(
        "the right axes named rightly, if at all",
        (not right.x.label or any(word in right.x.label.lower() for word in AGE))
        and not any(
            word in right.y.label.lower()
            for word in AGE
            if "charge" not in right.y.label.lower() and "保险" not in right.y.label
        )
        and (
            not called
            or any(
                word in called
                for word in ("charge", "保险", "费用", "金额", "cost", "保费", "insur")
            )
        ),
        "the age below, the charges upward",
        f"“{right.x.label}” below, “{right.y.label}” upward",
        "70.png",
        f"70.png calls the right plot's axes “{right.x.label}” and “{right.y.label}”.",
    )


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/insurance.csv')\nprint(df.describe())\nmeans = df.groupby('age')['charges'].mean()\nprint(means.head())",
        """
import matplotlib.pyplot as plt

fig, (left, right) = plt.subplots(1, 2, figsize=(12, 5))
left.scatter(df["age"], df["bmi"], s=10)
left.set_title("年龄与 BMI")
left.set_xlabel("年龄")
left.set_ylabel("BMI")
right.plot(means.index, means.values, marker=".")
right.set_title("各年龄的平均保险金额")
right.set_xlabel("年龄")
right.set_ylabel("平均保险金额")
fig.tight_layout()
fig.savefig("output/70.png")
""",
    ],
    "answer": "图已保存到 ./output/70.png，左为散点图，右为平均保险金额随年龄变化的曲线。",
}
WRONG = {
    "sums": {
        "why": "draws the sums by age in place of the means",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/insurance.csv')\nfig, (a, b) = plt.subplots(1, 2)\na.scatter(df['age'], df['bmi'])\n"
            "s = df.groupby('age')['charges'].sum()\nb.plot(s.index, s.values)\nfig.savefig('output/70.png')"
        ],
        "answer": "图已保存到 ./output/70.png。",
    },
    "one-plot": {
        "why": "draws both into one plot",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/insurance.csv')\nplt.scatter(df['age'], df['bmi'])\n"
            "s = df.groupby('age')['charges'].mean()\nplt.plot(s.index, s.values)\nplt.savefig('output/70.png')"
        ],
        "answer": "图已保存到 ./output/70.png。",
    },
    "unsorted-rows": {
        "why": "joins all rows by a line instead of the means",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/insurance.csv')\nfig, (a, b) = plt.subplots(1, 2)\na.scatter(df['age'], df['bmi'])\nb.plot(df['age'], df['charges'])\nfig.savefig('output/70.png')"
        ],
        "answer": "图已保存到 ./output/70.png。",
    },
}
