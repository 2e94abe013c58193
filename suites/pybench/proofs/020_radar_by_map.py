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
LEFT_OUT = {
    "change-word": "it renames the group of all maps, which may be left out",
}
