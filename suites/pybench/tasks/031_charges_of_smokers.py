# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Dependence of charges on smoking: a chart and what it shows."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "31"
TITLE = "保险费用与吸烟的关系"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["31.png"]
NOTE = "Any chart that sets the charges of smokers against those of others: boxes, violins, histograms, points, or bars of a mean or median. The answer must say that smokers pay more."


def check(case: Case) -> None:
    from runner.checks.charts import figures, unnoted
    from runner.checks.data import datasets

    figure = figures.read(case, "31.png")
    groups = [
        [float(row["charges"]) for row in rows]
        for _, rows in sorted(
            datasets.groups_of(tables.source(case.data / "insurance.csv"), "smoker").items()
        )
    ]
    if figure.note is None:
        unnoted.expect_marks(case, figure, 2, "boxes or bars of both groups")
        expect_conclusion(case)
        return
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
    expect_conclusion(case)


MORE = (  # ways to say that smokers pay more
    r"吸烟(者|人群|的人|组|客户)?[^。\n]{0,60}(高|多|贵|大)|正相关",
    r"(不|非)(吸烟|抽烟)(者|人群|的人|组)?[^。\n]{0,20}(低于|少于|更低|更少|较低|较少)",
    r"(?<![不非])吸烟者?(?!的)[^。\n，,的]{0,16}[1-9][\d.]*\s*倍",
    r"(?<![不非])吸烟者的?[^。\n，,]{0,16}(是|为|约)[^。\n，,]{0,6}(不|非)吸烟者[^。\n，,]{0,6}[1-9][\d.]*\s*倍",
    r"(?<![不非])吸烟者?[^。\n，,不非]{0,6}(后者|其|对方)的?\s*[1-9][\d.]*\s*倍",
    r"smok[^.\n]{0,80}(higher|more|greater|increase)|(higher|more|greater)[^.\n]{0,60}smok",
    r"non-?smokers[^.\n]{0,40}(less|lower|fewer|cheaper)",
    r"(?<!non-)(?<!non)smokers[^.\n]{0,60}[1-9][\d.]* times",
)
LESS = (
    r"(不|非)(吸烟|抽烟)(者|人群|的人|组)?[^，。；,\n低少]{0,16}(更高|高于|较高|更多)",
    r"(不|非)吸烟者[^。\n，,]{0,16}(是|为|约)[^。\n，,不非]{0,6}吸烟者[^。\n，,]{0,6}[1-9][\d.]*\s*倍",
    r"(?<![不非])吸烟者[^。\n，,]{0,12}(低于|少于)[^。\n，,]{0,6}(不|非)吸烟",
    r"non-?smokers[^.\n,]{0,30}(pay more|higher)",
    r"吸烟[^，。；,\n]{0,10}(影响|关系|差别|差异)[^，。；,\n不]{0,3}(不大|很小|甚微|不明显|不显著)",
    r"(两组|两者)(保费|费用|收费|保险费用)?(之间)?(几乎|基本|大致)(一样|相同|相等|没有)",
    r"(毫无|没有|并无|不存在)(任何|明显|显著)?的?(关系|关联|影响|差别|差异|区别)",
    r"\bno (?:clear |significant |real )?(?:relation|correlation|difference|effect|influence|link)",
)


def expect_conclusion(case: Case) -> None:
    import re

    more = any(re.search(one, case.answer, re.IGNORECASE) for one in MORE)
    less = any(re.search(one, case.answer, re.IGNORECASE) for one in LESS)
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

    from runner.checks.charts import marks

    panels = figure.panels
    boxes = [box for axes in panels for box in axes.boxes]
    quartiles = [np.percentile(group, [25, 50, 75]) for group in groups]
    if boxes and all(
        any(
            abs(b.median - q[1]) < 1
            and abs(b.q1 - q[0]) < 200
            and abs(b.q3 - q[2]) < 200
            and names_group(box_name(axes, b), place)
            for axes in panels
            for b in axes.boxes
        )
        for place, q in enumerate(quartiles)
    ):
        outliers = [
            y
            for axes in panels
            for line in axes.lines
            if line.style in ("None", "")
            for y in line.y
        ]
        return "boxes" if max(outliers, default=0) <= max(map(max, groups)) * 1.01 else ""
    medians = [pair for axes in panels for pair in medians_named(axes)]
    if all(
        any(abs(v - q[1]) < 1 and names_group(name, place) for name, v in medians)
        for place, q in enumerate(quartiles)
    ):
        return "letter values"
    bars = [bars for axes in panels for bars in axes.bars]
    named = [pair for axes in panels for pair in bars_named(figure, axes)]
    measures = (np.mean, np.median, np.sum, np.max, np.min, np.std)
    if len(named) <= 12 and any(
        all(
            any(
                abs(v - m(g)) < 0.002 * m(g) + 0.01 and names_group(name, place)
                for name, v in named
            )
            for place, g in enumerate(groups)
        )
        for m in measures
    ):
        return "bars"
    data = [np.asarray(group) for group in groups]
    inner = [np.clip(d, d.min() * 1.000001, d.max() * 0.999999) for d in data]  # edges are rounded
    if all(any(not marks.compare_histogram(one, d, None, 0.03) for one in bars) for d in inner):
        return "histograms"
    if all(
        any(
            is_distribution(area.y, area.x, d) or is_distribution(area.x, area.y, d)
            for axes in panels
            for area in axes.areas
        )
        for d in data
    ):
        return "violins"
    if all(
        any(is_distribution(line.x, line.y, d) for axes in panels for line in axes.lines)
        for d in data
    ):
        return "densities"
    return "points" if any(has_points(axes, data) for axes in panels) else ""


