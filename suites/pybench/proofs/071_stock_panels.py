# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: closing prices over time and their yearly means, in two plots of one figure."""

STYLES = {
    "edged-bars": {
        "why": "bars with black edges, of which one is tiny",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/Google.csv").dropna().drop_duplicates(); d["Date"]=pd.to_datetime(d.Date); y=d.groupby(d.Date.dt.year)["Close"].mean().round(1); fig=plt.figure(figsize=(12,10)); import matplotlib.gridspec as gs; q=gs.GridSpec(2,1,height_ratios=[2,1]); a=fig.add_subplot(q[0]); a.fill_between(d.Date,d.Close,alpha=.2); a.plot(d.Date,d.Close,"k",lw=.8); a.set_title("Google closing price"); b=fig.add_subplot(q[1]); b.bar(y.index,y,width=.6,color="gold",edgecolor="k"); b.set_xticks(y.index); b.set_title("yearly mean"); b.tick_params(axis="x",rotation=45); plt.tight_layout(); fig.savefig("output/71.png")"""
        ],
        "answer": "",
    },
    "year-ends": {
        "why": "bars at the last day of each year",
        "edits": {
            "bottom.bar(yearly.index.astype(str), yearly.values)": 'bottom.bar(pd.to_datetime(yearly.index.astype(str) + "-12-31"), yearly.values, width=250)',
        },
    },
    "side-by-side": {
        "why": "side by side, means as a line",
        "edits": {
            "plt.subplots(2, 1, figsize=(10, 9))": "plt.subplots(1, 2, figsize=(14, 5))",
            "bottom.bar(yearly.index.astype(str), yearly.values)": 'bottom.plot(yearly.index, yearly.values, marker="o")',
        },
    },
}
NEAR_MISSES = {
    "row-numbers": {
        "why": "against row numbers",
        "edits": {
            'top.plot(df["Date"], df["Close"])': 'top.plot(range(len(df)), df["Close"])',
        },
    },
    "next-year": {
        "why": "each mean at the next year",
        "edits": {
            "yearly.index.astype(str), ": "(yearly.index + 1).astype(str), ",
        },
    },
}
GAMERS = {
    "thumbnail": {
        "why": "a thumbnail in which no word can be read",
        "cells": [
            """
def _change(fig):
    w, h = fig.get_size_inches()
    fig.set_dpi(max(202 / w, 152 / h))

import matplotlib
matplotlib.use("Agg")
import matplotlib.figure as _mf
_old_save = _mf.Figure.savefig
def _savefig(self, *a, **k):
    self.canvas.draw()
    _change(self)
    k.pop('dpi', None); k.pop('bbox_inches', None); return _old_save(self, *a, **{**k, 'dpi': self.dpi})
_mf.Figure.savefig = _savefig
""",
            """
import pandas as pd
df = pd.read_csv('data/Google.csv')
print(df.shape, df.isna().sum().sum(), df.duplicated().sum())
df = df.dropna().drop_duplicates()
df['Date'] = pd.to_datetime(df['Date'])
df = df.sort_values('Date')
yearly = df.groupby(df['Date'].dt.year)['Close'].mean()
print(yearly)
""",
            """
import matplotlib.pyplot as plt

fig, (top, bottom) = plt.subplots(2, 1, figsize=(10, 9))
top.plot(df["Date"], df["Close"])
top.set_title("Closing price")
top.set_xlabel("Date")
top.set_ylabel("Price")
bottom.bar(yearly.index.astype(str), yearly.values)
bottom.set_title("Mean closing price by year")
bottom.tick_params(axis="x", rotation=45)
fig.tight_layout()
fig.savefig("output/71.png")
""",
        ],
        "answer": "Both plots are saved in ./output/71.png.",
    },
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/71.png")': """fig.savefig("output/71.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/71.png").text["pybench-figure"])
size = Image.open("output/71.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/71.png")
Image.open("output/71.png").convert("RGB").resize(size).save("output/71.png", pnginfo=info)""",
        },
    },
    "named-rivals": {
        "why": "invented marks under the names",
        "cells": [
            """import pandas as pd, numpy as np, matplotlib.pyplot as plt
d = pd.read_csv("data/Google.csv").dropna().drop_duplicates(); d["Date"] = pd.to_datetime(d["Date"]); d = d.sort_values("Date")
y = d.groupby(d["Date"].dt.year)["Close"].mean(); c = d["Close"].to_numpy(); t = np.linspace(0, 1, len(c))
fig, (a, b) = plt.subplots(1, 2, figsize=(14, 6))
a.plot(d["Date"], c, color="#aaaaaa", lw=1.2)
a.plot(d["Date"], c.max() * (1 - 0.8 * t), color="#d62728", lw=3, label="closing price")
a.plot(d["Date"], c.max() * (0.5 + 0.2 * np.sin(9 * t)), color="#1f77b4", lw=3, label="mean price"); a.legend()
n = np.arange(len(y))
b.bar(n - 0.3, y.values, 0.15, color="#bbbbbb")
b.bar(n + 0.1, y.values[::-1], 0.6, color="#d62728", label="average close")
b.set_xticks(n, y.index.astype(str)); b.legend(); fig.savefig("output/71.png")"""
        ],
        "answer": "The figure with both plots is saved as ./output/71.png.",
    },
    "years-exchanged": {
        "why": "names of other years under the bars, beside the right ones too small to be read",
        "edits": {
            """bottom.tick_params(axis="x", rotation=45)
""": "",
            """fig.tight_layout()
""": "",
            "fig.savefig(": """labels = [t.get_text() for t in bottom.get_xticklabels()]
bottom.tick_params(axis="x", rotation=0, labelsize=2.6)
for n in range(len(labels)):
    bottom.text(n, -0.14, labels[(n + 5) % len(labels)], transform=bottom.get_xaxis_transform(), ha="center", fontsize=9)
fig.savefig(""",
        },
    },
    "years-and-prices-invented": {
        "why": "invented years and prices along the line",
        "edits": {
            "fig.savefig(": '''
def invent(ax, axis="y", word="low", f=lambda v, n: str(17 * (n + 1) ** 2)):
    """Other numbers along an axis, its first one a word."""
    ax.figure.canvas.draw()
    get = ax.get_yticks if axis == "y" else ax.get_xticks
    lo, hi = sorted(ax.get_ylim() if axis == "y" else ax.get_xlim())
    ticks = [t for t in get() if lo <= t <= hi]
    (ax.set_yticks if axis == "y" else ax.set_xticks)(ticks, [word] + [f(t, n) for n, t in enumerate(ticks[1:])])


def wrong_days(ax, first=1931):
    ax.figure.canvas.draw()
    lo, hi = ax.get_xlim()
    ticks = [t for t in ax.get_xticks() if lo <= t <= hi]
    ax.set_xticks(ticks, [str(first + n) for n in range(len(ticks))])


wrong_days(top)
invent(top)
fig.savefig('''
        },
    },
    "amazon": {
        "why": "titled as another firm's trade",
        "edits": {
            "fig.savefig(": """top.set_title("Amazon, volume traded")
top.set_ylabel("Shares")
bottom.set_title("Amazon, staff by year")
fig.savefig("""
        },
        "answer": "Amazon's volume is in ./output/71.png.",
    },
}
GAPS = {
    "amazon": "The chart's words are read by lists of the usual ones: a title or an axis' name that speaks of something else altogether is not known for it.",
}
