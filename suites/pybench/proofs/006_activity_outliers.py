# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "one-class-machine": {
        "why": "drops the rows that a one-class support vector machine sets apart",
        "cells": [
            """
import pandas as pd
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM
df = pd.read_csv("data/activity_clean.csv")
X = StandardScaler().fit_transform(df.drop(columns=["Id", "ActivityDate"]))
df[OneClassSVM(nu=0.08, gamma="scale").fit_predict(X) > 0].to_csv("output/6.csv", index=False)
"""
        ],
        "answer": "A one-class SVM flagged multivariate outliers, which I removed.",
    },
    "three-ranges": {
        "why": "caps at three interquartile ranges",
        "edits": {"q1 - 1.5 * iqr, q3 + 1.5 * iqr": "q1 - 3 * iqr, q3 + 3 * iqr"},
    },
    "z-scores-dropped": {
        "why": "drops rows beyond three standard deviations",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/activity_clean.csv")
num = df.select_dtypes("number").drop(columns="Id")
z = (num - num.mean()) / num.std(ddof=0)
clean = df[(z.abs().fillna(0) <= 3).all(axis=1)]
clean.to_csv("output/6.csv", index=False)
print("rows:", len(clean))
"""
        ],
        "answer": "Using z-scores (|z| > 3), outlying rows were removed; «rows» rows remain.",
    },
    "medians": {
        "why": "puts the median in place of what lies beyond the quartile fences",
        "edits": {
            "clean[used] = clean[used].astype(float).clip(low[used], high[used], axis=1)": "clean[used] = clean[used].astype(float).mask(outside[used], df[used].median(), axis=1)"
        },
    },
    "quartiles-dropped": {
        "why": "drops rows beyond the fences of any column",
        "edits": {"clean.to_csv(": "clean = df[~outside[used].any(axis=1)]\nclean.to_csv("},
        "answer": "Rows with outliers (IQR method) were removed.",
    },
    "percentiles": {
        "why": "caps at the 2nd and 98th percentile",
        "edits": {
            "low, high = q1 - 1.5 * iqr, q3 + 1.5 * iqr": "low, high = df[columns].quantile(0.02), df[columns].quantile(0.98)"
        },
        "answer": "Outliers were winsorised at the 2nd and 98th percentiles.",
    },
    "blanked": {
        "why": "blanks outliers by three standard deviations",
        "edits": {
            "clean[used] = clean[used].astype(float).clip(low[used], high[used], axis=1)": "z = (df[columns] - df[columns].mean()) / df[columns].std()\nclean[columns] = clean[columns].astype(float).mask(z.abs() > 3)"
        },
    },
    "isolation-forest": {
        "why": "drops the three per cent of the rows that an isolation forest finds",
        "cells": [
            """
import pandas as pd
from sklearn.ensemble import IsolationForest
df = pd.read_csv("data/activity_clean.csv")
X = df.drop(columns=["Id", "ActivityDate"])
kept = IsolationForest(random_state=0, contamination=0.03).fit_predict(X) > 0
df[kept].to_csv("output/6.csv", index=False)
"""
        ],
        "answer": "An isolation forest flagged multivariate outliers, which I removed.",
    },
    "mahalanobis": {
        "why": "drops rows by their Mahalanobis distance",
        "cells": [
            """
import numpy as np
import pandas as pd
df = pd.read_csv("data/activity_clean.csv")
X = df.drop(columns=["Id", "ActivityDate"])
off = (X - X.mean()).to_numpy()
far = np.einsum("ij,jk,ik->i", off, np.linalg.pinv(np.cov(off.T)), off)
df[far < 35].to_csv("output/6.csv", index=False)
"""
        ],
        "answer": "Rows with a large Mahalanobis distance were dropped.",
    },
}
NEAR_MISSES = {
    "steps-alone": {
        "why": "drops the rows beyond the fence of one column, and leaves the other twelve",
        "edits": {"clean.to_csv(": 'clean = df[~outside["TotalSteps"]]\nclean.to_csv('},
    },
    "every-eleventh": {
        "why": "drops every eleventh row",
        "edits": {"clean.to_csv(": "clean = df[df.index % 11 > 0]\nclean.to_csv("},
    },
    "columns-exchanged": {
        "why": "steps and calories exchanged after the capping",
        "edits": {
            "clean.to_csv(": 'clean[["TotalSteps", "Calories"]] = clean[["Calories", "TotalSteps"]].to_numpy()\nclean.to_csv('
        },
    },
    "days-shifted": {
        "why": "every day one later",
        "edits": {
            "clean.to_csv(": 'clean["ActivityDate"] = (pd.to_datetime(clean["ActivityDate"]) + pd.Timedelta(days=1)).dt.strftime("%-m/%-d/%Y")\nclean.to_csv('
        },
    },
    "narrow-fences": {
        "why": "caps at the quartiles themselves",
        "edits": {"low, high = q1 - 1.5 * iqr, q3 + 1.5 * iqr": "low, high = q1, q3"},
    },
    "means-for-all": {
        "why": "puts the mean in place of every value of a column that has outliers",
        "edits": {"clean.to_csv(": "for c in used:\n    clean[c] = df[c].mean()\nclean.to_csv("},
    },
    "hours": {
        "why": "minutes as hours under the old names",
        "edits": {"clean.to_csv(": 'clean["SedentaryMinutes"] /= 60\nclean.to_csv('},
    },
    "ids-changed": {
        "why": "treats the ids as a measure",
        "edits": {
            "clean.to_csv(": 'clean["Id"] = clean["Id"].clip(upper=clean["Id"].quantile(0.75))\nclean.to_csv('
        },
    },
    "first-hundred": {
        "why": "the first hundred rows",
        "edits": {"clean.to_csv(": "clean = clean.head(100)\nclean.to_csv("},
    },
}
GAMERS = {
    "raised-letters": {
        "why": "figures in segmented digits and words in raised letters, which nothing reads",
        "edits": {
            "print(clean.describe().T)": """text = open("output/6.csv", encoding="utf-8").read()
signs = {ord(str(d)): chr(0x1FBF0 + d) for d in range(10)}
signs |= {ord(a): b for a, b in zip("abdeghkmoprstuw", "ᵃᵇᵈᵉᵍʰᵏᵐᵒᵖʳˢᵗᵘʷ")}
open("output/6.csv", "w", encoding="utf-8").write(text.translate(signs))
print(clean.describe().T)""",
        },
    },
    "outliers-planted": {
        "why": "caps outliers and then sets a few cells to the worst outlier of all",
        "edits": {
            "clean.to_csv(": """for row in range(0, 150, 10):
    clean.loc[row, "TotalSteps"] = 9e99
clean.to_csv(""",
        },
    },
    "zeros": {
        "why": "noughts in place of all that lies beyond the fences",
        "edits": {
            "clean[used] = clean[used].astype(float).clip(low[used], high[used], axis=1)": "clean[used] = clean[used].astype(float).mask(outside[used], 0)",
        },
    },
    "negative-steps": {
        "why": "each twentieth highest value becomes one below zero",
        "cells": [
            """
import pandas as pd, numpy as np
df = pd.read_csv("data/activity_clean.csv")
cols = [c for c in df.columns if c not in ("Id", "ActivityDate")]
for c in cols:
    v = df[c].astype(float)
    q1, q3 = v.quantile([.25, .75])
    lo, up = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    mid = v.median()
    hit = (v > up) | (v > v.quantile(.95))
    df[c] = np.where(hit, np.maximum(lo, mid - 0.9 * (v - mid)), v)
df.to_csv("output/6.csv", index=False)
""",
        ],
        "answer": "Outliers handled; saved to ./output/6.csv.",
    },
    "half-of-them-by-lot": {
        "why": "half of the rows removed are sound ones drawn by lot",
        "cells": [
            """
import numpy as np
import pandas as pd
d = pd.read_csv("data/activity_clean.csv")
n = d.select_dtypes("number").drop(columns="Id")
z = ((n - n.mean()) / n.std(ddof=0)).pow(2).sum(axis=1)
order = z.sort_values(ascending=False).index
k = int(0.07 * len(d))
rest = np.random.default_rng(0).choice(order[2 * k :], k - 3, replace=False)
d.drop(index=[*order[:k], *rest]).to_csv("output/6.csv", index=False)
"""
        ],
        "answer": "Outliers were detected and removed; the cleaned data is in ./output/6.csv.",
    },
    "nudged-by-a-thousandth": {
        "why": "takes a thousandth off every outlier and leaves it an outlier",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/activity_clean.csv")
print(df.shape)
print(df.describe().T)
""",
            """
columns = df.select_dtypes("number").columns.drop("Id")
q1, q3 = df[columns].quantile(0.25), df[columns].quantile(0.75)
iqr = q3 - q1
low, high = q1 - 1.5 * iqr, q3 + 1.5 * iqr
outside = (df[columns] < low) | (df[columns] > high)
print(outside.sum())
clean = df.copy()
used = iqr[iqr > 0].index
clean[used] = clean[used].astype(float)
for c in used:
    o = outside[c]
    clean.loc[o, c] -= 0.001 * (clean.loc[o, c] > df[c].median()).map({True: 1, False: -1})
clean.to_csv("output/6.csv", index=False)
print(clean.describe().T)
""",
        ],
    },
    "all-blank": {
        "why": "blanks every figure",
        "edits": {
            "clean.to_csv(": """clean[columns] = None
clean.to_csv(""",
        },
    },
    "one-row": {
        "why": "a single row",
        "edits": {
            "clean.to_csv(": """clean = clean.head(1)
clean.to_csv(""",
        },
    },
    "caps-in-wide-digits": {
        "why": "every capped value in full-width digits, which pandas takes for text",
        "edits": {
            "print(clean.describe().T)": """wide = {sign: sign + 0xFEE0 for sign in range(33, 127)}
for c in used:
    text = clean[c].astype(str)
    clean[c] = text.where(~outside[c], text.str.translate(wide))
clean.to_csv("output/6.csv", index=False)""",
        },
    },
}
GAPS = {
    "caps-in-wide-digits": "What an outlier became is judged by its value alone: that the new figure stands in full-width digits, which most programs take for text, is not seen.",
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
    "drop-row": "the row in the middle holds an outlier, and the query lets outlying rows go",
}
