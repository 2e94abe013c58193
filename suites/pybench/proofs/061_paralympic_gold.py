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