NOT_SMOKING = ("no", "non", "不", "非", "未", "否", "0", "false", "never")


SMOKING = ("yes", "smok", "吸烟", "抽烟", "烟民", "是", "1", "true", "有")


def names_group(name: str, place: int) -> bool:
    """True if a name on the chart is that of the group: others first, smokers second."""
    if not name.strip():
        return False
    is_other = name in ("n", "f") or any(name.startswith(w) or f" {w}" in name for w in NOT_SMOKING)
    return is_other if place == 0 else not is_other and any(w in name for w in SMOKING)


def box_name(axes: object, box: object) -> str:
    from runner.checks.charts import marks, series

    upright = marks.stands(axes)
    return series.tick_name(axes.x if upright else axes.y, box.at) or box.label.lower()


def medians_named(axes: object) -> list:
    """(name below, height) of each short level line, such as boxes of letter values have."""
    from runner.checks.charts import series

    return [
        (series.tick_name(axes.x, sum(line.x) / 2), line.y[0])
        for line in axes.lines
        if line.n == 2 and line.y[0] == line.y[1]
    ]


def bars_named(figure: object, axes: object) -> list:
    """(name under the bar or in the legend, length) of each bar."""
    from runner.checks.charts import series, shown_names

    names = shown_names.names_of(figure, axes)
    first = len(shown_names.artists_of(axes)) - len(axes.bars)
    found = []
    for n, bars in enumerate(axes.bars):
        axis = axes.y if bars.lies else axes.x
        for place, value in zip(bars.places, bars.values, strict=True):
            tick = series.tick_name(axis, place)
            found.append(
                (tick if series.number(tick) is None else names.get(first + n, tick), value)
            )
    return found


LEAST_ALIKE = 0.7  # correlation of a curve with the density of the data
LEAST_ORDERED = 0.97  # of one with their cumulative shares


def is_distribution(along: tuple, height: tuple, data: object) -> bool:
    """True if a curve, or a violin's outline, over the data's span has their density's form.

    Or that of their cumulative shares.
    """
    import numpy as np
    from scipy.stats import gaussian_kde

    if len(along) != len(height) or not covers(along, data):
        return False
    at, up = np.asarray(along, float), np.asarray(height, float)
    kept = np.isfinite(at) & np.isfinite(up)
    at, up = at[kept], up[kept]
    middle = (up.min() + up.max()) / 2
    shares = np.searchsorted(np.sort(data), at) / len(data)
    if abs(np.corrcoef(up, shares)[0, 1]) >= LEAST_ORDERED:
        return True
    forms = [
        gaussian_kde(values, scale * len(data) ** -0.2)(places)
        for values, places in ((data, at), (np.log(data), np.log(np.maximum(at, 1.0))))
        for scale in (0.4, 1.0, 2.0)
    ]
    sides = (up, np.abs(up - middle), middle - up)
    return any(np.corrcoef(side, form)[0, 1] >= LEAST_ALIKE for side in sides for form in forms)


def covers(found: tuple, data: object) -> bool:
    """True if the outline of a violin or density spans the data, and little more."""
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
            any(are_coloured_by_group(p, place, data) for p in axes.points)
            and len(axes.legend) >= 2
            and any(w in words for w in ("yes", "smok", "是", "吸烟"))
        )
        if by_place or by_series or by_colour:
            return True
    return False


def are_coloured_by_group(points: object, place: int, data: list) -> bool:
    """True if points have two colours, each for charges of one group; the first ones' are noted."""
    import numpy as np

    if len(set(points.colours)) != 2:
        return False
    colours = np.asarray(points.colours[: len(points.x)])
    values = np.asarray((points.x, points.y)[place])[: len(colours)]
    parts = [values[colours == colour] for colour in sorted(set(points.colours))]
    shares = [[float(np.isin(p.round(1), d.round(1)).mean()) for d in data] for p in parts]
    return min(shares[0][0], shares[1][1]) >= 0.98 or min(shares[0][1], shares[1][0]) >= 0.98


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
