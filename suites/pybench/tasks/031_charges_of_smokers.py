"""How charges depend on smoking: a chart and what it shows."""

from runner.checks import Case, tables

INDEX = "31"
TITLE = "保险费用与吸烟的关系"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["31.png"]
NOTE = "Any chart that sets the charges of smokers against those of others: boxes, violins, histograms, points, or bars of a mean or median. The answer must say that smokers pay more."


def check(case: Case) -> None:
    import re

    from runner.checks import figures, frames

    figure = figures.read(case, "31.png")
    figures.require_note(case, figure)
    groups = [
        [float(row["charges"]) for row in rows]
        for _, rows in sorted(
            frames.groups_of(tables.source(case.data / "insurance.csv"), "smoker").items()
        )
    ]
    shown = how_shown(figure, groups)
    case.expect(
        "charges of both groups drawn",
        shown,
        "boxes, violins, histograms, points or bars of smokers and others",
        shown or "none of them",
        "31.png",
        "31.png draws no right comparison of the charges of smokers and others.",
    )
    legends = [set(axes.legend) for axes in figure.panels]
    if not any({"yes", "no"} <= words for words in legends):  # a legend's own title is not noted
        figures.expect_words(case, figure, ["smok", "吸烟", "抽烟", "烟民"], "speaks of smoking")
    more = re.search(
        r"吸烟(者|人群|的人|组|客户)?[^。\n]{0,60}(高|多|贵|大)|正相关|smok[^.\n]{0,80}(higher|more|greater|increase)|(higher|more|greater)[^.\n]{0,60}smok",
        case.answer,
        re.IGNORECASE,
    )
    less = re.search(
        r"(不|非)(吸烟|抽烟)(者|人群|的人|组)?[^，。；,\n低少]{0,16}(更高|高于|较高|更多)|non-?smokers[^.\n,]{0,30}(pay more|higher)",
        case.answer,
        re.IGNORECASE,
    )
    case.expect(
        "conclusion",
        more and not less,
        "smokers pay more",
        case.answer[:120],
        "",
        "The answer does not say that smokers pay more.",
    )


def how_shown(figure: object, groups: list) -> str:
    """By what kind of chart both groups are shown, "" when by none."""
    import numpy as np

    from runner.checks import marks

    panels = figure.panels
    boxes = [box for axes in panels for box in axes.boxes]
    quartiles = [np.percentile(group, [25, 50, 75]) for group in groups]
    if all(
        any(
            abs(b.median - q[1]) < 1 and abs(b.q1 - q[0]) < 200 and abs(b.q3 - q[2]) < 200
            for b in boxes
        )
        for q in quartiles
    ):
        return "boxes"
    bars = [bars for axes in panels for bars in axes.bars]
    lengths = [value for one in bars for value in one.values]
    measures = (np.mean, np.median, np.sum, np.max, np.min, np.std)
    if len(lengths) <= 12 and any(
        all(any(abs(v - m(g)) < 0.002 * m(g) + 0.01 for v in lengths) for g in groups)
        for m in measures
    ):
        return "bars"
    data = [np.asarray(group) for group in groups]
    inner = [np.clip(d, d.min() * 1.000001, d.max() * 0.999999) for d in data]  # edges are rounded
    if all(any(not marks.compare_histogram(one, d, None, 0.03) for one in bars) for d in inner):
        return "histograms"
    if all(
        any(covers(area.y, d) or covers(area.x, d) for axes in panels for area in axes.areas)
        for d in data
    ):
        return "violins"
    if all(
        any(covers(line.x, d) and line.n >= 50 for axes in panels for line in axes.lines)
        for d in data
    ):
        return "densities"
    return "points" if any(has_points(axes, data) for axes in panels) else ""


def covers(found: tuple, data: object) -> bool:
    """Whether the outline of a violin or density spans the data, and little more."""
    import numpy as np

    values = np.asarray([v for v in found if np.isfinite(v)])
    if len(values) < 20:
        return False
    low, high, span = data.min(), data.max(), np.ptp(data)
    slack = 0.01 * span
    return (
        low - 0.5 * span <= values.min() <= low + slack
        and high - slack <= values.max() <= high + 0.5 * span
    )


