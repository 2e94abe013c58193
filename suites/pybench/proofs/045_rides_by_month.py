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
LEFT_OUT = {
    "drop-row": "it hides one kind of rider, and any column will do",
    "reverse-order": "it turns one of several plots, and one right one will do",
    "scale-by-10": "the unit of a share is left open",
}
