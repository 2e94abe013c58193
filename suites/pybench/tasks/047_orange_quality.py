# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A model that predicts the quality of oranges."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "47"
TITLE = "Predicting the quality of oranges"
CATEGORY = "chart"
OUTPUTS = ["47.pkl"]
STRENGTH = "partial"
NOTE = "A regression or a classifier, words encoded in any usual way (numbered, columns of 0 and 1, within a pipeline) or left out. Its predictions over the table must rank the oranges with a correlation of 0.5 at least. Whether the data were explored is not looked at."

TARGET = "Quality (1-5)"
LEAST = 0.5


def check(case: Case) -> None:
    from runner.checks.data import predictions
    from runner.checks.values import number

    source = tables.source(case.data / "Classify_Orange Quality Data.csv")
    features = [name for name in source.columns if name != TARGET]
    truth = [float(value) for value in source.column(TARGET)]
    table = {
        name: [n if (n := number(v)) is not None else str(v) for v in source.column(name)]
        for name in features
    }
    model = predictions.examine(case, "47.pkl")
    found = predictions.predictions(case, "47.pkl", predictions.designs_for(model, table, features))
    best = max((predictions.rank_agreement(p, truth) for p in found), default=0.0)
    if best < LEAST:
        more = predictions.subset_designs(model, table, features)
        found = predictions.predictions(case, "47.pkl", more) if more else []
        best = max([best, *(predictions.rank_agreement(p, truth) for p in found)])
    case.expect(
        "quality predicted",
        best >= LEAST,
        f"a rank correlation of at least {LEAST}",
        f"{best:.2f}",
        "47.pkl",
        f"47.pkl predicts a quality that agrees with the table's by {best:.2f}, {LEAST} at least is wanted.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Classify_Orange Quality Data.csv")
print(df.describe())
print(df["Quality (1-5)"].value_counts())
print(df.select_dtypes(exclude="number").nunique())
""",
        """
import joblib
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder

X, y = df.drop(columns="Quality (1-5)"), df["Quality (1-5)"]
words = ["Color", "Variety", "Blemishes (Y/N)"]
encode = ColumnTransformer([("words", OneHotEncoder(handle_unknown="ignore"), words)], remainder="passthrough")
model = Pipeline([("encode", encode), ("forest", RandomForestRegressor(100, random_state=0))])
print(f"r2: {cross_val_score(model, X, y, cv=5).mean():.2f}")
joblib.dump(model.fit(X, y), "output/47.pkl")
""",
    ],
    "answer": "A random forest with one-hot encoded words (R² of «r2» in cross validation) is saved as ./output/47.pkl.",
}
WRONG = {
    "mean-only": {
        "why": "saves a model that always predicts the mean",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.dummy import DummyRegressor

df = pd.read_csv("data/Classify_Orange Quality Data.csv")
X = df.select_dtypes("number").drop(columns="Quality (1-5)")
pickle.dump(DummyRegressor().fit(X, df["Quality (1-5)"]), open("output/47.pkl", "wb"))
"""
        ],
        "answer": "The model is saved to ./output/47.pkl.",
    },
    "target-among-features": {
        "why": "trains on a table that holds the quality itself, so that it cannot be used without it",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

df = pd.read_csv("data/Classify_Orange Quality Data.csv").select_dtypes("number")
pickle.dump(RandomForestRegressor(30, random_state=0).fit(df, df["Quality (1-5)"]), open("output/47.pkl", "wb"))
"""
        ],
        "answer": "The model predicts the quality almost perfectly and is saved to ./output/47.pkl.",
    },
    "other-target": {
        "why": "predicts how heavy an orange is",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.linear_model import LinearRegression

df = pd.read_csv("data/Classify_Orange Quality Data.csv").select_dtypes("number")
X = df.drop(columns=["Weight (g)", "Quality (1-5)"])
pickle.dump(LinearRegression().fit(X, df["Weight (g)"]), open("output/47.pkl", "wb"))
"""
        ],
        "answer": "The model is saved to ./output/47.pkl.",
    },
}
