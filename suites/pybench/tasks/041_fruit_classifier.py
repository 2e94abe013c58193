"""A classifier of fruit with its precision and recall."""

from runner.checks import Case, tables

INDEX = "41"
TITLE = "Good fruit and bad: model, precision, recall"
CATEGORY = "chart"
OUTPUTS = ["41.pkl"]
NOTE = "Precision and recall depend on what was held back for testing: each must lie where this model's own, measured over the whole table, make it possible (at most 5 points above, 25 below). At least 70 % of the rows must be named rightly."

TARGET = "Quality"
STEP = 10  # every tenth row is asked about


def check(case: Case) -> None:
    from runner.checks import labels, learned

    source = tables.source(case.data / "classify.csv")
    features = [name for name in source.columns if name != TARGET]
    kinds = [str(value).strip().lower() for value in source.column(TARGET)]
    table = {name: [float(value) for value in source.column(name)] for name in features}
    model = learned.examine(case, "41.pkl")
    case.demand(
        "a classifier",
        len(model.classes) == 2,
        "a model of two classes",
        f"{len(model.classes)} classes",
        "41.pkl",
        "41.pkl holds no classifier of two classes.",
    )
    designs = learned.designs_for(model, learned.sampled(table, STEP), features)
    some = kinds[::STEP]
    found = [
        [str(v).strip().lower() for v in p] for p in learned.predictions(case, "41.pkl", designs)
    ]
    shares = [learned.share_right(p, some) for p in found]
    best = max(shares, default=0.0)
    case.demand(
        "fruit told apart",
        best >= 0.7,
        "at least 70 % right",
        f"{best:.0%}",
        "41.pkl",
        f"41.pkl names {best:.0%} of the rows rightly, 70 % at least are wanted.",
    )
    words = {
        "precision": ["precision", "精确率", "精度", "查准率"],
        "recall": ["recall", "召回率", "查全率"],
    }
    said = labels.stretches(case.answer, words)
    for word in words:
        figures = [f.value for text in said[word] for f in labels.numbers_in(text)[:1]]
        shared = [n / 100 if n > 1 else n for n in figures]
        good = (
            shared
            and len(shared) <= 12
            and all(best - 0.3 <= n <= min(1.0, best + 0.05) for n in shared)
        )
        case.expect(
            f"answer: {word}",
            good,
            f"between {max(0, best - 0.25):.2f} and {min(1.0, best + 0.05):.2f}",
            shared[:3] or "nothing",
            "",
            f"The answer gives {', '.join(f'{n:.3g}' for n in shared[:3]) or 'no figure'} for {word}, which this model does not bear out.",
        )


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
