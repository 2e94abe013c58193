# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "windows-with-scaler": {
        "why": "windows of sixty scaled closing prices; a dict of machine and scaler",
        "cells": [
            """
import pickle
import numpy as np
import pandas as pd
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVR

df = pd.read_csv("data/Google.csv")
scaler = MinMaxScaler()
y = scaler.fit_transform(df[["Close"]]).ravel()
X = np.array([y[n : n + 60] for n in range(len(y) - 60)])
model = SVR(kernel="rbf", C=10, epsilon=0.01).fit(X[::3], y[60:][::3])
pickle.dump({"scaler": scaler, "model": model, "lookback": 60}, open("output/51.pkl", "wb"))
"""
        ],
        "answer": "The model is saved as ./output/51.pkl.",
    },
    "prices-as-an-array": {
        "why": "opening, highest and lowest price as a scaled array, without names",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

df = pd.read_csv("data/Google.csv")
X, y = df[["Open", "High", "Low"]].to_numpy(), df["Close"].to_numpy()
joblib.dump(make_pipeline(StandardScaler(), SVR(kernel="linear", C=1)).fit(X[::5], y[::5]), "output/51.pkl")
"""
        ],
        "answer": "The SVR is saved as ./output/51.pkl.",
    },
    "rise-or-fall": {
        "why": "a classifier of rise and fall on the day's changes",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

df = pd.read_csv("data/Google.csv")
X = pd.DataFrame({"Open-Close": df.Open - df.Close, "High-Low": df.High - df.Low})
y = (df.Close.shift(-1) > df.Close).astype(int)
joblib.dump(make_pipeline(StandardScaler(), SVC()).fit(X[:-1][::3], y[:-1][::3]), "output/51.pkl")
"""
        ],
        "answer": "The model is saved as ./output/51.pkl.",
    },
}
NEAR_MISSES = {
    "rows-mixed-up": {
        "why": "prices of other days than the rows they belong to",
        "edits": {
            "fit(X[cut - 1500 : cut], y[cut - 1500 : cut])": "fit(X[cut - 1500 : cut], y[cut - 1500 : cut].sample(frac=1, random_state=1).to_numpy())"
        },
    },
    "change-for-price": {
        "why": "predicts the day's volume in millions under the name of the price",
        "edits": {'y = df.loc[X.index, "Close"]': 'y = df.loc[X.index, "Volume"] / 1e6'},
    },
}
