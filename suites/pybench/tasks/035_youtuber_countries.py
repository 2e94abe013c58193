# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The country that most popular channels come from."""

from runner.checks import Case

INDEX = "35"
TITLE = "最受欢迎的频道来自哪里"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "By number of channels, in the whole table or among the first hundred, or by subscribers or views. Other countries may follow in a ranking of ten at most."
GUESSABLE = "The country is common knowledge: who guesses it need not open the table."

CHINESE = {
    "United States": ["美国", "USA", "US", "U.S."],
    "India": ["印度"],
    "Brazil": ["巴西"],
    "United Kingdom": ["英国", "UK"],
    "Japan": ["日本"],
    "Russia": ["俄罗斯"],
    "Mexico": ["墨西哥"],
    "South Korea": ["韩国"],
    "Canada": ["加拿大"],
    "Indonesia": ["印度尼西亚", "印尼"],
    "Spain": ["西班牙"],
    "Thailand": ["泰国"],
}


def check(case: Case) -> None:
    from collections import Counter

    from runner.checks.data import datasets
    from runner.checks.text import labelled_values

    rows = [
        row
        for row in datasets.rows_of(
            datasets.source_in(case.data / "Global YouTube Statistics.csv", "latin-1")
        )
        if row["Country"] not in ("", "nan")
    ]
    first = [row for row in rows if int(row["rank"]) <= 100]
    sums = [Counter() for _ in range(4)]
    for row in rows:
        sums[0][row["Country"]] += 1
        sums[1][row["Country"]] += float(row["subscribers"])
        sums[2][row["Country"]] += float(row["video views"])
    for row in first:
        sums[3][row["Country"]] += 1
    right = list(dict.fromkeys(counter.most_common(1)[0][0] for counter in sums))
    spellings = [s for name in right for s in [name, *CHINESE.get(name, [])]]
    others = {name: [name, *CHINESE.get(name, [])] for name in sums[0] if name not in right}
    rivals = [s for name in others for s in others[name] if s not in ("US", "UK")]
    labelled_values.expect_settled(case, "country", spellings, rivals, most_rivals=10)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
print(df.shape)
print(df["Country"].value_counts().head())
""",
        """
counts = df["Country"].value_counts()
print("first:", counts.index[0])
print("count:", counts.iloc[0])
print("second:", f"{counts.index[1]}（{counts.iloc[1]} 个）")
print("top:", (df.head(100)["Country"] == counts.index[0]).sum())
""",
    ],
    "answer": "全球最受欢迎的 YouTuber 主要来自 «first»：995 个频道中有 «count» 个，前 100 名中有 «top» 个；其次是 «second»。",
}
WRONG = {
    "top-channel": {
        "why": "names the country of the first channel alone",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
print("first:", df.loc[df["subscribers"].idxmax(), "Country"])
"""
        ],
        "answer": "全球最受欢迎的 YouTuber 来自 «first»。",
    },
    "by-mean": {
        "why": "takes the country with the most subscribers on average, where there is one channel",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
print("first:", df.groupby("Country")["subscribers"].mean().idxmax())
"""
        ],
        "answer": "全球最受欢迎的 YouTuber 主要来自 «first»。",
    },
    "all-countries": {
        "why": "lists all countries and settles on none",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
print("all:", ", ".join(sorted(df["Country"].dropna().unique())))
"""
        ],
        "answer": "YouTuber 来自以下地区：«all»。",
    },
}
