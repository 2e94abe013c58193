# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Drop duplicated rows from a small table of tree sales, which holds none."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "3"
TITLE = "圣诞树销量去重"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["3.csv"]
NOTE = "The released input holds no duplicate, so the right result has the rows of the input. The column “index” only counts rows and may be left out. Told the delimiter, pandas must read the same table from the file: each name once, figures as plain numbers without thousands commas."
DEGENERATE = "The released input holds no duplicated row: a faithful copy is the answer."


def check(case: Case) -> None:
    from runner.checks.data import datasets

    source = tables.source(case.data / "Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
    table = datasets.read_as(case, "3.csv", source)
    kept = [place for place, name in enumerate(source.columns) if name != "index"]
    columns = tuple(source.columns[place] for place in kept)
    rows = tuple(dict.fromkeys(tuple(row[place] for place in kept) for row in source.rows))
    datasets.expect_same_rows(case, table, tables.Table("the input", columns, rows))


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
print(df.shape)
print(df)
print("重复行:", df.duplicated().sum(), df.drop(columns="index").duplicated().sum())
""",
        """
df.drop_duplicates().to_csv("output/3.csv", index=False)
print(pd.read_csv("output/3.csv").shape)
""",
    ],
    "answer": "数据中没有重复行，14 行全部保留，已保存到 ./output/3.csv。",
}
WRONG = {
    "one-row-a-year": {
        "why": "takes a repeated year for a duplicate and loses one of the two kinds of tree",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
df.drop_duplicates(subset=["Year"]).to_csv("output/3.csv", index=False)
"""
        ],
        "answer": "已删除重复值，结果保存在 ./output/3.csv。",
    },
    "only-the-duplicates": {
        "why": "saves the duplicated rows instead of the others, so an empty table",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
df[df.duplicated()].to_csv("output/3.csv", index=False)
"""
        ],
        "answer": "重复值已处理，结果保存在 ./output/3.csv。",
    },
}
