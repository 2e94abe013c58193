# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The commonest size of the commonest colour."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "29"
TITLE = "最常见颜色中最常见的尺码"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Counted by rows or by pieces sold; both give the same size here. Other sizes may follow it in a ranking."


def check(case: Case) -> None:
    from collections import Counter

    from runner.checks.data import datasets
    from runner.checks.text import labelled_values

    rows = datasets.rows_of(tables.source(case.data / "women_clothing_ecommerce_sales.csv"))
    colours, sizes = Counter(), Counter()
    for row in rows:
        colours[row["color"]] += 1
    commonest = colours.most_common(1)[0][0]
    for row in rows:
        if row["color"] == commonest and row["size"]:
            sizes[row["size"]] += 1
    right = sizes.most_common(1)[0][0]
    rivals = sorted({str(row["size"]) for row in rows if row["size"]} - {right})
    labelled_values.expect_settled(
        case, "size", [right], [r for r in rivals if r.lower() != "s"], most_rivals=len(rivals)
    )
    others = sorted({str(row["color"]) for row in rows} - {commonest})
    first = [colour for colour in others if labelled_values.mentions(case.answer, colour)]
    good = labelled_values.mentions(case.answer, commonest) or "深蓝" in case.answer or not first
    case.expect(
        "colour",
        good,
        f"{commonest}, or no colour",
        ", ".join(first) or "right or none",
        "",
        f"The answer speaks of {', '.join(first[:3])}, the commonest colour is {commonest}.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/women_clothing_ecommerce_sales.csv")
print(df["color"].value_counts().head())
""",
        """
colour = df["color"].value_counts().idxmax()
sizes = df.loc[df["color"] == colour, "size"].value_counts()
print(sizes)
print("colour:", colour)
print("size:", sizes.idxmax())
print("count:", sizes.max())
""",
    ],
    "answer": "出现频率最高的颜色是 «colour»，该颜色中出现频率最高的尺码是 «size»（«count» 次）。",
}
WRONG = {
    "second-colour": {
        "why": "takes the second colour of the count",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/women_clothing_ecommerce_sales.csv")
colour = df["color"].value_counts().index[1]
print("colour:", colour)
print("size:", df.loc[df["color"] == colour, "size"].value_counts().idxmax())
"""
        ],
        "answer": "颜色 «colour» 中频率最高的尺码是 «size»。",
    },
    "first-in-the-alphabet": {
        "why": "takes the first group, which is the first size in alphabetical order",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/women_clothing_ecommerce_sales.csv")
colour = df["color"].mode()[0]
print("size:", df.loc[df["color"] == colour, "size"].to_frame().groupby("size").size().index[0])
"""
        ],
        "answer": "频率最高的尺码是 «size»。",
    },
    "all-sizes": {
        "why": "lists the sizes in the table's order and settles on none",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/women_clothing_ecommerce_sales.csv")
print("sizes:", ", ".join(df["size"].dropna().unique()))
"""
        ],
        "answer": "Dark Blue 的尺码有 «sizes»。",
    },
}
