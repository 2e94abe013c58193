# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a radar graph of four measures."""

STYLES = {
    "legend-aside": {
        "why": "a legend aside, cropped",
        "cells": [
            """import pandas as pd, numpy as np, glob, os
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/radar.csv"); f=list(d.columns[:4]); g=d.groupby("species")[f].mean(); a=np.linspace(0,2*np.pi,4,endpoint=False)

ax=plt.figure(figsize=(8,8)).add_subplot(projection="polar")
for k,r in g.iterrows(): ax.plot(np.r_[a,a[0]],np.r_[r,r.iloc[0]],marker="o",label=k); ax.fill(np.r_[a,a[0]],np.r_[r,r.iloc[0]],alpha=.1)
ax.set_thetagrids(np.degrees(a),f); ax.legend(bbox_to_anchor=(1.2,1.1)); plt.savefig("output/69.png",bbox_inches="tight")"""
        ],
        "answer": "Saved.",
    },
    "shares-of-the-largest": {
        "why": "each measure as a share of its largest, north first, names from the legend's side",
        "edits": {
            "means = df.groupby('species').mean()": "means = df.groupby('species').mean()\nmeans = means / df.drop(columns='species').max()",
            "ax.set_xticks(angles, means.columns)": 'ax.set_theta_zero_location("N")\nax.set_theta_direction(-1)\nax.set_xticks(angles, [c.replace("_", " ").title() for c in means.columns])',
        },
    },
    "medians-in-panels": {
        "why": "the medians, a plot for each species under its name",
        "edits": {
            "df.groupby('species').mean()": "df.groupby('species').median()",
            'fig, ax = plt.subplots(figsize=(6, 6), subplot_kw={"projection": "polar"})\nfor species, row in means.iterrows():': 'fig, many = plt.subplots(1, 3, figsize=(15, 5), subplot_kw={"projection": "polar"})\nfor ax, (species, row) in zip(many, means.iterrows()):\n    ax.set_title(species)\n    ax.set_xticks(angles, means.columns)',
            'ax.set_xticks(angles, means.columns)\nax.legend(loc="upper right")\nax.set_title("Mean measures by species")\n': "",
        },
    },
    "saved-by-opencv": {
        "why": "larger, without areas, saved again by OpenCV",
        "edits": {
            "    ax.fill(closed, values, alpha=0.15)\n": "",
            'fig.savefig("output/69.png")': 'fig.savefig("output/69.png", dpi=150)\nimport cv2\ncv2.imwrite("output/69.png", cv2.imread("output/69.png"))',
        },
    },
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "each round called after the next species",
        "edits": {
            "label=species)": "label=means.index[(list(means.index).index(species) + 1) % 3])"
        },
    },
    "spokes-exchanged": {
        "why": "the measures' names at each other's spokes",
        "edits": {
            "ax.set_xticks(angles, means.columns)": "ax.set_xticks(angles, [means.columns[i] for i in (1, 0, 2, 3)])",
        },
    },
    "columns-exchanged": {
        "why": "two measures exchanged",
        "edits": {
            "means = df.groupby('species').mean()": "means = df.groupby('species').mean()\nmeans.iloc[:, [0, 1]] = means.iloc[:, [1, 0]].to_numpy()",
        },
    },
}
