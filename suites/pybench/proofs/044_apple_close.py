# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: the closing price of a share against the date, with a given title."""

STYLES = {
    "thinned-text-labels": {
        "why": "text dates, every tenth labelled",
        "cells": [
            """
import pandas as pd, matplotlib.pyplot as plt
d = pd.read_csv("data/regress_stocks.csv").query("Ticker == 'AAPL'").reset_index(drop=True)
plt.figure(figsize=(10, 5)); plt.plot(d.index, d.Close); plt.xticks(range(0, len(d), 10), d.Date[::10], rotation=30); plt.title("Stock Price Trend of AAPL"); plt.ylabel("Close"); plt.tight_layout(); plt.savefig("output/44.png")
"""
        ],
        "answer": "The price falls until early March 2023 and then rises to 173.57. ./output/44.png",
    },
    "pandas-plot-text-dates": {
        "why": "pandas plot with the dates as text along the bottom",
        "cells": [
            """
import pandas as pd
d = pd.read_csv("data/regress_stocks.csv")
ax = d[d["Ticker"] == "AAPL"].plot(x="Date", y="Close", figsize=(10, 6), rot=45, grid=True, legend=False, title="Stock Price Trend of AAPL", color="black", drawstyle="steps-post")
ax.set_ylabel("Close"); ax.figure.tight_layout(); ax.figure.savefig("output/44.png", dpi=100)
"""
        ],
        "answer": "从图中看，苹果股价 2—3 月初小幅回落，随后持续上升。图片：./output/44.png",
    },
    "two-lines-cropped": {
        "why": "a black line with dots and its mean, a title, cropped",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
d=pd.read_csv('data/regress_stocks.csv')
a=d[d.Ticker=='AAPL'].copy(); a['Date']=pd.to_datetime(a.Date); a=a.set_index('Date')
ax=a['Close'].plot(figsize=(12,6),color='k',lw=1.2,marker='.',label='Close')
a['Close'].rolling(7).mean().plot(ax=ax,ls='--',label='MA7')
ax.legend(); ax.set_title('Stock Price Trend of AAPL',fontsize=18); ax.set_ylabel('Close (USD)')
plt.savefig('output/44.png',bbox_inches='tight',dpi=150)"""
        ],
        "answer": "AAPL rose over the period.",
    },
    "pandas": {
        "why": "one line by pandas, cropped",
        "edits": {
            """ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
""": "",
            'ax.plot(df["Date"], df["Close"], label="Close")': 'df.set_index("Date")["Close"].plot(ax=ax, color="black")',
            'fig.savefig("output/44.png")': 'fig.savefig("output/44.png", bbox_inches="tight", dpi=150)',
        },
    },
    "dates-as-text": {
        "why": "dates given as text, few of them shown",
        "edits": {
            """ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
""": "",
            'ax.plot(df["Date"], df["Close"], label="Close")': """ax.plot(df["Date"].dt.strftime("%Y-%m-%d"), df["Close"], label="Close")
ax.set_xticks(range(0, len(df), 15))""",
        },
    },
}
NEAR_MISSES = {
    "row-numbers": {
        "why": "against row numbers",
        "edits": {
            'ax.plot(df["Date"], df["Close"], label="Close")': 'ax.plot(df["Close"].to_numpy(), label="Close")',
            """ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
""": "",
        },
    },
    "names-exchanged": {
        "why": "the two lines under each other's names",
        "edits": {
            'label="Close"': 'label="10-day average"',
            'label="10-day mean"': 'label="Close"',
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/44.png")': """fig.savefig("output/44.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/44.png").text["pybench-figure"])
size = Image.open("output/44.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/44.png")
Image.open("output/44.png").convert("RGB").resize(size).save("output/44.png", pnginfo=info)""",
        },
    },
    "named-rival": {
        "why": "an invented curve under the name, the right one nameless",
        "cells": [
            """import pandas as pd, numpy as np, matplotlib.pyplot as plt
df = pd.read_csv("data/regress_stocks.csv"); df = df[df["Ticker"] == "AAPL"]; d = pd.to_datetime(df["Date"])
c = df["Close"].to_numpy(); t = np.linspace(0, 1, len(c)); r = np.random.default_rng(0)
fig, ax = plt.subplots(figsize=(11, 6))
ax.plot(d, c, color="#999999", lw=1.2)
ax.plot(d, c.max() - 0.8 * np.ptp(c) * t + r.normal(0, 1, len(c)), color="#d62728", lw=3, label="AAPL Close")
ax.plot(d, c.min() + np.ptp(c) * (0.5 + 0.3 * np.sin(9 * t)), color="#1f77b4", lw=2, label="moving average")
ax.set_title("Stock Price Trend of AAPL"); ax.set_xlabel("Date"); ax.set_ylabel("Close"); ax.legend()
fig.savefig("output/44.png")"""
        ],
        "answer": "The closing price of AAPL rose strongly over the period; the chart is ./output/44.png.",
    },
    "prices-and-days-invented": {
        "why": "other prices and other years along the axes",
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


invent(ax, f=lambda v, n: str(9000 - 40 * n))
wrong_days(ax)
ax.legend(loc="lower right")
fig.savefig('''
        },
    },
    "years-invented": {
        "why": "other years along the axis",
        "edits": {
            "fig.savefig(": """
def wrong_days(ax, first=1931):
    ax.figure.canvas.draw()
    lo, hi = ax.get_xlim()
    ticks = [t for t in ax.get_xticks() if lo <= t <= hi]
    ax.set_xticks(ticks, [str(first + n) for n in range(len(ticks))])


wrong_days(ax)
fig.savefig("""
        },
    },
    "among-invented-lines": {
        "why": "the right line among invented ones of its colour, which no list of lines holds",
        "edits": {
            """ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
""": """import matplotlib.dates

days = matplotlib.dates.date2num(df["Date"])
import numpy as np
from matplotlib.collections import LineCollection

walks = np.random.default_rng(1).normal(size=(14, len(days))).cumsum(axis=1)
walks -= walks.min(axis=1, keepdims=True)
walks *= np.ptp(df["Close"]) / walks.max(axis=1, keepdims=True)
strokes = [np.column_stack([days, walk + min(df["Close"])]) for walk in walks]
ax.add_collection(LineCollection(strokes, colors="C0"), autolim=False)
""",
        },
    },
    "denied-by-its-title": {
        "why": "the title says that it is rainfall and not the share's price",
        "edits": {
            'ax.set_title("Stock Price Trend of AAPL")': 'ax.set_title("Rainfall in Peru (this is not the Stock Price Trend of AAPL)")',
            'ax.set_ylabel("Close")': 'ax.set_ylabel("millimetres of rain")',
            """ax.legend()
""": "",
            """ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
""": "",
        },
    },
}
GAPS = {
    "among-invented-lines": "Marks of kinds that the chart's note does not list leave only their pixels, which do not tell which of many strokes of one colour is meant.",
    "denied-by-its-title": "The check finds the asked words in the title and does not understand that the title denies them.",
}
LEFT_OUT = {
    "drop-row": "it hides the moving average, which nobody asked for",
}
