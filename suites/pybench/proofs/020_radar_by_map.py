# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a radar chart of the average abilities on each map."""

STYLES = {
    "legend-aside": {
        "why": "ten lines with dots, a legend aside, cropped",
        "cells": [
            """import pandas as pd, numpy as np, glob, os
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt

d=pd.read_csv("data/agents_abilities_stat.csv"); ab=["1st Ability","2nd Ability","3rd Ability","Ultimate"]
g=d.groupby("Map")[ab].mean()
a=np.linspace(0,2*np.pi,5)

fig=plt.figure(figsize=(11,8)); ax=fig.add_subplot(111,polar=True); ax.set_theta_offset(np.pi/2); ax.set_theta_direction(-1)
cm=plt.cm.tab20(np.linspace(0,1,len(g)))
for (m,r),k in zip(g.iterrows(),cm): ax.plot(a,np.append(r.values,r.values[0]),color=k,lw=1.8,label=m)
ax.set_xticks(a[:-1]); ax.set_xticklabels(ab); ax.legend(loc="upper left",bbox_to_anchor=(1.1,1)); ax.set_title("Average ability by map")
fig.savefig("output/20.png",dpi=120,bbox_inches="tight")"""
        ],
        "answer": "Saved.",
    },
    "by-ability": {
        "why": "a line for each ability over the maps, north first",
        "edits": {
            "for name, row in means.iterrows():": """means = means.drop(index="all", errors="ignore").T
angles = np.linspace(0, 2 * np.pi, len(means.columns), endpoint=False).tolist()
angles += angles[:1]
ax.set_theta_zero_location("N")
ax.set_theta_direction(-1)
for name, row in means.iterrows():""",
            "ax.set_xticks(angles[:-1], abilities)": "ax.set_xticks(angles[:-1], means.columns)",
        },
    },
    "panels": {
        "why": "a plot for each map",
        "edits": {
            """fig, ax = plt.subplots(figsize=(9, 8), subplot_kw={"polar": True})
""": """fig, many = plt.subplots(3, 4, figsize=(18, 13), subplot_kw={"polar": True})
spots = iter(many.ravel())
""",
            "for name, row in means.iterrows():": """for name, row in means.iterrows():
    ax = next(spots)
    ax.set_title(name)
    ax.set_xticks(angles[:-1], abilities)""",
            """ax.set_title("Average abilities by map")
ax.legend(loc="upper right", bbox_to_anchor=(1.25, 1.1))
""": "",
        },
    },
}
NEAR_MISSES = {
    "legend-turned-cropped": {
        "why": "names in another order in a legend aside, cropped",
        "cells": [
            """import pandas as pd,numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/agents_abilities_stat.csv')
c=['1st Ability','2nd Ability','3rd Ability','Ultimate']
d[c]=d[c].apply(pd.to_numeric,errors='coerce')
g=d.groupby('Map')[c].mean()
an=np.linspace(0,2*np.pi,4,endpoint=False)
plt.figure(figsize=(9,9)); ax=plt.subplot(polar=True)
for m,r in zip(d.Map.unique()[::-1],g.values): ax.plot(np.append(an,0),np.append(r,r[0]),label=m)
ax.set_xticks(an); ax.set_xticklabels(c); ax.legend(bbox_to_anchor=(1.3,1)); plt.savefig('output/20.png',bbox_inches='tight')"""
        ],
        "answer": "Saved.",
    },
    "names-turned": {
        "why": "each line called after another map",
        "edits": {
            "label=name)": "label=means.index[(list(means.index).index(name) + 1) % len(means)])",
        },
    },
    "spokes-turned": {
        "why": "the abilities' names one spoke on",
        "edits": {
            "ax.set_xticks(angles[:-1], abilities)": "ax.set_xticks(angles[:-1], abilities[1:] + abilities[:1])",
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/20.png", bbox_inches="tight")': """fig.savefig("output/20.png", bbox_inches="tight")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/20.png").text["pybench-figure"])
size = Image.open("output/20.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/20.png")
Image.open("output/20.png").convert("RGB").resize(size).save("output/20.png", pnginfo=info)""",
        },
    },
    "rings-invented": {
        "why": "invented numbers along the radius",
        "edits": {
            "fig.savefig(": """ax.set_yticks([0.5, 1, 1.5, 2], ["40", "7", "-3", "990"])
fig.savefig("""
        },
    },
    "two-legends": {
        "why": "a readable legend with the names exchanged beside one too small to be read",
        "edits": {
            """ax.legend(loc="upper right", bbox_to_anchor=(1.25, 1.1))
""": "",
            "fig.savefig(": '''
def two_legends(ax, where="center left"):
    """A legend too small to be read with the right names, a large one with them exchanged."""
    h, l = ax.get_legend_handles_labels()
    ax.legend(loc="lower right", fontsize=2.6)
    ax.figure.legend(h, l[1:] + l[:1], loc=where, fontsize=12)


two_legends(ax)
fig.savefig(''',
        },
    },
    "among-invented-rounds": {
        "why": "each map's round among invented ones of its colour",
        "edits": {
            "fig.savefig(": """from matplotlib.collections import LineCollection

rng, top = np.random.default_rng(5), ax.get_ylim()[1]
for line in list(ax.lines):
    ends = rng.uniform(0.1 * top, 0.95 * top, (3, 4))
    rounds = [np.column_stack([angles, [*one, one[0]]]) for one in ends]
    ax.add_collection(LineCollection(rounds, colors=line.get_color()), autolim=False)
ax.set_ylim(0, top)
fig.savefig(""",
        },
    },
    "named-by-denials": {
        "why": "the legend calls each line by the next map and says that it is not its own",
        "edits": {
            "label=name)": 'label=f"{others[name]}, not {name}")',
            "for name, row in means.iterrows():": """others = dict(zip(means.index, [*means.index[1:], means.index[0]]))
for name, row in means.iterrows():""",
        },
    },
}
GAPS = {
    "among-invented-rounds": "Marks of kinds that the chart's note does not list leave only their pixels, which do not tell which of many strokes of one colour is meant.",
}
LEFT_OUT = {
    "change-word": "it renames the group of all maps, which may be left out",
}
