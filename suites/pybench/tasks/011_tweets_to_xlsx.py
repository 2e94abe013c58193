# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Save a table of short messages as a spreadsheet without losing any."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "11"
TITLE = "A csv of messages as a spreadsheet"
CATEGORY = "chart"
OUTPUTS = ["11.xlsx"]
NOTE = "The ids have 19 digits, of which a spreadsheet keeps 15 as a number: they are compared to fourteen digits, whichever way they are stored. Times may be written with or without their zone. A conversion keeps every row in its place: the order of the rows is compared."


def check(case: Case) -> None:
    from runner.checks.data import datasets

    table = bare(tables.read(case, "11.xlsx"))
    source = bare(tables.source(case.data / "Turkey_Syria_Earthquake.csv"))
    table, source = comparable(table), comparable(source)
    if datasets.expect_same_rows(case, table, source):
        order = ["Id", "Content"]
        found, wanted = (
            [[datasets.cell(row[c]) for c in order] for row in datasets.rows_of(t)]
            for t in (table, source)
        )
        case.equal("order of the rows", found, wanted, table.file)


def bare(table: tables.Table) -> tables.Table:
    """`table` without its counting columns, of which a second one comes with an index saved."""
    return tables.without_index(tables.without_index(table))


def comparable(table: tables.Table) -> tables.Table:
    """Ids as numbers, times without a zone, texts without what a spreadsheet escapes."""
    import re

    from runner.checks.values import number

    def changed(column: str, value: object) -> object:
        if column == "Id":
            return "" if number(value) is None else value
        text = re.sub(
            r"_x000D_|[\x00-\x08\x0b\x0c\x0e-\x1f]", " ", "" if value is None else str(value)
        )
        return text.replace("+00:00", "")[:19] if column == "Date" else text

    rows = tuple(
        tuple(changed(column, value) for column, value in zip(table.columns, row, strict=True))
        for row in table.rows
    )
    return tables.Table(table.file, table.columns, rows)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Turkey_Syria_Earthquake.csv")
print(df.shape, df.dtypes, sep="\\n")
""",
        """
df["Id"] = df["Id"].astype(str)  # a spreadsheet keeps 15 digits of a number
df.to_excel("output/11.xlsx", index=False)
print(pd.read_excel("output/11.xlsx", dtype={"Id": str}).shape)
""",
    ],
    "answer": "The 1001 rows are saved as ./output/11.xlsx.",
}
WRONG = {
    "csv-with-another-name": {
        "why": "copies the csv and only changes its name",
        "cells": [
            """
import shutil

shutil.copy("data/Turkey_Syria_Earthquake.csv", "output/11.xlsx")
"""
        ],
        "answer": "The file was saved as ./output/11.xlsx.",
    },
    "first-rows-only": {
        "why": "saves what was looked at, the head of the table",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Turkey_Syria_Earthquake.csv", nrows=100)
df.to_excel("output/11.xlsx", index=False)
"""
        ],
        "answer": "The file was saved as ./output/11.xlsx.",
    },
    "rows-with-nulls-lost": {
        "why": "drops the rows without a place, nearly all of them",
        "cells": [
            """
import pandas as pd

pd.read_csv("data/Turkey_Syria_Earthquake.csv").dropna().to_excel("output/11.xlsx", index=False)
"""
        ],
        "answer": "The data was cleaned and saved as ./output/11.xlsx.",
    },
    "split-at-line-ends": {
        "why": "splits the csv by hand at line ends and commas, so that messages fall apart",
        "cells": [
            """
import openpyxl

book = openpyxl.Workbook()
for line in open("data/Turkey_Syria_Earthquake.csv", encoding="utf-8"):
    book.active.append(["'" + part for part in line.rstrip().split(",")])
book.save("output/11.xlsx")
"""
        ],
        "answer": "Saved as ./output/11.xlsx.",
    },
}
