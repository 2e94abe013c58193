"""The mean of a column of sales."""

from runner.checks import Case, tables

INDEX = "33"
TITLE = "Average global sales of a video game"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "A row is a game on one platform: the mean over rows is accepted, and so is that over titles, each with the sales of all its platforms. Two decimals, correctly rounded."


def check(case: Case) -> None:
    from runner.checks import labels

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
    offered = labels.or_any(case, labels.figures_near(case.answer, spellings))
    labels.expect_said(case, "average global sale per game", offered, accepted)


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
