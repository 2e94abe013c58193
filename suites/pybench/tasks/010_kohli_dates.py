# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Write a column of dates as YYYY-MM-DD, which the released input has already."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "10"
TITLE = "日期统一为年-月-日"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["10.csv"]
NOTE = "The released input has its dates in the asked form already, so the right result has the input's rows and every date as YYYY-MM-DD. Told the delimiter, pandas must read the same table from the file: each name once, figures as plain numbers without thousands commas."
DEGENERATE = "The released input has its dates in the asked form already: a copy is the answer."


def check(case: Case) -> None:
    from runner.checks.data import datasets

    source = tables.source(case.data / "Virat_Kohli_ODI.csv")
    table = datasets.read_as(case, "10.csv", source)
    if not datasets.expect_same_rows(case, table, source):
        return
    tables.expect_form(case, table, "Start Date", r"\d{4}-\d{2}-\d{2}", "YYYY-MM-DD")


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Virat_Kohli_ODI.csv")
print(df.head())
print(df["Start Date"].sample(5, random_state=1))
""",
        """
df["Start Date"] = pd.to_datetime(df["Start Date"]).dt.strftime("%Y-%m-%d")
df.to_csv("output/10.csv", index=False)
print(pd.read_csv("output/10.csv")["Start Date"].str.fullmatch(r"\\d{4}-\\d\\d-\\d\\d").all())
""",
    ],
    "answer": "“Start Date”列已统一为 YYYY-MM-DD 格式，132 行保存到 ./output/10.csv。",
}
WRONG = {
    "written-out": {
        "why": "writes the day, the month's name and the year instead",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Virat_Kohli_ODI.csv")
df["Start Date"] = pd.to_datetime(df["Start Date"]).dt.strftime("%d %B %Y")
df.to_csv("output/10.csv", index=False)
"""
        ],
        "answer": "日期已转换，保存在 ./output/10.csv。",
    },
    "month-and-day-swapped": {
        "why": "writes year, day, month",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Virat_Kohli_ODI.csv")
df["Start Date"] = pd.to_datetime(df["Start Date"]).dt.strftime("%Y-%d-%m")
df.to_csv("output/10.csv", index=False)
"""
        ],
        "answer": "日期已转换成 YYYY-MM-DD 格式，保存在 ./output/10.csv。",
    },
    "dates-alone": {
        "why": "saves the one column without the rest of the data",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Virat_Kohli_ODI.csv")
pd.to_datetime(df["Start Date"]).dt.strftime("%Y-%m-%d").to_csv("output/10.csv", index=False)
"""
        ],
        "answer": "日期已转换成 YYYY-MM-DD 格式，保存在 ./output/10.csv。",
    },
}
