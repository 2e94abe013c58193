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
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
    "drop-row": "the row in the middle holds an outlier, and the query lets outlying rows go",
}
