# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Make sure that no number of a table, kept as xlsx and as csv, is stored as text."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "9"
TITLE = "Numbers stored as text in a TV table"
CATEGORY = "chart"
OUTPUTS = ["9_1.xlsx", "9_2.csv"]
NOTE = "The released inputs hold no number stored as text: both outputs have the inputs' rows, the numbers as numbers and the network's name as text."
DEGENERATE = "The released inputs hold no number stored as text: faithful copies are the answer."


def check(case: Case) -> None:
    from runner.checks.data import datasets

    for name, origin in (("9_1.xlsx", "tv.xlsx"), ("9_2.csv", "tv.csv")):
        source = tables.source(case.data / origin)
        table = datasets.renamed(tables.without_index(tables.read(case, name)), source.columns)
        datasets.expect_same_rows(case, table, source)
        if name.endswith(".xlsx"):
            expect_number_cells(case, table, source)


def expect_number_cells(case: Case, table: tables.Table, source: tables.Table) -> None:
    """Cells of a column of numbers are numbers, not text that looks like one."""
    from runner.checks.values import is_blank, number

    for column in source.columns:
        filled = [value for value in source.column(column) if not is_blank(value)]
        if column not in table.columns or any(number(value) is None for value in filled):
            continue
        text = [
            value
            for value in table.column(column)
            if isinstance(value, str) and not is_blank(value)
        ]
        example = f"text such as “{text[0]}”" if text else "numbers"
        case.expect(
            f"numbers in {column}",
            not text,
            "numbers",
            example,
            table.file,
            f"{table.file}: {column} holds {example} instead of numbers.",
        )


REFERENCE = {
    "cells": [
        """
import pandas as pd

x = pd.read_excel("data/tv.xlsx")
c = pd.read_csv("data/tv.csv")
print(x.dtypes, c.dtypes, x.head(), sep="\\n")
""",
        """
def to_numbers(df):
    for column in df.columns:
        if not pd.api.types.is_numeric_dtype(df[column]):
            converted = pd.to_numeric(df[column].astype(str).str.replace(",", ""), errors="coerce")
            if converted.notna().sum() == df[column].notna().sum():
                df[column] = converted.astype(float)
                print("converted", column)
    return df

to_numbers(x).to_excel("output/9_1.xlsx", index=False)
to_numbers(c).to_csv("output/9_2.csv", index=False)
print(x.dtypes)
""",
    ],
    "answer": "Only “network” is text and it holds names; no numeric column was stored as text, so nothing had to be converted. The files are ./output/9_1.xlsx and ./output/9_2.csv.",
}
WRONG = {
    "network-coerced": {
        "why": "converts every text column by force, so that the network's names become blanks",
        "cells": [
            """
import pandas as pd

x = pd.read_excel("data/tv.xlsx").apply(pd.to_numeric, errors="coerce")
c = pd.read_csv("data/tv.csv").apply(pd.to_numeric, errors="coerce")
x.to_excel("output/9_1.xlsx", index=False)
c.to_csv("output/9_2.csv", index=False)
"""
        ],
        "answer": "All columns were converted to numbers and saved.",
    },
    "made-text": {
        "why": "reads everything as text and writes the numbers back as text",
        "cells": [
            """
import pandas as pd

x = pd.read_excel("data/tv.xlsx", dtype=str)
c = pd.read_csv("data/tv.csv", dtype=str)
x.to_excel("output/9_1.xlsx", index=False)
c.to_csv("output/9_2.csv", index=False)
"""
        ],
        "answer": "Checked the columns and saved both files.",
    },
    "nulls-dropped": {
        "why": "drops the rows with a null, which nobody asked for",
        "cells": [
            """
import pandas as pd

pd.read_excel("data/tv.xlsx").dropna().to_excel("output/9_1.xlsx", index=False)
pd.read_csv("data/tv.csv").dropna().to_csv("output/9_2.csv", index=False)
"""
        ],
        "answer": "Converted and cleaned; both files are saved.",
    },
}
