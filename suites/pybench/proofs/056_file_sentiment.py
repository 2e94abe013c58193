# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "json": {
        "why": "another form of the same",
        "answer": '{"sentiment": "positive", "positive": 160, "negative": 80}',
    },
    "table": {
        "why": "a table, then the verdict",
        "answer": """| side | entries |
|---|---|
| glad | «glad» |
| sad | «sad» |

Overall, the file is «verdict».""",
    },
    "bold": {
        "why": "verdict first and bold",
        "answer": "The sentiment of the whole file is **«verdict»** («glad» glad against «sad» sad entries).",
    },
    "despite-a-third": {
        "why": "grants what speaks against it",
        "cells": [
            """import pandas as pd
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
df = pd.read_csv("data/bbc_data.csv")
sia = SentimentIntensityAnalyzer()
df["c"] = df["data"].apply(lambda t: sia.polarity_scores(t)["compound"])
p, n = int((df.c >= 0.05).sum()), int((df.c <= -0.05).sum())
print(f"p: {p}"); print(f"n: {n}"); print(f"z: {len(df)-p-n}"); print(f"m: {df.c.mean():.3f}"); print(f"share: {p/len(df):.1%}")"""
        ],
        "answer": "| Sentiment | Rows |\n|---|---|\n| Positive | «p» |\n| Negative | «n» |\n| Neutral | «z» |\n\nConclusion: the whole file is positive, even though a third of the items are negative.",
    },
}
NEAR_MISSES = {
    "both": {
        "why": "says both",
        "answer": "Of the entries «glad» are positive and «sad» negative, so the file is positive and the data is negative.",
    },
    "per-entry-only": {
        "why": "gives counts and no verdict",
        "answer": "There are «glad» positive and «sad» negative entries.",
    },
}
LEFT_OUT = {
    "scale-by-10": "the query asks for the verdict alone; the figures beside it are of the agent's own method",
    "swap-labels": "the query asks for the verdict alone; the figures beside it are of the agent's own method",
}
