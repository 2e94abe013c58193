# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "capped-at-percentiles": {
        "why": "drops rows with nulls and caps at the 5th and 95th percentile of the others",
        "cells": [
            """
import pandas as pd
clean = pd.read_csv("data/ThrowbackDataThursday - 202001 - Ozone Hole.csv").dropna().drop_duplicates()
for c in clean.columns[2:]:
    clean[c] = clean[c].clip(clean[c].quantile(0.05), clean[c].quantile(0.95))
clean.to_csv("output/5.csv", index=False)
"""
        ],
        "answer": "已删除含空值的行，没有重复行；异常值用 5% 与 95% 分位数截断，结果保存在 ./output/5.csv。",
    },
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
    "means-without-the-year": {
        "why": "fills the figures by their means, the year by its place",
        "edits": {
            "clean[columns] = clean[columns].interpolate()": "clean[columns] = clean[columns].fillna(clean[columns].mean().round(1))"
        },
    },
    "nearest-neighbours": {
        "why": "fills by the nearest rows, as scikit-learn finds them",
        "edits": {
            "clean[columns] = clean[columns].interpolate()": "from sklearn.impute import KNNImputer\nclean[['Year', *columns]] = KNNImputer(n_neighbors=3).fit_transform(clean[['Year', *columns]])\nclean['Year'] = clean['Year'].astype(int)"
        },
    },
    "regression": {
        "why": "fills each column by a regression on the others",
        "edits": {
            "clean[columns] = clean[columns].interpolate()": "from sklearn.experimental import enable_iterative_imputer\nfrom sklearn.impute import IterativeImputer\nclean[['Year', *columns]] = IterativeImputer(random_state=0).fit_transform(clean[['Year', *columns]])\nclean['Year'] = clean['Year'].round().astype(int)"
        },
    },
    "filled-backwards-sorted-by-area": {
        "why": "fills by the next year, medians where that is missing",
        "edits": {
            "clean[columns] = clean[columns].interpolate()": "clean[columns] = clean[columns].bfill().fillna(clean[columns].median())"
        },
        "answer": "- Missing values: 6, filled backwards.\n- Duplicates: none.\n- Outliers: one (225 DU in 1979) by the IQR rule, not removed because it is a real measurement.",
    },
}
NEAR_MISSES = {
    "outliers-not-looked-at": {
        "why": "fills the nulls, and says that it did not look for outliers",
        "edits": {"clean[column] = clean[column].clip(low, high)": "pass"},
        "answer": "空值已填充，没有重复值；异常值没有检查。",
    },
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
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
