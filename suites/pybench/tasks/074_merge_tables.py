# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Merge two tables of tennis matches, which turn out to be one and the same."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "74"
TITLE = "合并两个表格"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = ["74.xlsx"]
NOTE = "Both files hold the same 394 rows, so three readings are right: one below the other, the union without duplicates, or both as sheets of one workbook."
DEGENERATE = "The union of the two inputs is the second of them: a copy of it is an answer."


def check(case: Case) -> None:
    from collections import Counter

    from runner.checks.data import datasets

    table = tables.without_index(tables.read(case, "74.xlsx"))
    source = tables.source(case.data / "wta_matches_qual_itf_1975.csv")
    other = tables.source(case.data / "wta_matches_qual_itf_1975.xlsx")
    if not datasets.expect_all_columns(case, table, source.columns, len(source.columns) + 2):
        return
    stacked = Counter(rows_of(source, source.columns)) + Counter(rows_of(other, source.columns))
    union = Counter(dict.fromkeys(stacked, 1))
    found = Counter(rows_of(table, source.columns))
    for name in sheets_of(case)[1:]:
        sheet = tables.without_index(tables.read(case, "74.xlsx", name))
        if all(c in sheet.columns for c in source.columns):
            found += Counter(rows_of(sheet, source.columns))
    lost = [row for row in union if row not in found]
    case.expect(
        "no row is lost",
        not lost,
        f"{len(union)} different rows",
        f"{len(union) - len(lost)} of them",
        "74.xlsx",
        f"74.xlsx lacks {len(lost)} of the {len(union)} different rows.",
    )
    alien = [row for row in found if row not in union]
    case.expect(
        "no row is altered",
        not alien,
        "none",
        len(alien),
        "74.xlsx",
        f"74.xlsx holds {len(alien)} rows that stand in neither table.",
    )
    total = sum(found.values())
    case.expect(
        "merged",
        found in (stacked, union),
        f"{sum(stacked.values())} rows, or {len(union)} without duplicates",
        total,
        "74.xlsx",
        f"74.xlsx holds {total} rows.",
    )


def sheets_of(case: Case) -> list:
    import openpyxl

    with case.reading("74.xlsx", "xlsx") as path:
        return openpyxl.load_workbook(path, read_only=True).sheetnames[:5]


def rows_of(table, columns) -> list:
    from runner.checks.data.datasets import cell

    places = [table.columns.index(c) for c in columns]
    return [tuple(cell(row[p]) for p in places) for row in table.rows]


REFERENCE = {
    "cells": [
        """
import pandas as pd

first = pd.read_csv("data/wta_matches_qual_itf_1975.csv")
second = pd.read_excel("data/wta_matches_qual_itf_1975.xlsx")
print(first.shape, second.shape, list(first.columns) == list(second.columns))
""",
        """
merged = pd.concat([first, second], ignore_index=True)
print(len(merged), merged.duplicated().sum())
merged.to_excel("output/74.xlsx", index=False)
""",
    ],
    "answer": "两个表格内容完全相同，合并后共 788 行，已存为 ./output/74.xlsx。",
}
WRONG = {
    "joined-on-tournament": {
        "why": "joins on the tournament's id and so multiplies the rows",
        "cells": [
            """
import pandas as pd

first = pd.read_csv("data/wta_matches_qual_itf_1975.csv")
second = pd.read_excel("data/wta_matches_qual_itf_1975.xlsx")
merged = first.merge(second[["tourney_id", "match_num"]], on="tourney_id", suffixes=("", "_y"))
merged.drop(columns="match_num_y").head(2000).to_excel("output/74.xlsx", index=False)
""",
        ],
        "answer": "已合并并存为 ./output/74.xlsx。",
    },
    "head-only": {
        "why": "saves the first rows that it looked at",
        "cells": [
            "import pandas as pd\npd.read_excel('data/wta_matches_qual_itf_1975.xlsx').head(50).to_excel('output/74.xlsx', index=False)"
        ],
        "answer": "已合并并存为 ./output/74.xlsx。",
    },
    "side-by-side": {
        "why": "sets the tables side by side and leaves numbers for the second one's names",
        "cells": [
            "import pandas as pd\na = pd.read_csv('data/wta_matches_qual_itf_1975.csv')\nb = pd.read_excel('data/wta_matches_qual_itf_1975.xlsx')\n"
            "pd.concat([a, b], axis=1, ignore_index=True).to_excel('output/74.xlsx', index=False)"
        ],
        "answer": "已合并并存为 ./output/74.xlsx。",
    },
}
