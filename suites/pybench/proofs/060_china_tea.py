# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a line chart of one country's tea exports over the years."""

STYLES = {
    "yearly-periods": {
        "why": "period index of years, pandas plot, with India for comparison",
        "cells": [
            """
import pandas as pd
t = pd.read_csv("data/Tea_export.csv").set_index("Country").T; t.index = pd.PeriodIndex(t.index, freq="Y"); ax = t[["China", "India"]].plot(figsize=(10, 5), grid=True); ax.set_ylabel("t"); ax.figure.savefig("output/60.png")
"""
        ],
        "answer": "./output/60.png – China (with India for comparison).",
    },
    "with-another": {
        "why": "in units of 1000 t, another country beside it",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/Tea_export.csv",index_col=0).T.astype(float); fig,ax=plt.subplots(figsize=(10,6)); ax.plot(d.index.astype(int),d["China"]/1e3,label="China",c="red",lw=3); ax.plot(d.index.astype(int),d["India"]/1e3,label="India",c="grey",lw=1); ax.legend(); ax.set_ylabel("1000 t"); ax.set_title("Tea export"); fig.savefig("output/60.png")"""
        ],
        "answer": "Saved.",
    },
    "every-fourth-year": {
        "why": "years as words of which each fourth has a tick",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
import seaborn as sns
t=pd.read_csv('data/Tea_export.csv').set_index('Country')
s=t.loc[['China']].T.reset_index(); s.columns=['Year','Export']
sns.set_style('whitegrid'); plt.figure(figsize=(12,6)); ax=sns.lineplot(data=s,x='Year',y='Export',linewidth=2.5,color='#2ca02c'); ax.set_xticks(range(0,32,4)); ax.fill_between(range(32),s.Export,color='#2ca02c',alpha=.1); sns.despine(); plt.savefig('output/60.png',dpi=300)"""
        ],
        "answer": "The chart is saved in ./output/60.png.",
    },
    "thousand-tonnes": {
        "why": "in thousand tonnes, labelled so",
        "edits": {
            'ax.plot(china.index, china.values, marker="o")': 'ax.plot(china.index, china.values / 1000, color="green")',
            '"Tonnes"': '"Exports (thousand tonnes)"',
        },
    },
    "years-as-text": {
        "why": "years as words, a dashed line with squares",
        "edits": {
            'ax.plot(china.index, china.values, marker="o")': """ax.plot(china.index.astype(str), china.values, "s--")
ax.tick_params(axis="x", rotation=90)""",
            'fig.savefig("output/60.png")': 'fig.savefig("output/60.png", bbox_inches="tight")',
        },
    },
}
NEAR_MISSES = {
    "sparse-years-off": {
        "why": "ticks at each fifth place that name the years before",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
china = pd.read_csv('data/Tea_export.csv').set_index('Country').loc['China']
plt.plot(range(len(china)), china.values)
plt.xticks(range(0, len(china), 5), [int(year) - 1 for year in china.index[::5]])
plt.title('China tea export')
plt.savefig('output/60.png')"""
        ],
        "answer": "Saved in ./output/60.png.",
    },
    "ten-years-late": {
        "why": "each value ten years late",
        "edits": {
            'ax.plot(china.index, china.values, marker="o")': 'ax.plot(china.index + 10, china.values, marker="o")',
        },
    },
    "thousands-unlabelled": {
        "why": "divided by a thousand, called tonnes",
        "edits": {
            'ax.plot(china.index, china.values, marker="o")': 'ax.plot(china.index, china.values / 1000, marker="o")',
        },
    },
}
