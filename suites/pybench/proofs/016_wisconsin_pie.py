# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a pie of sales by gender in one state, with a given title and labels."""

STYLES = {
    "ring": {
        "why": "a ring with a legend and its own start",
        "edits": {
            'ax.pie(sales, labels=sales.index, autopct="%.1f%%")': """ax.pie(sales, autopct="%.1f%%", startangle=90, counterclock=False, wedgeprops={"width": 0.45}, pctdistance=0.8)
ax.legend(sales.index, loc="center")""",
        },
    },
    "pandas": {
        "why": "pandas' own pie, cropped, amounts beside the names",
        "edits": {
            """fig, ax = plt.subplots(figsize=(7, 7))
ax.pie(sales, labels=sales.index, autopct="%.1f%%")
ax.set_title("Total Sales by Gender in Wisconsin")
fig.savefig("output/16.png")""": """labels = [f"{k} (${v:,.0f})" for k, v in sales.items()]
ax = sales.plot.pie(labels=labels, colors=["#cc6677", "#4477aa"], title="Total Sales by Gender in Wisconsin", ylabel="")
ax.figure.savefig("output/16.png", bbox_inches="tight", dpi=150)""",
        },
    },
}
NEAR_MISSES = {
    "amounts-exchanged": {
        "why": "the amounts beside the names exchanged",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
s=pd.read_excel(glob.glob("data/*.xlsx")[0]); s=s[s.State=="Wisconsin"].groupby("Gender Type")["Total Sales"].sum(); fig,ax=plt.subplots(figsize=(6,6)); ax.pie(s,labels=[f"{k}: ${v/1e6:.2f}M" for k,v in zip(s.index,s[::-1])]); fig.suptitle("Total Sales by Gender in Wisconsin",y=.95); fig.savefig("output/16.png")"""
        ],
        "answer": "Saved.",
    },
    "legend-turned-cropped": {
        "why": "names exchanged in a legend aside, cropped",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_excel(glob.glob("data/*.xlsx")[0]).query("State=='Wisconsin'"); s=d.pivot_table(index="Gender Type",values="Total Sales",aggfunc="sum")["Total Sales"]; s.plot.pie(labels=None,autopct="%.1f%%",ylabel="",title="Total Sales by Gender in Wisconsin",figsize=(7,7),cmap="cool"); plt.legend(s.index[::-1],loc="upper left",bbox_to_anchor=(1.05,1)); plt.savefig("output/16.png",bbox_inches="tight")"""
        ],
        "answer": "Saved.",
    },
    "names-exchanged": {
        "why": "each wedge under the other's name",
        "edits": {
            "labels=sales.index": "labels=sales.index[::-1]",
        },
    },
    "profit": {
        "why": "the profit instead of the sales",
        "edits": {
            '["Total Sales"].sum()': '["Operating Profit"].sum()',
        },
    },
}
