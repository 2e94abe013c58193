# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: bars of what each product sold."""

STYLES = {
    "product-before": {
        "why": "the word product before each name",
        "cells": [
            """import pandas as pd,numpy as np
import matplotlib.pyplot as plt
import seaborn as sns
s=pd.read_csv('data/sales_data.csv')
g=s.groupby('product').sales_amount.sum()
g=g.sort_values()
fig,ax=plt.subplots(figsize=(9,7))
b=ax.barh([f'product {k}' for k in g.index],g.values,color=plt.cm.viridis(np.linspace(0,1,10)))
ax.bar_label(b,fmt='{:,.0f}')
ax.set_xlabel('sales amount'); fig.savefig('output/63.png')"""
        ],
        "answer": "图已保存。",
    },
    "seaborn": {
        "why": "seaborn's lying bars, ordered, a colour each",
        "edits": {
            "ax.bar(totals.index, totals.values)": """import seaborn as sns
ordered = totals.sort_values()
sns.barplot(x=ordered.values, y=ordered.index, hue=ordered.index, legend=False, ax=ax)""",
        },
    },
    "ten-thousands": {
        "why": "in ten thousands, labelled so",
        "edits": {
            "ax.bar(totals.index, totals.values)": 'ax.bar(totals.index, totals.values / 1e4, color="teal", width=0.5)',
            """"销售额")
fig""": """"销售额（万元）")
fig""",
        },
    },
}
NEAR_MISSES = {
    "names-turned": {
        "why": "each bar under the next name",
        "edits": {
            "ax.bar(totals.index, totals.values)": "ax.bar(totals.index, [*totals.values[1:], totals.values[0]])",
        },
    },
    "means": {
        "why": "means instead of sums",
        "edits": {
            "['sales_amount'].sum()": "['sales_amount'].mean()",
        },
    },
}