def has_points(axes: object, data: list) -> bool:
    """All charges as points, apart by place, by series, or by colour with a legend."""
    import numpy as np

    clouds = [np.column_stack([p.x, p.y]) for p in axes.points if len(p.x)]
    if not clouds:
        return False
    for place in (0, 1):
        values = np.concatenate([cloud[:, place] for cloud in clouds])
        both = np.concatenate(data)
        if len(values) != len(both) or not np.allclose(np.sort(values), np.sort(both), rtol=1e-4):
            continue
        other = np.concatenate([cloud[:, 1 - place] for cloud in clouds])
        apart = [np.sort(values[np.round(other) == side]) for side in (0, 1)]
        by_place = all(
            any(len(a) == len(d) and np.allclose(a, np.sort(d), rtol=1e-4) for a in apart)
            for d in data
        )
        by_series = all(
            any(
                len(c) == len(d) and np.allclose(np.sort(c[:, place]), np.sort(d), rtol=1e-4)
                for c in clouds
            )
            for d in data
        )
        words = " ".join((*axes.legend, *axes.x.words, *axes.y.words)).lower()
        by_colour = (
            any(len(set(p.colours)) == 2 for p in axes.points)
            and len(axes.legend) >= 2
            and any(w in words for w in ("yes", "smok", "是", "吸烟"))
        )
        if by_place or by_series or by_colour:
            return True
    return False


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/insurance.csv")
print(df.groupby("smoker")["charges"].describe())
""",
        """
import matplotlib.pyplot as plt
import seaborn as sns

fig, ax = plt.subplots(figsize=(8, 6))
sns.boxplot(data=df, x="smoker", y="charges", ax=ax)
ax.set_title("Insurance charges by smoking")
fig.savefig("output/31.png")
means = df.groupby("smoker")["charges"].mean()
print(f"yes: {means['yes']:.2f}")
print(f"no: {means['no']:.2f}")
print(f"ratio: {means['yes'] / means['no']:.1f}")
""",
    ],
    "answer": "吸烟者的保险费用明显高于不吸烟者：平均 «yes» 对 «no»，约为 «ratio» 倍。图片保存在 ./output/31.png。",
}
WRONG = {
    "customers-counted": {
        "why": "draws how many smoke instead of what they pay",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/insurance.csv")
df["smoker"].value_counts().plot.bar()
plt.savefig("output/31.png")
"""
        ],
        "answer": "吸烟者的保险费用更高，图片保存在 ./output/31.png。",
    },
    "age-instead": {
        "why": "draws charges against age and tells smokers from others nowhere",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/insurance.csv")
plt.scatter(df["age"], df["charges"])
plt.title("charges and smoking")
plt.savefig("output/31.png")
"""
        ],
        "answer": "吸烟者的保险费用更高，图片保存在 ./output/31.png。",
    },
    "no-conclusion": {
        "why": "draws the right chart and says nothing of what it shows",
        "cells": [
            """
import pandas as pd
import seaborn as sns
import matplotlib.pyplot as plt

df = pd.read_csv("data/insurance.csv")
sns.boxplot(data=df, x="smoker", y="charges")
plt.savefig("output/31.png")
"""
        ],
        "answer": "已用箱线图分析保险费用与是否吸烟的关系，图片保存在 ./output/31.png。",
    },
    "by-sex": {
        "why": "compares men and women",
        "cells": [
            """
import pandas as pd
import seaborn as sns
import matplotlib.pyplot as plt

df = pd.read_csv("data/insurance.csv")
sns.boxplot(data=df, x="sex", y="charges")
plt.title("smokers")
plt.savefig("output/31.png")
"""
        ],
        "answer": "吸烟者的保险费用更高，图片保存在 ./output/31.png。",
    },
}
