# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "three-scores-as-an-array": {
        "why": "a forest on teaching, research and citations as an array, without names",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

df = pd.read_csv("data/World University Rankings 2023.csv")
df["rank"] = df["University Rank"].astype(str).str.extract(r"^(\\d+)")[0].astype(float)
names = ["Teaching Score", "Research Score", "Citations Score"]
data = df.dropna(subset=["rank", *names])
pickle.dump(RandomForestRegressor(40, max_depth=9, random_state=0).fit(data[names].to_numpy(), data["rank"]), open("output/48.pkl", "wb"))
"""
        ],
        "answer": "The model is saved as ./output/48.pkl.",
    },
    "pipeline-of-own-names": {
        "why": "columns renamed to words in snake case, a scaled boosting in a pipeline",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

df = pd.read_csv("data/World University Rankings 2023.csv")
df.columns = [c.lower().replace(" ", "_") for c in df.columns]
df["rank"] = pd.to_numeric(df["university_rank"].astype(str).str.split("[^0-9]").str[0], errors="coerce")
names = ["teaching_score", "research_score", "citations_score", "industry_income_score", "international_outlook_score"]
data = df.dropna(subset=["rank", *names])
joblib.dump(make_pipeline(StandardScaler(), HistGradientBoostingRegressor(max_iter=60)).fit(data[names], data["rank"]), "output/48.pkl")
"""
        ],
        "answer": "- **Model**: gradient boosting\n- **File**: `./output/48.pkl`",
    },
}
NEAR_MISSES = {
    "best-is-last": {
        "why": "numbers the ranks from the bottom",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.linear_model import LinearRegression

df = pd.read_csv("data/World University Rankings 2023.csv")
df["rank"] = 2000 - df["University Rank"].astype(str).str.extract(r"^(\\d+)")[0].astype(float)
names = ["Teaching Score", "Research Score", "Citations Score"]
data = df.dropna(subset=["rank", *names])
pickle.dump(LinearRegression().fit(data[names], data["rank"]), open("output/48.pkl", "wb"))
"""
        ],
        "answer": "The model is saved as ./output/48.pkl.",
    },
    "rows-shifted": {
        "why": "a rank belongs to another row than its scores",
        "cells": [
            """
import pickle
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

df = pd.read_csv("data/World University Rankings 2023.csv")
df["rank"] = df["University Rank"].astype(str).str.extract(r"^(\\d+)")[0].astype(float)
names = ["Teaching Score", "Research Score", "Citations Score"]
data = df.dropna(subset=["rank", *names])
pickle.dump(RandomForestRegressor(30, max_depth=5, random_state=0).fit(data[names], data["rank"].sample(frac=1, random_state=1).to_numpy()), open("output/48.pkl", "wb"))
"""
        ],
        "answer": "The model is saved as ./output/48.pkl.",
    },
}
