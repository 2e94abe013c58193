# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "merged-on-all": {
        "why": "an outer merge on all columns; answers in English",
        "cells": [
            """
import pandas as pd
df = pd.merge(pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv"), how="outer")
df.sort_values(by=["avg_us_viewers", "ad_cost"], ascending=[False, True]).to_csv("output/15.csv", index=False, encoding="utf-8-sig")
"""
        ],
        "answer": "Sorted and saved.",
    },
    "stable-twice": {
        "why": "sorts twice, rows of both files kept",
        "cells": [
            """
import pandas as pd
df = pd.concat([pd.read_csv("data/tv.csv"), pd.read_excel("data/tv.xlsx")], ignore_index=True)
df = df.sort_values("ad_cost", kind="stable").sort_values("avg_us_viewers", ascending=False, kind="stable")
df.to_csv("output/15.csv", index=False)
"""
        ],
    },
    "as-spreadsheets-export": {
        "why": "as a spreadsheet exports text: tabs, UTF-16, line ends of Windows",
        "edits": {
            "index=False)": 'index=False, sep="\\t", encoding="utf-16", lineterminator="\\r\\n")'
        },
    },
    "index-kept": {
        "why": "with pandas' index",
        "edits": {'"output/15.csv", index=False': '"output/15.csv"'},
    },
}
NEAR_MISSES = {
    "both-ascending": {
        "why": "viewers ascending as well",
        "edits": {"ascending=[False, True]": "ascending=[True, True]"},
    },
    "total-viewers": {
        "why": "sorts by the total",
        "edits": {
            '["avg_us_viewers", "ad_cost"], ascending': '["total_us_viewers", "ad_cost"], ascending'
        },
    },
    "columns-exchanged": {
        "why": "two ratings exchanged",
        "edits": {
            "df.to_csv(": 'df = df.rename(columns={"rating_household": "rating_18_49", "rating_18_49": "rating_household"})\ndf.to_csv('
        },
    },
    "viewers-alone": {
        "why": "two columns only",
        "edits": {"df.to_csv(": 'df = df[["avg_us_viewers", "ad_cost"]]\ndf.to_csv('},
    },
    "viewers-only": {
        "why": "sorted by viewers, cost descending in the tie",
        "edits": {"ascending=[False, True]": "ascending=[False, False]"},
    },
    "rating-for-cost": {
        "why": "costs in thousands",
        "edits": {"df.to_csv(": 'df["ad_cost"] /= 1000\ndf.to_csv('},
    },
}
