# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A classifier of fruit with its precision and recall."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "41"
TITLE = "Good fruit and bad: model, precision, recall"
CATEGORY = "chart"
OUTPUTS = ["41.pkl"]
NOTE = "At least 70 % of the rows must be named rightly. Precision and recall depend on the rows that were held back for testing, which the file does not tell: each must lie where this model makes it possible, at most 3 points above its share of right rows over the whole table, and not below what it would be if all its errors were among a fifth held back, less 5 points."

TARGET = "Quality"
STEP = 10  # every tenth row is asked about


def check(case: Case) -> None:
    from runner.checks.data import predictions

    source = tables.source(case.data / "classify.csv")
    features = [name for name in source.columns if name != TARGET]
    kinds = [str(value).strip().lower() for value in source.column(TARGET)]
    table = {name: [float(value) for value in source.column(name)] for name in features}
    model = predictions.examine(case, "41.pkl")
    case.demand(
        "a classifier",
        len(model.classes) == 2,
        "a model of two classes",
        f"{len(model.classes)} classes",
        "41.pkl",
        "41.pkl holds no classifier of two classes.",
    )
    designs = predictions.designs_for(model, predictions.sampled(table, STEP), features)
    some = kinds[::STEP]
    found = [
        [str(v).strip().lower() for v in p]
        for p in predictions.predictions(case, "41.pkl", designs)
    ]
    shares = [predictions.share_right(p, some) for p in found]
    best = max(shares, default=0.0)
    case.demand(
        "fruit told apart",
        best >= 0.7,
        "at least 70 % right",
        f"{best:.0%}",
        "41.pkl",
        f"41.pkl names {best:.0%} of the rows rightly, 70 % at least are wanted.",
    )
    least, most = max(best - 0.25, 0.95 - (1 - best) / 0.2), min(1.0, best + 0.03)
    for word, figures in metrics(case.answer).items():
        shared = [n / 100 if n > 1 else n for n in figures]
        good = (
            shared and len(shared) <= 12 and all(least - 0.005 <= n <= most + 0.005 for n in shared)
        )
        case.expect(
            f"answer: {word}",
            good,
            f"between {max(0, least):.2f} and {most:.2f}",
            shared[:3] or "nothing",
            "",
            f"The answer gives {', '.join(f'{n:.3g}' for n in shared[:3]) or 'no figure'} for {word}, which this model does not bear out.",
        )


WORDS = {
    "precision": ["precision", "精确率", "精度", "查准率"],
    "recall": ["recall", "召回率", "查全率"],
}


def metrics(answer: str) -> dict:
    """{measure: its figures}: below the word in a table or report, else after the word."""
    from runner.checks.text import labelled_values

    tabled = below_header(answer)
    if all(tabled.values()):
        return tabled
    said = labelled_values.stretches(answer, WORDS)
    return {
        word: [f.value for text in said[word] for f in labelled_values.numbers_in(text)[:1]]
        for word in WORDS
    }


def below_header(answer: str) -> dict:
    """The figures in the columns that a header line calls by the measures."""
    import re

    from runner.checks.text.answers import folded

    column = (
        r"precision|recall|f1(?:[- ]?score)?|support|accuracy|auc|精确率|精度|查准率|召回率|查全率"
    )
    found: dict = {word: [] for word in WORDS}
    header: list = []
    for line in folded(answer).splitlines():
        names = re.findall(column, line)
        bare = re.sub(column, "", line)
        if len(names) >= 2 and not re.search(r"\d", bare):
            header = names
            continue
        figures = [float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", line)]
        for word, spellings in WORDS.items() if header and len(figures) >= len(header) else ():
            placed = figures[-len(header) :]
            found[word] += [n for name, n in zip(header, placed, strict=True) if name in spellings]
    return found


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/classify.csv")
print(df.describe())
print(df["Quality"].value_counts(), df.isna().sum().sum())
""",
        """
import pickle
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import train_test_split

X, y = df.drop(columns="Quality"), df["Quality"]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)
model = RandomForestClassifier(60, max_depth=14, random_state=0).fit(X_train, y_train)
guess = model.predict(X_test)
print(f"precision: {precision_score(y_test, guess, pos_label='Good'):.3f}")
print(f"recall: {recall_score(y_test, guess, pos_label='Good'):.3f}")
with open("output/41.pkl", "wb") as file:
    pickle.dump(model, file)
""",
    ],
    "answer": "A random forest on the held-out fifth of the rows (class Good): Precision: «precision», Recall: «recall». The model is saved as ./output/41.pkl.",
}
WRONG = {
    "made-up-figures": {
        "why": "trains a weak model and reports figures that it never reached",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.linear_model import LogisticRegression

df = pd.read_csv("data/classify.csv")
pickle.dump(LogisticRegression().fit(df.drop(columns="Quality"), df["Quality"]), open("output/41.pkl", "wb"))
"""
        ],
        "answer": "The model reached a precision of 0.97 and a recall of 0.96 and is saved to ./output/41.pkl.",
    },
    "one-column": {
        "why": "trains on a single column",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

df = pd.read_csv("data/classify.csv")
pickle.dump(DecisionTreeClassifier(max_depth=3).fit(df[["Acidity"]], df["Quality"]), open("output/41.pkl", "wb"))
"""
        ],
        "answer": "Precision: 0.55, recall: 0.54. Saved to ./output/41.pkl.",
    },
    "no-figures": {
        "why": "trains the model and reports nothing but its accuracy",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

df = pd.read_csv("data/classify.csv")
model = RandomForestClassifier(20, max_depth=10, random_state=0).fit(df.drop(columns="Quality"), df["Quality"])
pickle.dump(model, open("output/41.pkl", "wb"))
"""
        ],
        "answer": "The model reached an accuracy of 0.9 and is saved to ./output/41.pkl.",
    },
    "majority": {
        "why": "saves a model that always names the commoner class",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.dummy import DummyClassifier

df = pd.read_csv("data/classify.csv")
pickle.dump(DummyClassifier().fit(df.drop(columns="Quality"), df["Quality"]), open("output/41.pkl", "wb"))
"""
        ],
        "answer": "Precision: 0.50, recall: 1.00. Saved to ./output/41.pkl.",
    },
}
