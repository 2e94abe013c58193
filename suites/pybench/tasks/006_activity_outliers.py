# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Detect and treat outliers in a table of daily activity."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "6"
TITLE = "Outliers of daily activity"
CATEGORY = "chart"
OUTPUTS = ["6.csv"]
NOTE = "The query leaves the method open: rows may be dropped, or cells blanked, capped or replaced, by fences of quartiles, standard deviations or percentiles. At least half of the cells that lie beyond the 1.5 IQR fence and three standard deviations must be gone, and nothing but outliers be touched. Whole rows that are the most remote by all columns together, as an isolation forest or Mahalanobis distances find them, may be dropped instead; rows that stand out from their neighbours alone (local outlier factor) are mostly not among them."

KEYS = ["Id", "ActivityDate"]


def check(case: Case) -> None:
    from runner.checks.data import datasets, outliers

    source = with_plain_days(tables.source(case.data / "activity_clean.csv"))
    table = datasets.renamed(tables.without_index(tables.read(case, "6.csv")), source.columns)
    measures = [name for name in source.columns if name not in KEYS]
    table = with_plain_days(table)
    outliers.expect_outliers_treated(case, table, source, KEYS, measures, 3)


def with_plain_days(table: tables.Table) -> tables.Table:
    """The table with its dates as YYYY-MM-DD, whichever way they are written."""
    import re

    if "ActivityDate" not in table.columns:
        return table
    place = table.columns.index("ActivityDate")

    def plain_day(value: object) -> object:
        match = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", str(value).strip())
        if match:
            return f"{match[3]}-{int(match[1]):02d}-{int(match[2]):02d}"
        return str(value).strip()[:10]

    rows = tuple((*row[:place], plain_day(row[place]), *row[place + 1 :]) for row in table.rows)
    return tables.Table(table.file, table.columns, rows)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/activity_clean.csv")
print(df.shape)
print(df.describe().T)
""",
        """
columns = df.select_dtypes("number").columns.drop("Id")
q1, q3 = df[columns].quantile(0.25), df[columns].quantile(0.75)
iqr = q3 - q1
low, high = q1 - 1.5 * iqr, q3 + 1.5 * iqr
outside = (df[columns] < low) | (df[columns] > high)
print(outside.sum())
clean = df.copy()
used = iqr[iqr > 0].index
clean[used] = clean[used].astype(float).clip(low[used], high[used], axis=1)
clean.to_csv("output/6.csv", index=False)
print(clean.describe().T)
""",
    ],
    "answer": "I detected outliers with the 1.5 × IQR rule in every numeric column and capped them at the fences; the 940 rows are kept. Saved to ./output/6.csv.",
}
WRONG = {
    "copy": {
        "why": "detects the outliers, and saves the table as it was",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/activity_clean.csv")
n = df.select_dtypes("number")
z = (n - n.mean()) / n.std()
clean = df[(z.abs() < 3).all(axis=1)]
df.to_csv("output/6.csv", index=False)
"""
        ],
        "answer": "Outliers were removed; the cleaned data is in ./output/6.csv.",
    },
    "outliers-kept": {
        "why": "turns the filter round and saves the outliers alone",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/activity_clean.csv")
n = df.select_dtypes("number").drop(columns="Id")
z = (n - n.mean()) / n.std()
df[(z.abs() > 3).any(axis=1)].to_csv("output/6.csv", index=False)
"""
        ],
        "answer": "Outliers handled by z-score; saved to ./output/6.csv.",
    },
    "one-column-only": {
        "why": "looks at a single column of thirteen",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/activity_clean.csv")
q1, q3 = df["Calories"].quantile([0.25, 0.75])
df[df["Calories"].between(q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1))].to_csv("output/6.csv", index=False)
"""
        ],
        "answer": "The outliers were removed and the data saved to ./output/6.csv.",
    },
    "key-columns-lost": {
        "why": "drops outlying rows, and saves only the numbers, without person and day",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/activity_clean.csv")
n = df.select_dtypes("number").drop(columns="Id")
z = (n - n.mean()) / n.std()
n[(z.abs() < 3).all(axis=1)].to_csv("output/6.csv", index=False)
"""
        ],
        "answer": "The outliers were removed and the data saved to ./output/6.csv.",
    },
}
