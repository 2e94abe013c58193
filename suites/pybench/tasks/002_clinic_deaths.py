# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Drop duplicated rows from a table of births and deaths by clinic."""

from runner.checks import Case
from runner.checks.data import tables
from runner.checks.values import number

INDEX = "2"
TITLE = "Deaths by clinic without duplicates"
CATEGORY = "chart"
OUTPUTS = ["2.csv"]
NOTE = "The released input holds no duplicate, so the right result has the rows of the input. Columns may be written with other capitals, blanks or underscores, clinics with other capitals. Told the delimiter, pandas must read the same table from the file: each name once, figures as plain numbers without thousands commas."
DEGENERATE = "The released input holds no duplicated row: a faithful copy is the answer."


def check(case: Case) -> None:
    from runner.checks.data import datasets

    expected = tables.source(case.data / "yearly_deaths_by_clinic.csv")
    table = datasets.read_as(case, "2.csv", expected)
    spelt = {str(cell).strip().casefold(): cell for row in table.rows for cell in row}
    rows = [
        [
            spelt.get(str(value).casefold(), value) if (found := number(value)) is None else found
            for value in row
        ]
        for row in dict.fromkeys(expected.rows)
    ]
    wanted = [dict(zip(expected.columns, row, strict=True)) for row in rows]
    tables.match(case, table, wanted, key=("year", "clinic"))


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/yearly_deaths_by_clinic.csv")
print(df.shape, df.duplicated().sum())
print(df.head())
""",
        """
df.drop_duplicates().to_csv("output/2.csv", index=False)
""",
    ],
    "answer": "I removed the duplicated rows (there were none) and saved 12 rows to ./output/2.csv.",
}
WRONG = {
    "one-row-a-year": {
        "why": "takes a repeated year for a duplicate, and so loses one of the two clinics",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/yearly_deaths_by_clinic.csv")
df.drop_duplicates(subset="year").to_csv("output/2.csv", index=False)
""",
        ],
        "answer": "Duplicates removed; saved to ./output/2.csv.",
    },
    "header-lost": {
        "why": "reads the header as a row and saves numbers in its place",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/yearly_deaths_by_clinic.csv", header=None)
df.drop_duplicates().to_csv("output/2.csv", index=False)
""",
        ],
        "answer": "Duplicates removed; saved to ./output/2.csv.",
    },
}
