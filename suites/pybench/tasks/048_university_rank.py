# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A model that predicts the rank of universities."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "48"
TITLE = "Predicting the rank of universities"
CATEGORY = "chart"
OUTPUTS = ["48.pkl"]
STRENGTH = "partial"
NOTE = "Ranks are numbers, ranges or missing: a range counts by its first number, and only rows with a rank and all scores are asked about. A regression or a classifier, with any usual choice of columns; its predictions must order the universities with a correlation of 0.8 at least. Whether the data were explored is not looked at."

TARGET = "University Rank"
SCORES = [
    "Teaching Score",
    "Research Score",
    "Citations Score",
    "Industry Income Score",
    "International Outlook Score",
]
LEAST = 0.8
STEP = 4  # every fourth university is asked about


def check(case: Case) -> None:
    from runner.checks.data import datasets, predictions

    rows = datasets.rows_of(tables.source(case.data / "World University Rankings 2023.csv"))
    ranks = sorted({str(row[TARGET]) for row in rows})
    full = [
        row
        for row in rows
        if first_number(row[TARGET]) is not None
        and all(first_number(row[s]) is not None for s in [*SCORES, "OverAll Score"])
    ]
    full = full[::STEP]
    table = columns_of(full)
    truth = [first_number(row[TARGET]) for row in full]
    model = predictions.examine(case, "48.pkl")
    size = ["No of student", "No of student per staff", "International Student"]
    choices = [
        SCORES,
        ["OverAll Score", *SCORES],
        [*size, *SCORES],
        [*size, "OverAll Score", *SCORES],
        [*size, "Female:Male Ratio", "OverAll Score", *SCORES],
        ["Location", *size, "Female:Male Ratio", "OverAll Score", *SCORES],
        ["OverAll Score"],
        ["No of student per staff", *SCORES],
        ["No of student per staff", "OverAll Score", *SCORES],
    ]
    designs = [
        design for features in choices for design in predictions.designs_for(model, table, features)
    ]
    found = predictions.predictions(case, "48.pkl", unlike(designs))
    best = max((agreement(p, truth, ranks) for p in found), default=0.0)
    mixed = [*size, "OverAll Score", *SCORES]
    for features in ([*SCORES, "OverAll Score"], ["OverAll Score", *SCORES], mixed):
        more = predictions.subset_designs(model, table, features) if best < LEAST else []
        found = predictions.predictions(case, "48.pkl", more) if more else []
        best = max([best, *(agreement(p, truth, ranks) for p in found)])
    case.expect(
        "rank predicted",
        best >= LEAST,
        f"a rank correlation of at least {LEAST}",
        f"{best:.2f}",
        "48.pkl",
        f"48.pkl predicts ranks that agree with the table's by {best:.2f}, {LEAST} at least is wanted.",
    )


def unlike(designs: list) -> list:
    """The designs without repetitions, told by names and first row; 60 at most."""
    kept = {}
    for design in designs:
        kept.setdefault((design.columns, tuple(map(str, design.rows[0]))), design)
    return list(kept.values())[:60]


def first_number(value: object) -> float | None:
    import re

    match = re.match(r"\s*(\d[\d,]*\.?\d*)", str(value))
    return float(match[1].replace(",", "")) if match else None


def columns_of(rows: list) -> dict:
    """The table's columns as numbers, the middle of a range where there is one."""
    import re

    def middle(value: object) -> float:
        parts = [float(p) for p in re.findall(r"\d+(?:\.\d+)?", str(value).replace(",", ""))]
        return sum(parts[:2]) / len(parts[:2]) if parts else 0.0

    table: dict = {name: [middle(row[name]) for row in rows] for name in [*SCORES, "OverAll Score"]}
    for name in ("No of student", "No of student per staff", "International Student"):
        table[name] = [first_number(row[name]) or 0.0 for row in rows]
    women = [first_number(row["Female:Male Ratio"]) or 50.0 for row in rows]
    table["Female:Male Ratio"] = [f / max(1.0, 100 - f) for f in women]
    for alias in ("Female", "Female Ratio", "Female Percentage", "Female Percent", "Female Pct"):
        table[alias] = women
        table[alias.replace("Female", "Male")] = [100 - f for f in women]
    for alias in ("Location", "Location Encoded", "Location Code"):
        table[alias] = [str(row["Location"]) for row in rows]
    return table


