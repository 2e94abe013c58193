# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "openpyxl": {
        "why": "by openpyxl, every cell as text, a named sheet",
        "cells": [
            """
import csv
from openpyxl import Workbook
book = Workbook()
page = book.active
page.title = "Turkey_Syria_Earthquake"
with open("data/Turkey_Syria_Earthquake.csv", newline="", encoding="utf-8") as f:
    for row in csv.reader(f):
        page.append(row)
page.freeze_panes = "A2"
book.save("output/11.xlsx")
"""
        ],
        "answer": "Done: output/11.xlsx.",
    },
    "plain": {
        "why": "read_csv and to_excel, nothing else",
        "cells": [
            'import pandas as pd\npd.read_csv("data/Turkey_Syria_Earthquake.csv").to_excel("output/11.xlsx", index=False)'
        ],
    },
    "index-as-index": {
        "why": "the counting column read as the index and written as such",
        "cells": [
            'import pandas as pd\npd.read_csv("data/Turkey_Syria_Earthquake.csv", index_col=0).to_excel("output/11.xlsx")'
        ],
    },
    "dates-as-dates": {
        "why": "times as real dates, without a zone",
        "edits": {
            "df.to_excel(": 'df["Date"] = pd.to_datetime(df["Date"]).dt.tz_localize(None)\ndf.to_excel('
        },
    },
}
NEAR_MISSES = {
    "counts-exchanged": {
        "why": "likes and retweets exchanged",
        "edits": {
            "df.to_excel(": 'df[["Like Count", "Retweet Count"]] = df[["Retweet Count", "Like Count"]].to_numpy()\ndf.to_excel('
        },
    },
    "cut-short": {
        "why": "messages cut after 80 characters",
        "edits": {"df.to_excel(": 'df["Content"] = df["Content"].str[:80]\ndf.to_excel('},
    },
    "days-alone": {
        "why": "days without times",
        "edits": {"df.to_excel(": 'df["Date"] = df["Date"].str[:10]\ndf.to_excel('},
    },
    "names-of-columns-lost": {
        "why": "no head",
        "edits": {"index=False)": "index=False, header=False)"},
    },
    "oldest-first": {
        "why": "the rows reversed",
        "edits": {"df.to_excel(": "df = df[::-1]\ndf.to_excel("},
    },
    "users-lost": {
        "why": "no user names",
        "edits": {"df.to_excel(": 'df = df.drop(columns="Username")\ndf.to_excel('},
    },
    "hours-shifted": {
        "why": "three hours later",
        "edits": {
            "df.to_excel(": 'df["Date"] = (pd.to_datetime(df["Date"]) + pd.Timedelta(hours=3)).astype(str)\ndf.to_excel('
        },
    },
}
