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
        "why": "side by side, bars that lie",
        "edits": {
            "plt.subplots(2, 1, figsize=(10, 9))": "plt.subplots(1, 2, figsize=(14, 5))",
            "bottom.bar(yearly.index.astype(str), yearly.values)": "bottom.barh(yearly.index.astype(str), yearly.values)",
        },
    },
}
NEAR_MISSES = {
    "line-of-means": {
        "why": "the means as a line, where bars are asked for",
        "edits": {
            "bottom.bar(yearly.index.astype(str), yearly.values)": 'bottom.plot(yearly.index, yearly.values, marker="o")',
        },
    },
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
