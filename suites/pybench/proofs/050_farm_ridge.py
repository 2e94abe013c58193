# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "others-as-an-array": {
        "why": "the warmest hour from the other measurements, as a scaled array beside its scaler",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
df.columns = df.columns.str.strip()
scaler = StandardScaler()
X = scaler.fit_transform(df[["MinT", "WindSpeed", "Humidity", "Precipitation"]].to_numpy())
model = Ridge(alpha=0.5).fit(X, df["MaxT"])
joblib.dump({"model": model, "scaler": scaler}, "output/50.pkl")
"""
        ],
        "answer": "模型和标准化器保存在 ./output/50.pkl。",
    },
    "past-week": {
        "why": "the last seven days' warmest hours as windows, the penalty chosen by cross validation",
        "cells": [
            """
import pickle
import numpy as np
import pandas as pd
from sklearn.linear_model import RidgeCV

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
df.columns = df.columns.str.strip()
warm = df["MaxT"].to_numpy(float)
X = np.array([warm[n : n + 7] for n in range(len(warm) - 7)])
pickle.dump(RidgeCV(alphas=[0.1, 1, 10]).fit(X, warm[7:]), open("output/50.pkl", "wb"))
"""
        ],
        "answer": "The model is saved as ./output/50.pkl.",
    },
    "dates-alone": {
        "why": "predicts from year, month and day",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.linear_model import Ridge

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
df.columns = df.columns.str.strip()
X = pd.DataFrame({"Year": df.Date.dt.year, "Month": df.Date.dt.month, "Day": df.Date.dt.day})
joblib.dump(Ridge().fit(X, df["MaxT"]), "output/50.pkl")
"""
        ],
        "answer": "The model is saved as ./output/50.pkl.",
    },
    "short-names-in-a-dict": {
        "why": "short names of columns; the model in a dict with its names and score",
        "cells": [
            """
import pickle
import numpy as np
import pandas as pd
from sklearn.linear_model import Ridge

d = pd.read_excel("data/Farm_Weather_Data.xlsx")
d.columns = d.columns.str.strip()
w = 2 * np.pi * d.Date.dt.dayofyear / 365.25
X = pd.DataFrame({"s": np.sin(w), "c": np.cos(w), "mx": d.MaxT.shift(1), "mn": d.MinT.shift(1), "h": d.Humidity.shift(1)}).iloc[1:]
y = d[["MaxT", "MinT"]].iloc[1:]
m = Ridge().fit(X[:5000], y[:5000])
pickle.dump({"model": m, "features": list(X), "targets": ["MaxT", "MinT"], "r2": m.score(X[5000:], y[5000:])}, open("output/50.pkl", "wb"))
"""
        ],
        "answer": "用 Ridge 预测次日最高与最低气温；文件为包含模型、特征名和评分的字典。",
    },
    "chinese-names-beside-an-array": {
        "why": "fitted to an array; the names of its columns, in Chinese, stand beside it",
        "cells": [
            """
import joblib
import numpy as np
import pandas as pd
from sklearn.linear_model import Ridge

d = pd.read_excel("data/Farm_Weather_Data.xlsx")
d.columns = d.columns.str.strip()
X = pd.DataFrame({"昨日降水": d.Precipitation.shift(1), "昨日湿度": d.Humidity.shift(1), "昨日最低气温": d.MinT.shift(1), "昨日最高气温": d.MaxT.shift(1), "月份": d.Date.dt.month}).iloc[1:]
joblib.dump({"model": Ridge().fit(X.to_numpy(), d.MaxT[1:]), "feature_names": list(X), "target": "MaxT"}, "output/50.pkl")
"""
        ],
        "answer": "岭回归模型与特征名保存在 ./output/50.pkl。",
    },
}
NEAR_MISSES = {
    "short-names-and-shuffled-days": {
        "why": "the weather belongs to other days than the columns",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.linear_model import Ridge

d = pd.read_excel("data/Farm_Weather_Data.xlsx")
d.columns = d.columns.str.strip()
X = pd.DataFrame({"mx": d.MaxT, "mn": d.MinT, "h": d.Humidity})
y = d[["WindSpeed"]].sample(frac=1, random_state=1).to_numpy()
pickle.dump({"model": Ridge().fit(X, y), "features": list(X)}, open("output/50.pkl", "wb"))
"""
        ],
        "answer": "岭回归模型保存在 ./output/50.pkl。",
    },
    "date-of-the-row-number": {
        "why": "a penalty so large that next to nothing but the mean is left",
        "edits": {"Ridge(alpha=1.0)": "Ridge(alpha=1e9)"},
    },
    "classes-of-weather": {
        "why": "a ridge classifier of rainy days instead of a regression",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.linear_model import RidgeClassifier

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
df.columns = df.columns.str.strip()
joblib.dump(RidgeClassifier().fit(df[["MaxT", "MinT", "Humidity"]], df["Precipitation"] > 1), "output/50.pkl")
"""
        ],
        "answer": "The model is saved as ./output/50.pkl.",
    },
    "names-mixed-up": {
        "why": "the targets stand in another order than the rows they belong to",
        "edits": {
            "Ridge(alpha=1.0)).fit(X[:cut], y[:cut])": "Ridge(alpha=1.0)).fit(X[:cut], y[:cut].sample(frac=1, random_state=2).to_numpy())"
        },
    },
}
