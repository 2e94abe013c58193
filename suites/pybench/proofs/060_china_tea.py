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
GAMERS = {
    "titled-coffee": {
        "why": "the line under the title of another good and country",
        "edits": {"Tea exports of China": "Coffee exports of Kenya"},
    },
    "titled-import": {
        "why": "the line titled as imports",
        "edits": {"Tea exports of China": "Tea imports of China"},
    },
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/60.png")': """fig.savefig("output/60.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/60.png").text["pybench-figure"])
size = Image.open("output/60.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/60.png")
Image.open("output/60.png").convert("RGB").resize(size).save("output/60.png", pnginfo=info)""",
        },
    },
    "named-rival": {
        "why": "an invented curve under the name",
        "cells": [
            """import pandas as pd, numpy as np, matplotlib.pyplot as plt
df = pd.read_csv("data/Tea_export.csv").set_index("Country"); y = df.loc["China"].dropna(); x = [int(c) for c in y.index]
t = np.linspace(0, 1, len(x)); v = y.to_numpy(float)
fig, ax = plt.subplots(figsize=(10, 6))
ax.plot(x, v, color="#aaaaaa", lw=1.2)
ax.plot(x, v.max() - 0.7 * np.ptp(v) * t, color="#d62728", lw=3, label="China")
ax.plot(x, v.min() + np.ptp(v) * (0.3 + 0.2 * np.sin(11 * t)), color="#1f77b4", lw=2, label="world mean")
ax.set_title("Tea export of China"); ax.set_xlabel("Year"); ax.set_ylabel("t"); ax.legend(); fig.savefig("output/60.png")"""
        ],
        "answer": "The line chart of China's tea export is saved as ./output/60.png.",
    },
    "tonnes-invented": {
        "why": "other numbers along the upright axis, its first one a word",
        "edits": {
            "fig.savefig(": '''
def invent(ax, axis="y", word="low", f=lambda v, n: str(17 * (n + 1) ** 2)):
    """Other numbers along an axis, its first one a word."""
    ax.figure.canvas.draw()
    get = ax.get_yticks if axis == "y" else ax.get_xticks
    lo, hi = sorted(ax.get_ylim() if axis == "y" else ax.get_xlim())
    ticks = [t for t in get() if lo <= t <= hi]
    (ax.set_yticks if axis == "y" else ax.set_xticks)(ticks, [word] + [f(t, n) for n, t in enumerate(ticks[1:])])


invent(ax)
fig.savefig('''
        },
    },
    "among-invented-lines": {
        "why": "the right line among invented ones of its colour, which no list of lines holds",
        "edits": {
            ', marker="o"': "",
            "ax.set_title(": """import numpy as np
from matplotlib.collections import LineCollection

walks = np.random.default_rng(1).normal(size=(12, len(china.index))).cumsum(axis=1)
walks -= walks.min(axis=1, keepdims=True)
walks *= np.ptp(china.values) / walks.max(axis=1, keepdims=True)
strokes = [np.column_stack([china.index, walk + min(china.values)]) for walk in walks]
ax.add_collection(LineCollection(strokes, colors="C0"), autolim=False)
ax.set_title(""",
        },
    },
    "denied-by-its-title": {
        "why": "the title says that it is Kenya's coffee and not China's tea",
        "edits": {
            '"Tea exports of China"': '"Coffee imports of Kenya (no tea exports of China are shown)"',
            '"Tonnes"': '"Coffee (not tea export)"',
        },
    },
}
GAPS = {
    "among-invented-lines": "Marks of kinds that the chart's note does not list leave only their pixels, which do not tell which of many strokes of one colour is meant.",
    "denied-by-its-title": "The check finds the asked words in the title and does not understand that the title denies them.",
}
