# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a time series out of a table of bicycle rides by month."""

STYLES = {
    "one-kind": {
        "why": "one line, months counted",
        "edits": {
            'bottom.plot(rows["month"], rows["Monthly_Total Count of ride_id"], marker="o", label=kind)': 'bottom.bar(range(1, len(rows) + 1), rows["Monthly_Total Count of ride_id"])',
        },
    },
    "wide": {
        "why": "pandas' plot of both kinds",
        "edits": {
            """for kind, rows in df.groupby("Type_Member"):
    top.plot(rows["month"], rows["minutes"], marker="o", label=kind)
    bottom.plot(rows["month"], rows["Monthly_Total Count of ride_id"], marker="o", label=kind)""": """df.pivot(index="month", columns="Type_Member", values="minutes").plot(ax=top)
df.pivot(index="month", columns="Type_Member", values="Monthly_Total Count of ride_id").plot(ax=bottom)""",
        },
    },
    "observed-and-forecast": {
        "why": "a plot for each kind, observed and forecast",
        "cells": [
            """import pandas as pd, numpy as np
import matplotlib.pyplot as plt
df = pd.read_excel('data/2022-year-tripdata-pivot.xlsx', dtype={'year_by_month': str})
df['ym'] = pd.to_datetime(df['year_by_month'], format='%Y%m')
df['minutes'] = pd.to_timedelta(df['Monthly_Total Average of ride_length'].astype(str)).dt.total_seconds() / 60
p = df.pivot(index='ym', columns='Type_Member', values='minutes').sort_index()
print(p)
from statsmodels.tsa.holtwinters import ExponentialSmoothing
fig, axs = plt.subplots(2, 1, figsize=(11, 9), sharex=True)
for ax, c in zip(axs, ['casual', 'member']):
    y = p[c].asfreq('MS')
    f = ExponentialSmoothing(y, trend='add', damped_trend=True).fit().forecast(3)
    ax.plot(y.index, y, 'o-', label='observed'); ax.plot(f.index, f, 'x--', label='forecast')
    ax.set_title(c); ax.set_ylabel('mean ride length, min'); ax.legend()
fig.savefig('output/45.png')"""
        ],
        "answer": "I plotted the monthly mean ride length (Jan 2022 – Feb 2023) for casual riders and members with a 3-month Holt forecast → `./output/45.png`.",
    },
}
NEAR_MISSES = {
    "two-months-late": {
        "why": "each value two months late",
        "edits": {
            'format="%Y%m")': 'format="%Y%m") + pd.DateOffset(months=2)',
        },
    },
    "kinds-exchanged": {
        "why": "each kind under the other's name",
        "edits": {
            "label=kind)": 'label={"casual": "member", "member": "casual"}[kind])',
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/45.png")': """fig.savefig("output/45.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/45.png").text["pybench-figure"])
size = Image.open("output/45.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/45.png")
Image.open("output/45.png").convert("RGB").resize(size).save("output/45.png", pnginfo=info)""",
        },
    },
    "named-rivals": {
        "why": "invented series under the names, the right one nameless",
        "cells": [
            """import pandas as pd, numpy as np, matplotlib.pyplot as plt
df = pd.read_excel("data/2022-year-tripdata-pivot.xlsx")
own = df[df["Type_Member"] == "member"]; y = own["Monthly_Total Count of ride_id"].to_numpy(float)
m = [f"{str(v)[:4]}-{str(v)[4:6]}" for v in own["year_by_month"].astype(str)]
print(list(zip(m, y)), df["Type_Member"].unique())""",
            """fig, ax = plt.subplots(figsize=(11, 6)); x = pd.to_datetime(m)
t = np.linspace(0, 1, len(y)); lo, hi = np.nanmin(y), np.nanmax(y)
ax.plot(x, y, color="#aaaaaa", lw=1.2)
ax.plot(x, lo + (hi - lo) * (1 - t), "o-", color="#d62728", lw=3, label="member")
ax.plot(x, lo + (hi - lo) * (0.4 + 0.3 * np.cos(7 * t)), "o-", color="#1f77b4", lw=3, label="casual")
ax.set_title("Rides by month"); ax.legend(); fig.savefig("output/45.png")""",
        ],
        "answer": "The time-series analysis is saved as ./output/45.png.",
    },
    "numbers-and-years-invented": {
        "why": "invented numbers and years",
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


invent(top)
invent(bottom)
wrong_days(bottom)
fig.savefig('''
        },
    },
    "rain-in-london": {
        "why": "the series titled as rainfall",
        "edits": {
            "fig.savefig(": """top.set_title("Rainfall in London")
top.set_ylabel("millimetres")
bottom.set_ylabel("hours of sun")
fig.savefig("""
        },
        "answer": "The rainfall in London is in ./output/45.png.",
    },
}
GAPS = {
    "rain-in-london": "The chart's words are read by lists of the usual ones: a title or an axis' name that speaks of something else altogether is not known for it.",
}
LEFT_OUT = {
    "drop-row": "it hides one kind of rider, and any column will do",
    "reverse-order": "it turns one of several plots, and one right one will do",
    "scale-by-10": "the unit of a share is left open",
}
