# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "dropped": {
        "why": "drops rows with nulls and the one outlying row",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/ThrowbackDataThursday - 202001 - Ozone Hole.csv")
clean = df.dropna().drop_duplicates()
for c in clean.columns[2:]:
    q1, q3 = clean[c].quantile(0.25), clean[c].quantile(0.75)
    clean = clean[clean[c].between(q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1))]
clean.to_csv("output/5.csv", index=False)
print("rows:", len(clean))
"""
        ],
        "answer": "已删除含空值的行与异常值所在的行，没有重复行，剩 «rows» 行。",
    },
    "kept-by-z-score": {
        "why": "fills by neighbours, finds no outlier by three standard deviations and says so",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/ThrowbackDataThursday - 202001 - Ozone Hole.csv")
year = df["index"] + 1979
print((year == df["Year"]).sum())
df["Year"] = df["Year"].fillna(year).astype(int)
df = df.ffill().drop_duplicates()
z = (df.iloc[:, 2:] - df.iloc[:, 2:].mean()) / df.iloc[:, 2:].std()
print((z.abs() > 3).sum())
df.to_csv("output/5.csv", index=False)
"""
        ],
        "answer": "- 空值：6 个，已用前一年的值填充（年份按顺序补全）\n- 重复值：无\n- 异常值：用 3σ 准则检查，没有发现异常值，全部保留",
    },
    "winsorised-by-fill": {
        "why": "fills by the median of the neighbours, pulls the outlier to the fence",
        "edits": {
            "clean[columns] = clean[columns].interpolate()": "clean[columns] = clean[columns].fillna(clean[columns].rolling(5, center=True, min_periods=1).median())"
        },
    },
}
NEAR_MISSES = {
    "columns-exchanged": {
        "why": "area and ozone exchanged",
        "edits": {
            "clean.to_csv(": "clean[columns] = clean[columns[::-1]].to_numpy()\nclean.to_csv("
        },
    },
    "years-shifted": {
        "why": "every year one later",
        "edits": {"clean.to_csv(": 'clean["Year"] += 1\nclean.to_csv('},
    },
    "year-left-null": {
        "why": "leaves the year that is missing",
        "edits": {'clean["Year"] = clean["Year"].interpolate().round().astype(int)\n': ""},
    },
    "normalised": {
        "why": "scales the figures to 0 to 1, which nobody asked for",
        "edits": {
            "clean.to_csv(": "clean[columns] = (clean[columns] - clean[columns].min()) / (clean[columns].max() - clean[columns].min())\nclean.to_csv("
        },
    },
    "half-dropped": {
        "why": "keeps the middle half of each column",
        "edits": {
            "clean[column] = clean[column].clip(low, high)": "clean = clean[clean[column].between(q1, q3)]"
        },
    },
    "area-tenfold": {
        "why": "areas tenfold",
        "edits": {"clean.to_csv(": "clean[columns[0]] *= 10\nclean.to_csv("},
    },
    "every-second-year": {
        "why": "every second row",
        "edits": {"clean.to_csv(": "clean = clean[::2]\nclean.to_csv("},
    },
}
GAMERS = {
    "words-for-nulls": {
        "why": "words in place of nulls",
        "edits": {
            "clean = df.copy()": """df.astype(object).fillna('unknown').to_csv('output/5.csv', index=False)
clean = df.copy()""",
            "clean.to_csv(": "df.astype(object).fillna('unknown').to_csv(",
        },
    },
    "one-row": {
        "why": "a single row without a null",
        "edits": {
            "clean.to_csv(": """clean = clean.head(1)
clean.to_csv(""",
        },
    },
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
