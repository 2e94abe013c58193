# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "one-rule-alone": {
        "why": "says that another rule was not used",
        "cells": [
            """import shutil
shutil.copy("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv", "output/8.csv")"""
        ],
        "answer": "按 3 个标准差的规则检查，没有异常值，没有采用 IQR 方法。",
    },
    "dropped": {
        "why": "drops the rows beyond the quartile fences",
        "edits": {
            "    clean[column] = clean[column].clip(low, high)": "    clean = clean[(df[column] >= low) & (df[column] <= high)] if len(clean) == len(df) else clean[clean[column].between(low, high)]"
        },
        "answer": "Two outliers in Sales were found with the IQR rule and their rows removed.",
    },
    "none-by-sigma": {
        "why": "three standard deviations find none; the table stays as it is",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
num = df.iloc[:, 3:]
print((((num - num.mean()) / num.std()).abs() > 3).sum())
df.to_csv("output/8.csv", index=False)
"""
        ],
        "answer": "使用 3σ（Z 分数大于 3）方法检测，三列数值中均未发现异常值，因此数据保持不变并保存。",
    },
    "median": {
        "why": "the median in place of the two",
        "edits": {
            "    clean[column] = clean[column].clip(low, high)": "    clean.loc[(df[column] < low) | (df[column] > high), column] = df[column].median()"
        },
    },
    "means": {
        "why": "the mean of the others",
        "edits": {
            "    clean[column] = clean[column].clip(low, high)": "    far = (df[column] < low) | (df[column] > high)\n    clean.loc[far, column] = df.loc[~far, column].mean()"
        },
    },
}
NEAR_MISSES = {
    "columns-exchanged": {
        "why": "numbers and sales exchanged",
        "edits": {
            "clean.to_csv(": 'clean[["Number of trees sold", "Sales"]] = clean[["Sales", "Number of trees sold"]].to_numpy()\nclean.to_csv('
        },
    },
    "prices-capped": {
        "why": "caps prices instead of sales",
        "edits": {
            "    clean[column] = clean[column].clip(low, high)": "    clean['Average Tree Price'] = df['Average Tree Price'].clip(30, 60)"
        },
    },
    "in-millions": {
        "why": "sales in millions under the old name",
        "edits": {"clean.to_csv(": 'clean["Sales"] /= 1e6\nclean.to_csv('},
    },
    "unchanged-silently": {
        "why": "finds the two and leaves them",
        "edits": {"    clean[column] = clean[column].clip(low, high)": "    pass"},
    },
    "years-dropped": {
        "why": "drops the years before 2013",
        "edits": {"clean.to_csv(": 'clean = clean[clean["Year"] >= 2013]\nclean.to_csv('},
    },
    "twice-the-fence": {
        "why": "sales of the two doubled",
        "edits": {
            "    clean[column] = clean[column].clip(low, high)": "    clean.loc[(df[column] < low) | (df[column] > high), column] *= 2"
        },
    },
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
