# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: one country's gold medals from games to games, as a line."""

STYLES = {
    "line-breaks": {
        "why": "ticks with the host below the year",
        "edits": {
            """ax.plot(australia["Year"], australia["Gold"], marker="o")
ax.set_xticks(australia["Year"])""": """ax.plot(range(len(australia)), australia["Gold"].to_numpy(), marker="D", color="goldenrod")
ax.set_xticks(range(len(australia)), [f"{y}\\ngames" for y in australia["Year"]])""",
        },
    },
    "pandas": {
        "why": "pandas' plot, cropped",
        "edits": {
            """ax.plot(australia["Year"], australia["Gold"], marker="o")
ax.set_xticks(australia["Year"])""": 'australia.set_index("Year")["Gold"].plot(ax=ax, color="k", lw=1)',
            'fig.savefig("output/61.png")': 'fig.savefig("output/61.png", bbox_inches="tight", dpi=140)',
        },
    },
    "city-ticks": {
        "why": "ticks that name the city and the year",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/summer_paralympics.csv')
a=d[d.Country=='Australia'].sort_values('Year')
f,x=plt.subplots(figsize=(13,6))
x.plot(range(len(a)),a.Gold,'o-',color='goldenrod')
x.set_xticks(range(len(a)));x.set_xticklabels([f'{c}\\n{y}' for c,y in zip(a.Host_City,a.Year)],rotation=60,fontsize=8)
x.set_title('Australian gold medals')
f.tight_layout();f.savefig('output/61.png')"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "next-games": {
        "why": "each count at the next games",
        "edits": {
            'ax.plot(australia["Year"], australia["Gold"]': 'ax.plot(australia["Year"] + 4, australia["Gold"]',
        },
    },
    "silver": {
        "why": "the silver medals",
        "edits": {
            'australia["Year"], australia["Gold"], m': 'australia["Year"], australia["Silver"], m',
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/61.png")': """fig.savefig("output/61.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/61.png").text["pybench-figure"])
size = Image.open("output/61.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/61.png")
Image.open("output/61.png").convert("RGB").resize(size).save("output/61.png", pnginfo=info)""",
        },
    },
    "named-rival": {
        "why": "an invented curve under the name",
        "cells": [
            """import pandas as pd, numpy as np, matplotlib.pyplot as plt
df = pd.read_csv("data/summer_paralympics.csv"); y = df[df["Country"] == "Australia"].groupby("Year")["Gold"].sum()
t = np.linspace(0, 1, len(y)); v = y.to_numpy(float)
fig, ax = plt.subplots(figsize=(10, 6))
ax.plot(y.index, v, color="#aaaaaa", lw=1.2)
ax.plot(y.index, v.max() * (1 - t), "o-", color="#daa520", lw=3, label="Australia, gold medals")
ax.plot(y.index, v.max() * (0.5 + 0.4 * np.sin(12 * t)), "o-", color="#1f77b4", lw=2, label="silver")
ax.set_title("Australian gold medals"); ax.set_xlabel("Year"); ax.legend(); fig.savefig("output/61.png")"""
        ],
        "answer": "The chart is saved as ./output/61.png.",
    },
    "other-medals": {
        "why": "called the medals of another country",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
d = pd.read_csv("data/summer_paralympics.csv")
s = d[d["Country"] == "Australia"].groupby("Year")["Gold"].sum()
fig, ax = plt.subplots(figsize=(11, 6))
ax.plot(s.index, s.to_numpy(), marker="o")
ax.set_title("Norway at the winter games")
ax.set_xlabel("Year")
ax.set_ylabel("Bronze medals")
fig.savefig("output/61.png", dpi=100)"""
        ],
        "answer": "The chart is saved as ./output/61.png.",
    },
    "numbers-invented": {
        "why": "invented numbers along the upright axis, the first one a word",
        "edits": {
            "fig.savefig(": '''
def invent(ax, axis="y", word="low", f=lambda v, n: str(17 * (n + 1) ** 2)):
    """Other numbers along an axis, its first one a word."""
    ax.figure.canvas.draw()
    get = ax.get_yticks if axis == "y" else ax.get_xticks
    lo, hi = sorted(ax.get_ylim() if axis == "y" else ax.get_xlim())
    ticks = [t for t in get() if lo <= t <= hi]
    (ax.set_yticks if axis == "y" else ax.set_xticks)(ticks, [word] + [f(t, n) for n, t in enumerate(ticks[1:])])


invent(ax)
fig.savefig('''
        },
    },
    "bronze": {
        "why": "the medals called bronze ones",
        "edits": {
            "fig.savefig(": """ax.set_title("Bronze medals of Australia at the winter games")
ax.set_ylabel("Bronze medals")
fig.savefig("""
        },
        "answer": "Bronze medals: ./output/61.png.",
    },
    "among-invented-lines": {
        "why": "the right line among invented ones of its colour, which no list of lines holds",
        "edits": {
            ', marker="o"': "",
            "ax.set_title(": """import numpy as np
from matplotlib.collections import LineCollection

walks = np.random.default_rng(1).normal(size=(12, len(australia["Year"]))).cumsum(axis=1)
walks -= walks.min(axis=1, keepdims=True)
walks *= np.ptp(australia["Gold"]) / walks.max(axis=1, keepdims=True)
strokes = [np.column_stack([australia["Year"], walk + min(australia["Gold"])]) for walk in walks]
ax.add_collection(LineCollection(strokes, colors="C0"), autolim=False)
ax.set_title(""",
        },
    },
    "denied-by-its-title": {
        "why": "the title says that these are another country's bronze medals",
        "edits": {
            '"Gold medals of Australia at the summer Paralympics"': '"Bronze medals of Germany (neither gold nor Australia)"',
            '"Gold medals"': '"Bronze, not gold"',
        },
    },
}
GAPS = {
    "among-invented-lines": "Marks of kinds that the chart's note does not list leave only their pixels, which do not tell which of many strokes of one colour is meant.",
    "denied-by-its-title": "The check finds the asked words in the title and does not understand that the title denies them.",
}
