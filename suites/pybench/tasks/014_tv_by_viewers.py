# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Put two copies of a table together and sort by average viewers, most first."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "14"
TITLE = "Two TV tables merged and sorted"
CATEGORY = "chart"
OUTPUTS = ["14.csv"]
NOTE = "The two files hold the same rows: putting them together may keep each row twice or once. Columns that a merge calls “_x” count as the input's. Told the delimiter, pandas must read the same table from the file: each name once, figures as plain numbers without thousands commas."


def check(case: Case) -> None:
    from runner.checks.data import datasets
    from runner.checks.values import number

    source = tables.source(case.data / "tv.csv")
    table = datasets.read_as(case, "14.csv", source)
    if not datasets.expect_same_rows(case, table, source, copies=(1, 2)):
        return
    viewers = [number(value) or 0 for value in table.column("avg_us_viewers")]
    case.equal("most viewers first", viewers, sorted(viewers, reverse=True), table.file)


REFERENCE = {
    "cells": [
        """
import pandas as pd

x, c = pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")
print(x.shape, c.shape, x.equals(c))
""",
        """
df = pd.concat([x, c], ignore_index=True).drop_duplicates()
df = df.sort_values("avg_us_viewers", ascending=False)
df.to_csv("output/14.csv", index=False)
print(df.head())
""",
    ],
    "answer": "Both files hold the same 53 rows; I merged them, removed the repeated rows, sorted by avg_us_viewers in descending order and saved ./output/14.csv.",
}
WRONG = {
    "ascending": {
        "why": "sorts the other way round",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df.sort_values("avg_us_viewers").to_csv("output/14.csv", index=False)
"""
        ],
        "answer": "Merged, sorted and saved to ./output/14.csv.",
    },
    "total-viewers": {
        "why": "sorts by the total instead of the average",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")]).drop_duplicates()
df.sort_values("total_us_viewers", ascending=False).to_csv("output/14.csv", index=False)
"""
        ],
        "answer": "Merged, sorted and saved to ./output/14.csv.",
    },
    "cross-product": {
        "why": "joins on the number of the game, so that a game shown by two networks comes four times",
        "cells": [
            """
import pandas as pd

df = pd.merge(pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv"), on="super_bowl")
df.sort_values("avg_us_viewers_x", ascending=False).to_csv("output/14.csv", index=False)
"""
        ],
        "answer": "Merged on super_bowl, sorted by viewers and saved to ./output/14.csv.",
    },
    "sorted-copy-lost": {
        "why": "sorts a copy and saves the unsorted table",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df.sort_values("avg_us_viewers", ascending=False)
df.to_csv("output/14.csv", index=False)
"""
        ],
        "answer": "Merged, sorted in descending order and saved to ./output/14.csv.",
    },
}
