# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A classifier of irises, saved as a file."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "40"
TITLE = "鸢尾花分类模型"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["40.pkl"]
NOTE = "The file may be a pickle or joblib's, hold the model alone or with its scaler, and name or number the species. The model is asked about the table's rows, plain and scaled, and slightly moved."

MEASURES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]


def check(case: Case) -> None:
    import random

    from runner.checks.data import predictions

    source = tables.source(case.data / "IRIS.csv")
    species = [str(value) for value in source.column("species")]
    table = {name: [float(value) for value in source.column(name)] for name in MEASURES}
    model = predictions.examine(case, "40.pkl")
    case.demand(
        "a classifier",
        len(model.classes) == len(set(species)),
        "a model of three classes",
        f"{len(model.classes)} classes",
        "40.pkl",
        "40.pkl holds no classifier of the three species.",
    )
    rng = random.Random(case.seed)
    moved = {name: [v + rng.uniform(-0.04, 0.04) for v in values] for name, values in table.items()}
    best = []
    for columns in (table, moved):
        found = predictions.predictions(
            case, "40.pkl", predictions.designs_for(model, columns, MEASURES)
        )
        best.append(max((predictions.share_right(p, species) for p in found), default=0.0))
    case.expect(
        "irises told apart",
        min(best) >= 0.9,
        "at least 90 % right",
        f"{min(best):.0%}",
        "40.pkl",
        f"40.pkl names {min(best):.0%} of the irises rightly, 90 % at least are wanted.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/IRIS.csv")
print(df.head())
print(df["species"].value_counts())
""",
        """
import pickle
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = df.drop(columns="species"), df["species"]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X_train, y_train)
print(f"accuracy: {model.score(X_test, y_test):.3f}")
with open("output/40.pkl", "wb") as file:
    pickle.dump(model, file)
""",
    ],
    "answer": "训练了逻辑回归模型，测试集准确率 «accuracy»，模型保存在 ./output/40.pkl。",
}
WRONG = {
    "clusters": {
        "why": "groups the flowers without their species",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.cluster import KMeans

df = pd.read_csv("data/IRIS.csv")
pickle.dump(KMeans(3, random_state=0).fit(df.iloc[:, :4]), open("output/40.pkl", "wb"))
"""
        ],
        "answer": "模型已训练并保存在 ./output/40.pkl。",
    },
    "unfitted": {
        "why": "saves the model before training it",
        "cells": [
            """
import pickle
from sklearn.tree import DecisionTreeClassifier

pickle.dump(DecisionTreeClassifier(), open("output/40.pkl", "wb"))
"""
        ],
        "answer": "模型已训练并保存在 ./output/40.pkl。",
    },
    "labels-shuffled": {
        "why": "trains on labels that no longer belong to their rows",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.linear_model import LogisticRegression

df = pd.read_csv("data/IRIS.csv")
y = df["species"].sample(frac=1, random_state=3).to_numpy()
pickle.dump(LogisticRegression(max_iter=500).fit(df.iloc[:, :4], y), open("output/40.pkl", "wb"))
"""
        ],
        "answer": "模型已训练并保存在 ./output/40.pkl。",
    },
    "accuracy-saved": {
        "why": "saves the score instead of the model",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

df = pd.read_csv("data/IRIS.csv")
model = DecisionTreeClassifier().fit(df.iloc[:, :4], df["species"])
pickle.dump(model.score(df.iloc[:, :4], df["species"]), open("output/40.pkl", "wb"))
"""
        ],
        "answer": "模型已训练并保存在 ./output/40.pkl。",
    },
}
