# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The mean of a column of sales."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "33"
TITLE = "Average global sales of a video game"
CATEGORY = "chart"
OUTPUTS = []
STRENGTH = "partial"
NOTE = "A row is a game on one platform: the mean over rows is accepted, and so is that over titles, each with the sales of all its platforms. Two decimals, correctly rounded. What else the answer says to summarize the sales is not looked at."


UNITS = {"billion": 1e9, "bn": 1e9, "b": 1e9, "thousand": 1e3, "k": 1e3, "trillion": 1e12}


def check(case: Case) -> None:
    from runner.checks.text import labelled_values

    source = tables.source(case.data / "Video_Game_Sales.csv")
    sales = [float(value) for value in source.column("Global_Sales")]
    accepted = [
        (round(sum(sales) / number, 2), 1e-9)
        for number in (len(sales), len(set(source.column("Name"))))
    ]
    spellings = [
        "average global sales per game",
        "average global sale per game",
        "average global sales",
        "average global sale",
        "average",
        "mean",
        "per game",
        "平均",
    ]
    accepted += [(1e6 * value, 5001) for value, _ in accepted]  # written out: 540,000 copies
    said = labelled_values.claims(case.answer, {"": spellings}, labelled_values.STATISTICS)[""]
    offered = said or labelled_values.or_claimed(case)
    labelled_values.require_answer(case)
    labelled_values.expect_claims(case, "average global sale per game", offered, accepted, UNITS)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Video_Game_Sales.csv")
print(df.describe())
""",
        """
print(f"total: {df['Global_Sales'].sum():.2f}")
print(f"games: {len(df)}")
print(f"average: {df['Global_Sales'].mean():.2f}")
""",
    ],
    "answer": "The table lists «games» games that sold «total» million copies worldwide.\nAverage Global Sale per Game: «average» million copies.",
}
WRONG = {
    "north-america": {
        "why": "takes the first column of sales, which is that of one region",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Video_Game_Sales.csv")
print(f"average: {df.filter(like='Sales').iloc[:, 0].mean():.2f}")
"""
        ],
        "answer": "Average Global Sale per Game: «average» million copies.",
    },
    "median": {
        "why": "gives the median",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Video_Game_Sales.csv")
print(f"average: {df['Global_Sales'].median():.2f}")
"""
        ],
        "answer": "Average Global Sale per Game: «average» million copies.",
    },
    "cut-not-rounded": {
        "why": "cuts the decimals off instead of rounding",
        "cells": [
            """
import math
import pandas as pd

df = pd.read_csv("data/Video_Game_Sales.csv")
print("average:", math.floor(df["Global_Sales"].mean() * 100) / 100)
"""
        ],
        "answer": "Average Global Sale per Game: «average» million copies.",
    },
}
