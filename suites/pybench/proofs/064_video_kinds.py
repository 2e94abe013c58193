# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: chart of the kinds of video channels by how well they are liked."""

STYLES = {
    "lollipops": {
        "why": "dots on lines in trillions, as labelled",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, joblib, pickle
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/Global YouTube Statistics.csv",encoding="latin1"); g=d.groupby("category")["video views"].sum().sort_values(ascending=False)
fig,ax=plt.subplots(figsize=(9,8)); ax.hlines(g.index[::-1],0,g.values[::-1]/1e12,color="grey"); ax.plot(g.values[::-1]/1e12,g.index[::-1],"o",color="C1"); ax.set_xlabel("views (trillions)"); fig.tight_layout(); fig.savefig("output/64.png")"""
        ],
        "answer": "按总播放量，Music 与 Entertainment 类最受欢迎。",
    },
    "billions": {
        "why": "upright, the first ten, in billions as labelled",
        "edits": {
            "ax.barh(views.index[::-1], views.values[::-1])": """top = views[:10]
ax.bar(top.index, top.values / 1e9)
ax.tick_params(axis="x", rotation=80)""",
            """"播放量")
fig""": """"类型")
ax.set_ylabel("views (billion)")
fig""",
        },
    },
    "channels": {
        "why": "numbers of channels by seaborn",
        "edits": {
            "ax.barh(views.index[::-1], views.values[::-1])": """import seaborn as sns
sns.countplot(data=df, y="category", order=df["category"].value_counts().index, ax=ax)""",
        },
    },
}
NEAR_MISSES = {
    "names-turned-cropped": {
        "why": "names in reverse, cropped",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, joblib, pickle
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/Global YouTube Statistics.csv",encoding="latin1"); g=d.groupby("category")["video views"].sum().sort_values(ascending=False)
fig,ax=plt.subplots(figsize=(14,6)); ax.bar(g.index[::-1],g.values); plt.xticks(rotation=75,ha="right"); ax.set_ylabel("video views"); fig.savefig("output/64.png",bbox_inches="tight")"""
        ],
        "answer": "见图。",
    },
    "names-turned": {
        "why": "each bar under the next name",
        "edits": {
            "ax.barh(views.index[::-1], views.values[::-1])": "ax.barh(views.index[::-1], [*views.values[::-1][1:], views.values[::-1][0]])",
        },
    },
    "earnings-scaled": {
        "why": "values times ten",
        "edits": {
            "views.values[::-1])": "views.values[::-1] * 10)",
        },
    },
}
