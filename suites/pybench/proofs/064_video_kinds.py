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
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/64.png")': """fig.savefig("output/64.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/64.png").text["pybench-figure"])
size = Image.open("output/64.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.barh([1, 2, 3], [3, 1, 2])
other.savefig("output/64.png")
Image.open("output/64.png").convert("RGB").resize(size).save("output/64.png", pnginfo=info)""",
        },
    },
    "second-plot": {
        "why": "a second plot of invented bars",
        "cells": [
            """import pandas as pd, numpy as np, matplotlib.pyplot as plt
d = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
s = d.groupby("category")["video views"].sum().sort_values(ascending=False).head(10)
fig = plt.figure(figsize=(13, 8)); a = fig.add_axes([0.43, 0.1, 0.55, 0.82]); b = fig.add_axes([0.11, 0.1, 0.16, 0.3])
a.barh(s.index[::-1], s.values); a.set_title("各类型视频的播放量")
b.barh(s.index, s.values); b.tick_params(labelsize=8)
fig.savefig("output/64.png")"""
        ],
        "answer": "不同类型视频受欢迎程度的图已保存到 ./output/64.png。",
    },
    "names-exchanged": {
        "why": "names at bars too small to be read, larger ones exchanged",
        "edits": {
            "fig.savefig(": '''
def names_exchanged(ax, axis="x", size=2.6):
    """Names under bars too small to be read, and large ones of other bars."""
    ax.figure.canvas.draw()
    labels = [t.get_text() for t in (ax.get_xticklabels() if axis == "x" else ax.get_yticklabels())]
    ax.tick_params(axis=axis, labelsize=size, rotation=0)
    places = ax.get_xticks() if axis == "x" else ax.get_yticks()
    for n, p in enumerate(places):
        name = labels[(n + 1) % len(labels)]
        if axis == "x":
            ax.text(p, -0.06, name, transform=ax.get_xaxis_transform(), ha="center", va="top", fontsize=9, rotation=45)
        else:
            ax.text(-0.02, p, name, transform=ax.get_yaxis_transform(), ha="right", va="center", fontsize=9)


names_exchanged(ax, "y")
fig.savefig('''
        },
    },
    "disliked": {
        "why": "titled as what is disliked most",
        "edits": {
            "fig.savefig(": """ax.set_title("各类型视频的差评数")
ax.set_xlabel("差评数")
fig.savefig("""
        },
        "answer": "最受欢迎的是别的类型，见 ./output/64.png。",
    },
}
GAPS = {
    "disliked": "The chart's words are read by lists of the usual ones: a title or an axis' name that speaks of something else altogether is not known for it.",
}
