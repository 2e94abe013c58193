# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Aggregate the TV figures of two files by network."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "12"
TITLE = "按电视网聚合"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["12.csv"]
NOTE = "The query names no function, so sums, means, counts and the like are accepted; the two files are the same, so figures may come from either file's rows or from both put together."


def check(case: Case) -> None:
    from runner.checks.data import datasets

    first, second = (tables.source(case.data / name) for name in ("tv.xlsx", "tv.csv"))
    both = tables.Table("both", first.columns, first.rows + second.rows)
    table = datasets.flattened(tables.without_index(tables.read(case, "12.csv")))
    table = datasets.renamed(table, ["network"])
    variants = [datasets.groups_of(source, "network") for source in (first, second, both)]
    datasets.expect_aggregated(case, table, "network", variants)


REFERENCE = {
    "cells": [
        """
import pandas as pd

x, c = pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")
print(x.shape, c.shape, x.equals(c))
print(x.head())
""",
        """
df = pd.concat([x, c]).drop_duplicates()
result = df.groupby("network").agg(
    super_bowls=("super_bowl", "count"),
    avg_us_viewers=("avg_us_viewers", "mean"),
    total_us_viewers=("total_us_viewers", "sum"),
    rating_household=("rating_household", "mean"),
    share_household=("share_household", "mean"),
    ad_cost=("ad_cost", "mean"),
).round(2).reset_index()
result.to_csv("output/12.csv", index=False)
print(result)
""",
    ],
    "answer": "两个文件内容相同，去重后按 network 聚合为 4 行（ABC、CBS、Fox、NBC），保存在 ./output/12.csv。",
}
WRONG = {
    "by-game": {
        "why": "aggregates by the number of the game instead of by network",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df.groupby("super_bowl").mean(numeric_only=True).to_csv("output/12.csv")
"""
        ],
        "answer": "已按 network 聚合，保存在 ./output/12.csv。",
    },
    "networks-only": {
        "why": "saves the four names and not one figure",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df[["network"]].drop_duplicates().to_csv("output/12.csv", index=False)
"""
        ],
        "answer": "聚合完成，保存在 ./output/12.csv。",
    },
    "head-of-each": {
        "why": "computes the means over all rows and writes the same figures for each network",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
means = df.mean(numeric_only=True)
pd.DataFrame([{"network": n, **means} for n in sorted(df["network"].unique())]).to_csv("output/12.csv", index=False)
"""
        ],
        "answer": "聚合完成，保存在 ./output/12.csv。",
    },
    "first-row-each": {
        "why": "drops repeated networks, which keeps one game of each and aggregates nothing",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df.drop_duplicates("network").to_csv("output/12.csv", index=False)
"""
        ],
        "answer": "已按 network 聚合并保存到 ./output/12.csv。",
    },
    "not-aggregated": {
        "why": "only sorts the rows by network",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df.sort_values("network").to_csv("output/12.csv", index=False)
"""
        ],
        "answer": "已按 network 分组并保存到 ./output/12.csv。",
    },
}
