# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "three-columns-as-an-array": {
        "why": "a forest on sweetness, acidity and ripeness as an array, without names",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

df = pd.read_csv("data/Classify_Orange Quality Data.csv")
columns = [c for c in df.columns if c.startswith(("Brix", "pH", "Ripeness", "Harvest"))]
X, y = df[columns].to_numpy(), df["Quality (1-5)"].to_numpy()
pickle.dump(RandomForestRegressor(80, random_state=1).fit(X, y), open("output/47.pkl", "wb"))
"""
        ],
        "answer": "The model is saved as ./output/47.pkl.",
    },
    "classes-doubled": {
        "why": "a classifier of the marks, times two so that they are whole numbers",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier

df = pd.read_csv("data/Classify_Orange Quality Data.csv")
X = df.drop(columns="Quality (1-5)")
for name in X.select_dtypes(exclude="number"):
    X[name] = X[name].astype("category").cat.codes
joblib.dump(ExtraTreesClassifier(100, random_state=0).fit(X, (df["Quality (1-5)"] * 2).astype(int)), "output/47.pkl")
"""
        ],
        "answer": "| model | file |\n|---|---|\n| extra trees | ./output/47.pkl |",
    },
}
NEAR_MISSES = {
    "worst-is-best": {
        "why": "turns the scale round, so that the best orange gets the lowest mark",
        "edits": {'df["Quality (1-5)"]\nwords': '6 - df["Quality (1-5)"]\nwords'},
    },
    "sweetness-for-quality": {
        "why": "predicts the pH for the quality",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.linear_model import LinearRegression

df = pd.read_csv("data/Classify_Orange Quality Data.csv").select_dtypes("number")
name = next(c for c in df.columns if c.startswith("pH"))
pickle.dump(LinearRegression().fit(df.drop(columns=[name, "Quality (1-5)"]), df[name]), open("output/47.pkl", "wb"))
"""
        ],
        "answer": "The model is saved as ./output/47.pkl.",
    },
}
