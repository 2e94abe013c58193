# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "machine-with-its-scaler": {
        "why": "keeps a dict of machine, scaler and names, fitted to arrays with numbered species",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.preprocessing import LabelEncoder, StandardScaler
from sklearn.svm import SVC

df = pd.read_csv("data/IRIS.csv")
names = LabelEncoder()
y = names.fit_transform(df["species"])
scaler = StandardScaler()
X = scaler.fit_transform(df.iloc[:, :4].to_numpy())
model = SVC(C=5).fit(X, y)
joblib.dump({"scaler": scaler, "model": model, "classes": list(names.classes_)}, "output/40.pkl")
"""
        ],
        "answer": "SVM 分类器及其标准化器已保存到 ./output/40.pkl。",
    },
    "neighbours-compressed": {
        "why": "five nearest neighbours, saved compressed by joblib, reported in English",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier

df = pd.read_csv("data/IRIS.csv")
joblib.dump(KNeighborsClassifier(5).fit(df.drop(columns="species"), df["species"]), "output/40.pkl", compress=3)
"""
        ],
        "answer": "A k-nearest-neighbours classifier is saved as ./output/40.pkl.",
    },
    "boosted-trees": {
        "why": "gradient boosting over the table",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

df = pd.read_csv("data/IRIS.csv")
pickle.dump(HistGradientBoostingClassifier(max_iter=40).fit(df.iloc[:, :4], df.species), open("output/40.pkl", "wb"))
"""
        ],
        "answer": "The model is saved as ./output/40.pkl.",
    },
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "calls two species by each other's names",
        "edits": {
            'X, y = df.drop(columns="species"), df["species"]': 'X = df.drop(columns="species")\nkinds = sorted(df["species"].unique())\ny = df["species"].replace({kinds[0]: kinds[1], kinds[1]: kinds[0]})'
        },
    },
    "two-of-three": {
        "why": "trains on the first hundred rows, which hold two of the species",
        "edits": {
            'df = pd.read_csv("data/IRIS.csv")': 'df = pd.read_csv("data/IRIS.csv").head(100)'
        },
    },
    "columns-in-reverse": {
        "why": "fits the columns in reverse order and keeps them without names",
        "edits": {
            'X, y = df.drop(columns="species"), df["species"]': 'X, y = df.iloc[:, 3::-1].to_numpy(), df["species"]'
        },
    },
}
