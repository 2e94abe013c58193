# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A support vector machine of a share's price."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "51"
TITLE = "预测股价的支持向量机"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["51.pkl"]
STRENGTH = "partial"
NOTE = "The query names neither target nor columns. A trained support vector machine is wanted. A regression must explain half of the variance of the closing price of the same or a later day, at its own scale or at the usual ones; its columns must be told by their names, by a scaler saved beside it, or be prices, dates or windows of past days in the table's order. A classifier of rise and fall, which is hardly ever better than chance, need only vary with what is put in; how well it predicts is not judged."

LEAST = 0.5  # of the variance
STEP = 12


def check(case: Case) -> None:
    import datetime
    import math

    from runner.checks.data import predictions
    from runner.checks.model_files import models
    from runner.checks.values import number

    source = tables.source(case.data / "Google.csv")
    days = [datetime.date.fromisoformat(str(value)) for value in source.column("Date")]
    columns = {
        name: [float(v) for v in source.column(name)] for name in source.columns if name != "Date"
    }
    closes = columns["Close"]
    model = predictions.examine(case, "51.pkl")
    machine = [
        kind for kind in model.types if any(word in kind for word in ("SVR", "SVC", "Nystroem"))
    ]
    case.demand(
        "a support vector machine",
        machine,
        "SVR or SVC",
        ", ".join(model.types[:4]),
        "51.pkl",
        f"51.pkl holds no support vector machine but {', '.join(model.types[:3])}.",
    )
    designs = designs_for(model, days, columns)
    found = predictions.predictions(case, "51.pkl", designs)
    if model.classes:
        [held] = predictions.tried(case, "51.pkl", [models.read("support_vectors_")])
        if isinstance(held, list) and held:
            found += predictions.predictions(case, "51.pkl", [predictions.Design(held[:300])])
    varying = [
        p
        for p in found
        if len({str(v) for v in p}) > 1
        and all((n := number(v)) is None or math.isfinite(n) for v in p)
    ]
    case.demand(
        "predictions",
        varying,
        "values that vary",
        f"{len(found)} replies, {len(varying)} that vary",
        "51.pkl",
        "51.pkl predicts the same whatever it is given, or nothing.",
    )
    if model.classes:
        return
    truths = [(closes[ahead:] + [closes[-1]] * ahead)[::STEP] for ahead in (0, 1, 5, 30)]
    best = max([0.0, *(predictions.explained(p, truth) for p in varying for truth in truths)])
    case.expect(
        "price followed",
        best >= LEAST,
        f"{LEAST:.0%} of the price's variance",
        f"{best:.0%}",
        "51.pkl",
        f"51.pkl explains {best:.0%} of what varies in the price; {LEAST:.0%} is wanted.",
    )


def designs_for(model: object, days: list, columns: dict) -> list:
    """Rows as such a model may have been trained on them."""
    from runner.checks.data import predictions, time_features

    closes = columns["Close"]
    table = predictions.sampled(time_features.features(days, columns, "Close"), STEP)
    prices = ["Open", "High", "Low"]
    choices = [
        ["index"],
        ["date"],
        ["timestamp"],
        ["Close"],
        ["Open"],
        prices,
        [*prices, "Volume"],
        [*prices, "Close"],
        [*prices, "Close", "Volume"],
        [*prices, "Close", "Adj Close", "Volume"],
        ["Year", "Month", "Day"],
        ["Close", "Volume"],
        ["Open", "Close"],
        ["Open", "Volume"],
    ]
    table |= {
        name.title(): values for name, values in table.items() if name in ("year", "month", "day")
    }
    designs = [
        design for features in choices for design in predictions.designs_for(model, table, features)
    ]
    if model.width:
        for values in (closes, predictions.unit(closes), predictions.standard(closes)):
            designs.append(predictions.Design(time_features.windows(values, model.width)[::STEP]))
    return designs[:60] + predictions.subset_designs(model, table, list(columns))


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Google.csv", parse_dates=["Date"])
print(df.tail())
print(df.describe())
""",
        """
import joblib
from sklearn.compose import TransformedTargetRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

X = pd.DataFrame({f"lag_{k}": df["Close"].shift(k) for k in range(1, 6)}).dropna()
y = df.loc[X.index, "Close"]
cut = int(len(X) * 0.9)
model = TransformedTargetRegressor(
    make_pipeline(StandardScaler(), SVR(kernel="linear", C=10, epsilon=0.01)), transformer=StandardScaler()
).fit(X[cut - 1500 : cut], y[cut - 1500 : cut])
print(f"r2: {model.score(X[cut:], y[cut:]):.3f}")
last = pd.DataFrame([df["Close"].iloc[-1 : -6 : -1].to_numpy()], columns=X.columns)
print(f"next: {model.predict(last)[0]:.2f}")
joblib.dump(model, "output/51.pkl")
""",
    ],
    "answer": "用前 5 天收盘价训练了线性核 SVR，测试集 R² 为 «r2»，预测下一个交易日收盘价约 «next»；模型保存在 ./output/51.pkl。",
}
WRONG = {
    "linear-regression": {
        "why": "trains another kind of model",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.linear_model import LinearRegression

df = pd.read_csv("data/Google.csv")
joblib.dump(LinearRegression().fit(df[["Open", "High", "Low"]], df["Close"]), "output/51.pkl")
"""
        ],
        "answer": "SVM 模型保存在 ./output/51.pkl。",
    },
    "unfitted": {
        "why": "saves the machine before training it",
        "cells": [
            """
import joblib
from sklearn.svm import SVR

joblib.dump(SVR(), "output/51.pkl")
"""
        ],
        "answer": "SVM 模型保存在 ./output/51.pkl。",
    },
    "volume-predicted": {
        "why": "takes the last column, the number of shares traded, for the price",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

df = pd.read_csv("data/Google.csv")
X, y = df[["Open", "High", "Low"]], df["Volume"] / 1e6
joblib.dump(make_pipeline(StandardScaler(), SVR(kernel="linear")).fit(X[::10], y[::10]), "output/51.pkl")
"""
        ],
        "answer": "SVM 模型保存在 ./output/51.pkl。",
    },
}