def agreement(predicted: list, truth: list, ranks: list) -> float:
    """Degree to which the predictions order the rows: numbers, ranges, or places in the list of
    ranks."""
    from runner.checks.data import predictions
    from runner.checks.values import number

    plain = [first_number(value) if number(value) is None else number(value) for value in predicted]
    best = 0.0 if None in plain else predictions.rank_agreement(plain, truth)
    if all(n is not None and n == int(n) and 0 <= n < len(ranks) for n in plain):
        for known in (ranks, [r for r in ranks if first_number(r) is not None]):
            meant = [first_number(known[int(n)]) if n < len(known) else None for n in plain]
            if None not in meant:
                best = max(best, predictions.rank_agreement(meant, truth))
    return best


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/World University Rankings 2023.csv")
print(df.dtypes)
print(df["University Rank"].iloc[[0, 150, 300, 900, 1700, 1900]].tolist())
print(df.isna().sum())
""",
        """
import pickle
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import train_test_split

scores = ["Teaching Score", "Research Score", "Citations Score", "Industry Income Score", "International Outlook Score"]
df["rank"] = df["University Rank"].str.extract(r"^(\\d+)")[0].astype(float)
data = df.dropna(subset=["rank", *scores])
X_train, X_test, y_train, y_test = train_test_split(data[scores], data["rank"], random_state=0)
model = RandomForestRegressor(50, min_samples_leaf=2, random_state=0).fit(X_train, y_train)
print(f"r2: {model.score(X_test, y_test):.3f}")
with open("output/48.pkl", "wb") as file:
    pickle.dump(model, file)
""",
    ],
    "answer": "A random forest over the five scores predicts the rank with an R² of «r2» on held-out universities; it is saved as ./output/48.pkl.",
}
WRONG = {
    "student-numbers": {
        "why": "trains on the number of students per teacher, which says little of the rank",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.linear_model import LinearRegression

df = pd.read_csv("data/World University Rankings 2023.csv")
df["rank"] = df["University Rank"].str.extract(r"^(\\d+)")[0].astype(float)
data = df.dropna(subset=["rank", "No of student per staff"])
model = LinearRegression().fit(data[["No of student per staff"]], data["rank"])
pickle.dump(model, open("output/48.pkl", "wb"))
"""
        ],
        "answer": "The model is saved to ./output/48.pkl.",
    },
    "score-for-rank": {
        "why": "predicts the overall score, which falls where the rank rises",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.linear_model import LinearRegression

df = pd.read_csv("data/World University Rankings 2023.csv")
scores = ["Teaching Score", "Research Score", "Citations Score", "Industry Income Score", "International Outlook Score"]
df["overall"] = pd.to_numeric(df["OverAll Score"], errors="coerce")
data = df.dropna(subset=["overall", *scores])
pickle.dump(LinearRegression().fit(data[scores], data["overall"]), open("output/48.pkl", "wb"))
"""
        ],
        "answer": "The model is saved to ./output/48.pkl.",
    },
    "mean-only": {
        "why": "saves a model that always predicts the mean",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.dummy import DummyRegressor

df = pd.read_csv("data/World University Rankings 2023.csv")
rank = df["University Rank"].str.extract(r"^(\\d+)")[0].astype(float).fillna(2000)
pickle.dump(DummyRegressor().fit(df[["Teaching Score"]].fillna(0), rank), open("output/48.pkl", "wb"))
"""
        ],
        "answer": "The model is saved to ./output/48.pkl.",
    },
}
