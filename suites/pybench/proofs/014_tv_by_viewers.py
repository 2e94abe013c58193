# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "merged-with-endings": {
        "why": "merged by game and network, so that each other column is there twice with an ending",
        "cells": [
            """
import pandas as pd
df = pd.merge(pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv"), on=["super_bowl", "network"], suffixes=("_xlsx", "_csv"))
df.sort_values("avg_us_viewers_csv", ascending=False).to_csv("output/14.csv", index=False)
"""
        ],
        "answer": "Merged and sorted by average US viewers.",
    },
    "semicolons-and-index": {
        "why": "fields apart by semicolons, an index in front, words for nulls",
        "cells": [
            """
import pandas as pd
df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df = df.sort_values("avg_us_viewers", ascending=False)
df.to_csv("output/14.csv", sep=";", na_rep="NaN")
"""
        ],
    },
    "merged-on-all": {
        "why": "an outer merge on all columns",
        "cells": [
            """
import pandas as pd
df = pd.merge(pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv"), how="outer")
df.sort_values(by="avg_us_viewers", ascending=False).reset_index(drop=True).to_csv("output/14.csv", index=False)
"""
        ],
        "answer": "Merged (53 rows) and sorted by avg_us_viewers, highest first.",
    },
    "each-row-twice": {
        "why": "one below the other, repeated rows kept, with an index",
        "cells": [
            """
import pandas as pd
df = pd.concat([pd.read_csv("data/tv.csv"), pd.read_excel("data/tv.xlsx")])
df.sort_values("avg_us_viewers", ascending=False).to_csv("output/14.csv")
"""
        ],
    },
    "one-read": {
        "why": "sorted by hand, one file's rows",
        "cells": [
            'import csv\nwith open("data/tv.csv", newline="") as f:\n    r = list(csv.DictReader(f))\nr.sort(key=lambda d: -float(d["avg_us_viewers"]))\nwith open("output/14.csv", "w", newline="") as f:\n    w = csv.DictWriter(f, r[0].keys())\n    w.writeheader()\n    w.writerows(r)'
        ],
    },
}
NEAR_MISSES = {
    "as-text": {
        "why": "sorts the numbers as text",
        "edits": {
            'df.sort_values("avg_us_viewers", ascending=False)': 'df.sort_values("avg_us_viewers", ascending=False, key=lambda s: s.astype(str))'
        },
    },
    "columns-exchanged": {
        "why": "average and total exchanged after sorting",
        "edits": {
            "df.to_csv(": 'df = df.rename(columns={"avg_us_viewers": "total_us_viewers", "total_us_viewers": "avg_us_viewers"})\ndf.to_csv('
        },
    },
    "column-alone-sorted": {
        "why": "sorts the one column and leaves the others",
        "edits": {
            'df = df.sort_values("avg_us_viewers", ascending=False)': 'df["avg_us_viewers"] = sorted(df["avg_us_viewers"], reverse=True)'
        },
    },
    "nulls-dropped": {
        "why": "drops rows with a null",
        "edits": {".drop_duplicates()": ".drop_duplicates().dropna()"},
    },
    "top-ten": {"why": "the first ten", "edits": {"df.to_csv(": "df = df.head(10)\ndf.to_csv("}},
    "networks-shifted": {
        "why": "networks one row further",
        "edits": {
            "df.to_csv(": 'df["network"] = df["network"].tolist()[-1:] + df["network"].tolist()[:-1]\ndf.to_csv('
        },
    },
}
