"""A ridge regression of a farm's weather."""

from runner.checks import Case, tables

INDEX = "50"
TITLE = "农场天气的岭回归模型"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["50.pkl"]
STRENGTH = "partial"
NOTE = "The query names neither target nor columns. A trained ridge regression is wanted; where its columns can be told (dates, lags, means, the other measurements) its predictions must follow a measurement of the same or one of the next days, else they must at least vary with what is put in."

LEAST = 0.15
STEP = 12


def check(case: Case) -> None:
    import math

    from runner.checks import learned, timed
    from runner.checks.values import number

    case.require_file("50.pkl")
    source = tables.source(case.data / "Farm_Weather_Data.xlsx")
    days = [moment.date() for moment in source.column("Date")]
    columns = {
        name.strip(): [float(v) for v in source.column(name)]
        for name in source.columns
        if name != "Date"
    }
    model = learned.examine(case, "50.pkl")
    ridge = [kind for kind in model.types if "Ridge" in kind and "Classifier" not in kind]
    case.demand(
        "a ridge regression",
        ridge,
        "Ridge",
        ", ".join(model.types[:4]),
        "50.pkl",
        f"50.pkl holds no ridge regression but {', '.join(model.types[:3])}.",
    )
    table = learned.sampled(timed.features(days, columns, "MaxT"), STEP)
    choices = [
        list(columns),
        *([other for other in columns if other != name] for name in columns),
        ["year", "month", "day"],
        ["day of year"],
        ["index"],
        ["year", "day of year"],
        ["month", "day"],
    ]
    designs = [
        design for features in choices for design in learned.designs_for(model, table, features)
    ]
    if model.width:
        designs += [
            learned.Design(timed.windows(values, model.width)[::STEP])
            for values in columns.values()
        ]
    found = learned.predictions(case, "50.pkl", designs[:60], several=True)
    found = [p for p in found if all((n := number(v)) is not None and math.isfinite(n) for v in p)]
    varying = [p for p in found if max(p) - min(p) > 1e-6]
    case.demand(
        "predictions",
        varying,
        "numbers that vary",
        f"{len(found)} replies, {len(varying)} that vary",
        "50.pkl",
        "50.pkl predicts the same whatever it is given, or nothing.",
    )
    known = model.names and None not in learned.named_columns(table, model.names)
    truths = [
        (values[ahead:] + values[:ahead])[::STEP]
        for ahead in (0, 1, 7)
        for values in columns.values()
    ]
    best = 0.0
    for predicted in varying:
        if known and best < LEAST:
            best = max([best, *(learned.rank_agreement(predicted, truth) for truth in truths)])
    case.expect(
        "weather followed",
        best >= LEAST or not known,
        f"a rank correlation of at least {LEAST} with a measurement",
        f"{best:.2f}",
        "50.pkl",
        f"50.pkl predicts what agrees with no measurement by more than {best:.2f}.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
df.columns = df.columns.str.strip()
print(df.describe())
""",
        """
import joblib
import numpy as np
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

targets = ["MaxT", "MinT", "WindSpeed", "Humidity", "Precipitation"]
X = pd.DataFrame(index=df.index)
for column in targets:
    for lag in (1, 2, 7):
        X[f"{column}_lag{lag}"] = df[column].shift(lag)
day = df["Date"].dt.dayofyear
X["doy_sin"], X["doy_cos"] = np.sin(2 * np.pi * day / 365.25), np.cos(2 * np.pi * day / 365.25)
X = X.dropna()
y = df.loc[X.index, targets]
cut = int(len(X) * 0.8)
model = make_pipeline(StandardScaler(), Ridge(alpha=1.0)).fit(X[:cut], y[:cut])
print(f"r2: {model.score(X[cut:], y[cut:]):.2f}")
joblib.dump(model, "output/50.pkl")
""",
    ],
    "answer": "用前 1、2、7 天的观测和季节项训练了岭回归，预测次日五项天气，测试集平均 R² 为 «r2»，模型保存在 ./output/50.pkl。",
}
WRONG = {
    "no-penalty": {
        "why": "trains an ordinary linear regression",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.linear_model import LinearRegression

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
joblib.dump(LinearRegression().fit(df[["MinT", "WindSpeed"]], df["MaxT"]), "output/50.pkl")
"""
        ],
        "answer": "岭回归模型保存在 ./output/50.pkl。",
    },
    "all-penalty": {
        "why": "chooses a penalty so large that the mean is all that is left",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.linear_model import Ridge

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
joblib.dump(Ridge(alpha=1e15).fit(df[["MinT", "WindSpeed"]], df["MaxT"]), "output/50.pkl")
"""
        ],
        "answer": "岭回归模型保存在 ./output/50.pkl。",
    },
    "forecast-saved": {
        "why": "saves the predictions instead of the model",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.linear_model import Ridge

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
joblib.dump(Ridge().fit(df[["MinT", "WindSpeed"]], df["MaxT"]).predict(df[["MinT", "WindSpeed"]]), "output/50.pkl")
"""
        ],
        "answer": "岭回归模型保存在 ./output/50.pkl。",
    },
}
