# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a pie of the employees' education."""

STYLES = {
    "ring-with-legend": {
        "why": "a ring with a legend",
        "edits": {
            'ax.pie(counts.values, labels=counts.index, autopct="%1.1f%%")': """ax.pie(counts.values, wedgeprops={"width": 0.4}, startangle=140)
ax.legend(counts.index, loc="center")""",
        },
    },
    "numbers": {
        "why": "levels as numbers, with the rows that stand twice",
        "edits": {
            'df.drop_duplicates("EmpID")["Education"].map(names).value_counts()': 'df["Education"].value_counts().sort_index()',
            "labels=counts.index": 'labels=[f"Level {n}" for n in counts.index]',
        },
    },
}
NEAR_MISSES = {
    "legend-turned-cropped": {
        "why": "names in another order in a legend, cropped",
        "cells": [
            """import pandas as pd, numpy as np, glob, os
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/HR_Analytics.csv",encoding="utf-8-sig"); lv={1:"Below College",2:"College",3:"Bachelor",4:"Master",5:"Doctor"}; s=d.Education.map(lv).value_counts()

fig,ax=plt.subplots(figsize=(9,7)); wd,_,_=ax.pie(s.values,autopct=lambda p:f"{p:.1f}%\\n{p*s.sum()/100:.0f}",colors=plt.cm.Set2.colors,startangle=90,wedgeprops=dict(edgecolor="white")); ax.legend(wd,s.index[::-1],loc="upper center",bbox_to_anchor=(.5,0),ncol=3); ax.set_title("Education"); fig.savefig("output/65.png",bbox_inches="tight",facecolor="#f5f5f5")"""
        ],
        "answer": "完成",
    },
    "names-turned": {
        "why": "each wedge under the next name",
        "edits": {
            "labels=counts.index": "labels=[*counts.index[1:], counts.index[0]]",
        },
    },
    "by-sex": {
        "why": "men only",
        "edits": {
            'df.drop_duplicates("EmpID")["Education"]': 'df[df["Gender"] == "Male"]["Education"]',
        },
    },
}
