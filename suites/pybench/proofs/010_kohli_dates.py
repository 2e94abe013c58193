# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "parsed-on-reading": {
        "why": "dates parsed on reading and written by pandas",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/Virat_Kohli_ODI.csv", parse_dates=["Start Date"])
df.to_csv("output/10.csv", index=False, date_format="%Y-%m-%d")
"""
        ],
        "answer": "All dates are now in the YYYY-MM-DD format.",
    },
    "csv-module": {
        "why": "with the csv module, each field in quotes",
        "cells": [
            """
import csv
from datetime import date
with open("data/Virat_Kohli_ODI.csv", newline="") as f:
    rows = list(csv.reader(f))
for row in rows[1:]:
    row[-1] = date.fromisoformat(row[-1]).isoformat()
with open("output/10.csv", "w", newline="") as f:
    csv.writer(f, quoting=csv.QUOTE_ALL).writerows(rows)
"""
        ],
    },
    "other-order-of-columns": {
        "why": "the date first",
        "edits": {
            "df.to_csv(": 'df = df[["Start Date", *[c for c in df if c != "Start Date"]]]\ndf.to_csv('
        },
    },
}
NEAR_MISSES = {
    "slashes": {
        "why": "slashes for dashes",
        "edits": {'strftime("%Y-%m-%d")': 'strftime("%Y/%m/%d")'},
    },
    "a-day-early": {
        "why": "each day one earlier",
        "edits": {
            'pd.to_datetime(df["Start Date"])': '(pd.to_datetime(df["Start Date"]) - pd.Timedelta(days=1))'
        },
    },
    "two-digit-years": {
        "why": "years of two digits",
        "edits": {'strftime("%Y-%m-%d")': 'strftime("%y-%m-%d")'},
    },
    "with-the-time": {
        "why": "with a time behind each date",
        "edits": {'strftime("%Y-%m-%d")': 'strftime("%Y-%m-%d %H:%M:%S")'},
    },
    "runs-and-minutes": {
        "why": "runs and minutes exchanged",
        "edits": {
            "df.to_csv(": 'df[["Runs", "Mins"]] = df[["Mins", "Runs"]].to_numpy()\ndf.to_csv('
        },
    },
    "years": {
        "why": "years alone",
        "edits": {
            '["Start Date"].str.fullmatch': '["Start Date"].astype(str).str.fullmatch',
            'strftime("%Y-%m-%d")': 'strftime("%Y")',
        },
    },
    "no-dashes": {
        "why": "no dashes",
        "edits": {
            '["Start Date"].str.fullmatch': '["Start Date"].astype(str).str.fullmatch',
            'strftime("%Y-%m-%d")': 'strftime("%Y%m%d")',
        },
    },
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
