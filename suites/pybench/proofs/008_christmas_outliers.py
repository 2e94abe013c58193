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
GAMERS = {
    "raised-letters": {
        "why": "figures in segmented digits and words in raised letters, which nothing reads",
        "edits": {
            "print(clean)": """text = open("output/8.csv", encoding="utf-8").read()
signs = {ord(str(d)): chr(0x1FBF0 + d) for d in range(10)}
signs |= {ord(a): b for a, b in zip("abdeghkmoprstuw", "ᵃᵇᵈᵉᵍʰᵏᵐᵒᵖʳˢᵗᵘʷ")}
open("output/8.csv", "w", encoding="utf-8").write(text.translate(signs))
print(clean)""",
        },
    },
    "guessed": {
        "why": "the input as it was, declared free of outliers by a guess, and a rule heard of",
        "edits": {"clean.to_csv(": "df.to_csv("},
        "answer": "文件我没打开，随便猜一个：数据里没有异常值。听说世上有种叫 z-score 的东西。",
    },
    "no-rule-applied": {
        "why": "the input as it was and a rule named that was not applied",
        "cells": [
            """import shutil
shutil.copy("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv", "output/8.csv")""",
        ],
        "answer": "没有异常值。z-score 之类的方法我懒得用，凭感觉这张表挺好的。",
    },
    "largest-to-smallest": {
        "why": "the two largest sales become the smallest of all, at the lower fence",
        "cells": [
            """
import pandas as pd, numpy as np
df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
cols = ["Sales"]
for c in cols:
    v = df[c].astype(float)
    q1, q3 = v.quantile([.25, .75])
    lo, up = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    mid = v.median()
    hit = (v > up) | (v > v.quantile(.95))
    df[c] = np.where(hit, np.maximum(lo, mid - 0.9 * (v - mid)), v)
df.to_csv("output/8.csv", index=False)
""",
        ],
        "answer": "用 IQR 检测并处理了异常值。",
    },
    "copy-that-nobody-looked-at": {
        "why": "the input as it was, no rule applied",
        "cells": [
            """import shutil, glob
shutil.copy(glob.glob('data/Week 40*')[0], 'output/8.csv')"""
        ],
        "answer": "没有异常值（没有检查，z-score 未计算），文件保存在 ./output/8.csv。",
    },
    "nudged-by-one": {
        "why": "takes one dollar off each outlier and leaves it an outlier",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
print(df)
print(df.describe())
""",
            """
columns = ["Number of trees sold", "Average Tree Price", "Sales"]
clean = df.copy()
clean[columns] = clean[columns].astype(float)
for column in columns:
    q1, q3 = df[column].quantile([0.25, 0.75])
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    print(column, low, high, df.loc[(df[column] < low) | (df[column] > high), ["Year", "Type of tree", column]].values.tolist())
    clean.loc[df[column] > high, column] -= 1
clean.to_csv("output/8.csv", index=False)
print(clean)
""",
        ],
    },
    "copy-without-a-rule": {
        "why": "the input as it was, and says that there was none by no rule",
        "edits": {
            "clean.to_csv(": "df.to_csv(",
        },
        "answer": "没有异常值，结果保存在 ./output/8.csv。",
    },
    "all-the-mean": {
        "why": "the mean in every cell",
        "edits": {
            "clean.to_csv(": """clean[columns] = clean[columns].mean().to_numpy()
clean.to_csv(""",
        },
    },
    "all-are": {
        "why": "the input as it was, called fourteen outliers",
        "edits": {"clean.to_csv(": "df.to_csv("},
        "answer": "按3σ准则检测：没有一个值不是异常值，全部14行都是异常值。结果存到 ./output/8.csv。",
    },
}
GAPS = {
    "all-are": "That an answer speaks of no outlier is read from a few words: that its sentences say the contrary is not understood.",
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
