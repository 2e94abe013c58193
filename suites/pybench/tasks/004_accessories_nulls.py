# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Drop nulls from a table that has a header and not one row."""

from collections.abc import Sequence

from runner.checks import Case
from runner.checks.data import tables

INDEX = "4"
TITLE = "Nulls of a table without rows"
CATEGORY = "chart"
OUTPUTS = ["4.csv"]
NOTE = "The released input is a header without rows, so the right result is that header and nothing else."
DEGENERATE = "The released input holds no row, so nothing that could be null: a copy is the answer."


def check(case: Case) -> None:
    from runner.checks.data import datasets

    source = tables.source(case.data / "accessories_organizer.csv")
    table = tables.without_index(tables.read(case, "4.csv"))
    if table.columns and not table.columns[0] and not table.rows:
        table = tables.Table(table.file, table.columns[1:], ())  # the index of an empty frame
    spoiled = [name for name in table.columns if is_spoiled(name, source.columns)]
    case.expect(
        "names of columns",
        not spoiled,
        "letters, digits and single signs between words",
        spoiled[:2] or "such",
        table.file,
        f"{table.file} has the column name “{spoiled[0][:60] if spoiled else ''}”.",
    )
    table = datasets.renamed(table, source.columns)
    wanted = sorted(source.columns)
    case.expect(
        "columns",
        sorted(table.columns) == wanted,
        ", ".join(wanted),
        ", ".join(table.columns),
        table.file,
    )
    lines = tables.text_of(case.output / "4.csv").splitlines()
    below = [line for line in lines[1:] if line.strip()]
    if not source.rows:
        case.equal("lines below the names", below[:3], [], table.file)
    complete = [row for row in source.rows if all(str(value or "").strip() for value in row)]
    case.expect(
        "rows", len(table.rows) == len(complete), len(complete), len(table.rows), table.file
    )


def is_spoiled(name: str, known: Sequence[str]) -> bool:
    """True if a name has signs that separate no words, or one after nearly each letter."""
    import re

    letters = len(re.sub(r"[\W_]", "", name))
    strange = re.search(r"[^\w\s.()\[\]/:-]", name)
    return name not in known and bool(strange or (letters > 4 and len(name) > 1.5 * letters))


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/accessories_organizer.csv")
print(df.shape)
print(df.isna().sum())
""",
        """
df.dropna().to_csv("output/4.csv", index=False)
print(open("output/4.csv").read())
""",
    ],
    "answer": "The file has 14 columns but no row, so there was no null to remove; I saved the cleaned table, which is the header alone, to ./output/4.csv.",
}
WRONG = {
    "rows-made-up": {
        "why": "fills an empty table with a row of its own invention",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/accessories_organizer.csv")
df.loc[0] = ["unknown"] * df.shape[1]
df.fillna("unknown").to_csv("output/4.csv", index=False)
"""
        ],
        "answer": "All nulls were replaced; saved to ./output/4.csv.",
    },
    "columns-dropped": {
        "why": "takes the empty columns for columns of nulls and drops most of them",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/accessories_organizer.csv")
df[["brand", "product_name", "category", "price", "rating"]].to_csv("output/4.csv", index=False)
"""
        ],
        "answer": "I removed the empty columns and saved the rest to ./output/4.csv.",
    },
}
