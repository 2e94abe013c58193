# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "clockwise-legend": {
        "why": "clockwise from the top, with a legend and percentages outside",
        "edits": {
            "ax.pie(sums, labels=sums.index, colors=[colours[c] for c in sums.index])": """wedges = ax.pie(sums, colors=[colours[c] for c in sums.index], startangle=90, counterclock=False, autopct="%1.1f%%", pctdistance=1.15)[0]
ax.legend(wedges, list(sums.index), loc="upper left", bbox_to_anchor=(0.95, 1), fontsize=9)
ax.set_title("Spending by category")""",
            "figsize=(8, 6))": "figsize=(9, 7), dpi=120)",
        },
    },
    "pandas-plot": {
        "why": "drawn by pandas, sums in reverse order around the pie, labels with the values",
        "edits": {
            "ax.pie(sums, labels=sums.index, colors=[colours[c] for c in sums.index])": """back = sums[::-1]
back.plot.pie(ax=ax, ylabel="", colors=[colours[c] for c in back.index], labels=[f"{c} (€{v:,.0f})" for c, v in back.items()])"""
        },
        "answer": "Done, see `output/spend.csv` and `output/spend.png`.",
    },
    "outlined-thinly": {
        "why": "thin white outlines, labels with percentages outside",
        "edits": {
            "ax.pie(sums, labels=sums.index,": 'ax.pie(sums, labels=[f"{c}\\n{v / sums.sum():.1%}" for c, v in sums.items()], wedgeprops={"edgecolor": "white", "linewidth": 1},'
        },
    },
    "legend-alone": {
        "why": "a legend alone, in the order of the alphabet",
        "edits": {
            "ax.pie(sums, labels=sums.index, colors=[colours[c] for c in sums.index])": 'order = sorted(sums.index)\nw = ax.pie(sums[order], colors=[colours[c] for c in order], radius=1)[0]\nfig.legend(w, order, loc="lower right")'
        },
    },
}
NEAR_MISSES = {
    "smallest-first": {
        "why": "smallest first in the table",
        "edits": {"sort_values(ascending=False)": "sort_values()"},
    },
    "labels-exchanged": {
        "why": "the names of the two largest slices exchanged, in colours of the right names",
        "edits": {"labels=sums.index,": "labels=[sums.index[i] for i in (1, 0, 2, 3)],"},
    },
    "ring": {"why": "a ring", "edits": {"ax.pie(sums,": 'ax.pie(sums, wedgeprops={"width": 0.4},'}},
    "gaps": {
        "why": "slices with gaps",
        "edits": {"ax.pie(sums,": "ax.pie(sums, explode=[0.1] * 4,"},
    },
    "in-thousands": {
        "why": "sums in thousands of euros",
        "edits": {"sums.round(2)": "(sums / 1000).round(2)"},
    },
    "k-ignored": {
        "why": "reads 12.5k as 12.5",
        "edits": {"float(text[:-1]) * 1000": "float(text[:-1])"},
    },
    "sizes-exchanged": {
        "why": "draws the number of items instead of their sums",
        "edits": {"ax.pie(sums,": 'ax.pie(items.groupby("category").size()[sums.index],'},
    },
    "small-hole": {
        "why": "a hole in the middle",
        "edits": {"ax.pie(sums,": 'ax.pie(sums, wedgeprops={"width": 0.75},'},
    },
    "colours-of-two-exchanged": {
        "why": "two colours exchanged, and their names with them",
        "edits": {
            "colors=[colours[c] for c in sums.index]": "colors=[colours[c] for c in [sums.index[i] for i in (1, 0, 2, 3)]]"
        },
    },
    "items-cancelled-counted": {
        "why": "counts cancelled items",
        "edits": {'if item["status"] != "cancelled":': "if True:"},
    },
    "names-capital": {
        "why": "two categories exchanged in the table",
        "edits": {
            "sums.round(2).reset_index()": "sums.round(2).rename({'staff': 'travel', 'travel': 'staff'}).reset_index()"
        },
    },
    "legend-exchanged": {
        "why": "a legend with two names exchanged",
        "edits": {
            "ax.pie(sums, labels=sums.index, colors=[colours[c] for c in sums.index])": 'w = ax.pie(sums, colors=[colours[c] for c in sums.index])[0]\nfig.legend(w, [sums.index[i] for i in (1, 0, 2, 3)], loc="lower right")'
        },
    },
    "percentages-on-slices": {
        "why": "writes on the slices",
        "cells": [
            """import json, csv, collections
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
d = json.load(open("data/projects.json", encoding="utf-8"))
rate = {r["currency"]: float(r["eur_per_unit"]) for r in csv.DictReader(open("data/rates.csv", encoding="utf-8-sig"))}
def amount(v):
    if isinstance(v, (int, float)): return float(v)
    s = str(v).strip().lower().replace(",", ""); k = s.endswith("k"); x = float(s.rstrip("k"))
    return x*1000 if k else x
tot = collections.defaultdict(float)
def walk(p):
    if p.get("status") == "cancelled": return
    for it in p.get("items", []):
        if it.get("status") == "cancelled": continue
        tot[it["category"]] += amount(it["amount"])*rate[it["currency"]]
    for s in p.get("subprojects", []): walk(s)
for a in d["areas"]:
    for p in a["projects"]: walk(p)
rows = sorted(tot.items(), key=lambda kv: -kv[1])
with open("output/spend.csv", "w", newline="") as f:
    w = csv.writer(f); w.writerow(["category", "eur"]); w.writerows([k, f"{v:.2f}"] for k, v in rows)
for k, v in rows: print(f"{k}: {v:,.2f}")
col = {"staff": "#229954", "equipment": "#c0392b", "travel": "#1b4f72", "rent": "#7d3c98"}
names = [k for k, _ in rows]; vals = [v for _, v in rows]

fig, ax = plt.subplots(figsize=(9, 6), facecolor="white")
ax.pie(vals, labels=names, colors=[col[n] for n in names], autopct="%.1f%%", textprops=dict(fontsize=16))
ax.set_aspect("equal"); fig.savefig("output/spend.png", dpi=100); plt.close(fig)"""
        ],
        "answer": "Saved ./output/spend.csv and ./output/spend.png.",
    },
}
