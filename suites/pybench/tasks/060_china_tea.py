# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A line chart of one country's tea exports over the years."""

from runner.checks import Case, alternatives
from runner.checks.charts import dates, figures, unnoted

INDEX = "60"
TITLE = "China's tea exports over time"
CATEGORY = "chart"
OUTPUTS = ["60.png"]
NOTE = "The table has rows for China as a whole and for its mainland; either is right, and others may be drawn beside it."


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "Tea_export.csv").set_index("Country")
    figure = figures.read(case, "60.png")
    whole, mainland = (frame.loc[name].dropna() for name in ("China", "China, mainland"))
    if figure.note is None:
        unnoted.expect_marks(case, figure, 1, "the line of exports")
        return
    alternatives.any_of(
        case,
        "the line goes through the exports",
        {
            "China": lambda own: line_of(own, figure, whole),
            "China, mainland": lambda own: line_of(own, figure, mainland),
        },
        "60.png",
    )
    figures.expect_words(
        case, figure, ["tea", "export", "茶", "china", "中国"], "says what it shows"
    )
    countries = [name for name in frame.index if "china" not in name.lower() and len(name) > 4]
    figures.expect_no_other_subject(case, figure, countries, ["China", "中国"])
    others = ["coffee", "咖啡", "rice", "sugar", "cocoa", "import", "进口", "price", "价格"]
    figures.expect_no_other_subject(case, figure, others, ["tea export", "export of tea", "茶"])


def line_of(case: Case, figure: figures.Figure, exports) -> None:
    dates.expect_dated_line(
        case,
        figure,
        list(exports.index),
        list(exports),
        words=["china", "中国", "export", "tea", "出口"],
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Tea_export.csv")
print(df.shape, df.columns[:4].tolist(), df[df["Country"].str.contains("China")]["Country"].tolist())
china = df[df["Country"] == "China"].drop(columns="Country").iloc[0]
china.index = china.index.astype(int)
print(china.tail())
""",
        """
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(9, 5))
ax.plot(china.index, china.values, marker="o")
ax.set_title("Tea exports of China")
ax.set_xlabel("Year")
ax.set_ylabel("Tonnes")
fig.savefig("output/60.png")
""",
    ],
    "answer": "The line chart of China's tea exports is saved in ./output/60.png.",
}
WRONG = {
    "taiwan-row": {
        "why": "takes the last row whose name begins with China",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/Tea_export.csv").set_index("Country")
df.loc["China, Taiwan Province of"].plot(title="Tea export of China")
plt.savefig("output/60.png")
"""
        ],
        "answer": "Saved in ./output/60.png.",
    },
    "sum-of-all": {
        "why": "draws the world's total under China's name",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

pd.read_csv("data/Tea_export.csv").set_index("Country").sum().plot(title="China tea export")
plt.savefig("output/60.png")
"""
        ],
        "answer": "Saved in ./output/60.png.",
    },
    "bars-instead": {
        "why": "draws bars though a line chart is asked for",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

pd.read_csv("data/Tea_export.csv").set_index("Country").loc["China"].plot.bar(title="China tea export")
plt.savefig("output/60.png")
"""
        ],
        "answer": "Saved in ./output/60.png.",
    },
}
