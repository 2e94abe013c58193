# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "all-floats": {
        "why": "every number as a decimal; the workbook written by openpyxl with a bold head",
        "cells": [
            """
import pandas as pd
from openpyxl import Workbook
from openpyxl.styles import Font
x, c = pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")
for f in (x, c):
    for k in f.columns.drop("network"):
        f[k] = f[k].astype(float)
book = Workbook()
page = book.active
page.title = "tv"
page.append(list(x.columns))
for row in x.itertuples(index=False):
    page.append([None if v != v else v for v in row])
for cell in page[1]:
    cell.font = Font(bold=True)
book.save("output/9_1.xlsx")
c.to_csv("output/9_2.csv", index=False, float_format="%.1f")
"""
        ],
        "answer": "No numeric column was stored as text.",
    },
    "errors-ignored": {
        "why": "tries to_numeric on each column and keeps what fails",
        "cells": [
            """
import pandas as pd
def better(s):
    try:
        return pd.to_numeric(s)
    except (ValueError, TypeError):
        return s
pd.read_excel("data/tv.xlsx").apply(better).to_excel("output/9_1.xlsx", index=False, sheet_name="Data")
pd.read_csv("data/tv.csv").apply(better).to_csv("output/9_2.csv", index=False, encoding="utf-8-sig")
"""
        ],
    },
    "integers-kept": {
        "why": "copies of what was read",
        "cells": [
            'import pandas as pd\npd.read_excel("data/tv.xlsx").to_excel("output/9_1.xlsx", index=False)\npd.read_csv("data/tv.csv").to_csv("output/9_2.csv", index=False)'
        ],
        "answer": "Nothing needed converting.",
    },
}
NEAR_MISSES = {
    "zero-for-nothing": {
        "why": "0 where nothing is known",
        "edits": {
            "to_numbers(x).to_excel": "to_numbers(x).fillna(0).to_excel",
            "to_numbers(c).to_csv": "to_numbers(c).fillna(0).to_csv",
        },
    },
    "columns-exchanged": {
        "why": "average and total viewers exchanged in the workbook",
        "edits": {
            "to_numbers(x).to_excel": 'to_numbers(x).rename(columns={"avg_us_viewers": "total_us_viewers", "total_us_viewers": "avg_us_viewers"}).to_excel'
        },
    },
    "csv-as-workbook": {
        "why": "a csv under the workbook's name",
        "edits": {
            'to_numbers(x).to_excel("output/9_1.xlsx", index=False)': 'to_numbers(x).to_csv("output/9_1.xlsx", index=False)'
        },
    },
    "networks-coded": {
        "why": "numbers for the networks",
        "edits": {
            "to_numbers(x).to_excel": 'to_numbers(x).assign(network=x["network"].astype("category").cat.codes).to_excel'
        },
    },
    "in-millions": {
        "why": "viewers in millions under the old name",
        "edits": {
            "to_numbers(c).to_csv": 'to_numbers(c).assign(avg_us_viewers=c["avg_us_viewers"] / 1e6).to_csv'
        },
    },
    "rounded": {
        "why": "numbers rounded to integers",
        "edits": {
            "to_numbers(x).to_excel": "to_numbers(x).round(0).to_excel",
            "to_numbers(c).to_csv": "to_numbers(c).round(0).to_csv",
        },
    },
    "ten-rows": {
        "why": "ten rows",
        "edits": {"to_numbers(c).to_csv": "to_numbers(c).head(10).to_csv"},
    },
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
