# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The type of video to make, out of what the first hundred channels make."""

from runner.checks import Case

INDEX = "36"
TITLE = "Type of video among the top hundred"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "The commonest type among the first hundred channels, by the column of categories or of channel types, ranked by subscribers or by views: all four readings give the same. The query asks for one type, so at most two others may be named after it."
GUESSABLE = "One of a few types is asked for, and the commonest is widely known: a guess passes."


def check(case: Case) -> None:
    from collections import Counter

    from runner.checks.data import datasets
    from runner.checks.text import labelled_values

    rows = datasets.rows_of(
        datasets.source_in(case.data / "Global YouTube Statistics.csv", "latin-1")
    )
    columns = ("category", "channel_type")
    right = []
    for measure in ("subscribers", "video views"):
        first = sorted(rows, key=lambda row: -float(row[measure]))[:100]
        for column in columns:
            counts = Counter(row[column] for row in first if row[column] not in ("", "nan"))
            right += [name for name in [counts.most_common(1)[0][0]] if name not in right]
    everyday = {"shows", "people", "movies", "nan", "", "how-to", "howto & style"}
    rivals = sorted(
        {str(row[c]) for row in rows for c in columns if str(row[c]).lower() not in everyday}
        - set(right)
    )
    labelled_values.expect_settled(case, "type", right, rivals, most_rivals=2)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
top = df.nlargest(100, "subscribers")
print(top["category"].value_counts().head())
print(top["channel_type"].value_counts().head())
""",
        """
counts = top["category"].value_counts()
print("type:", counts.index[0])
print("count:", counts.iloc[0])
print("second:", f"{counts.index[1]} ({counts.iloc[1]})")
""",
    ],
    "answer": "Make **«type»** videos: «count» of the top 100 channels are in this category, more than in any other; the next is «second».",
}
WRONG = {
    "whole-table": {
        "why": "takes the commonest category of all 995 channels instead of the first hundred",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
print("type:", df["category"].value_counts().idxmax())
"""
        ],
        "answer": "You should create «type» videos.",
    },
    "four-types": {
        "why": "names four types where one was asked for",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
print("types:", ", ".join(df["category"].value_counts().index[:4]))
"""
        ],
        "answer": "You should create videos of these types: «types».",
    },
    "by-mean": {
        "why": "takes the category with the most subscribers per channel, which few channels have",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
print("type:", df[df["category"] != "Shows"].groupby("category")["subscribers"].mean().idxmax())
"""
        ],
        "answer": "You should create «type» videos.",
    },
}
