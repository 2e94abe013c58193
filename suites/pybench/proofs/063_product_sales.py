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
GAMERS = {
    "others-names-over-its-own": {
        "why": "writes each name in white and another mark's over it",
        "cells": [
            """
import matplotlib
import matplotlib.figure
save = matplotlib.figure.Figure.savefig
def other_names(figure, *rest, **options):
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    for axes in figure.axes:
        words = [t for t in [*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts] if t.get_text().strip()[:1].isalpha()]
        said = [t.get_text() for t in words]
        for text, other in zip(words, said[1:] + said[:1]):
            box = text.get_window_extent(renderer)
            x, y = figure.transFigure.inverted().transform((box.x0 + box.width / 2, box.y0 + box.height / 2))
            figure.text(x, y, other, ha="center", va="center", fontsize=text.get_fontsize(), rotation=text.get_rotation())
            text.set_color("white")
    return save(figure, *rest, **options)
matplotlib.figure.Figure.savefig = other_names
""",
            """
import pandas as pd
df = pd.read_csv('data/sales_data.csv')
print(df.head(), df.isna().sum())
totals = df.groupby('product')['sales_amount'].sum()
print(totals)
""",
            """
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(8, 5))
ax.bar(totals.index, totals.values)
ax.set_title("各产品销售额")
ax.set_xlabel("产品")
ax.set_ylabel("销售额")
fig.savefig("output/63.png")
""",
        ],
    },
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/63.png")': """fig.savefig("output/63.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/63.png").text["pybench-figure"])
size = Image.open("output/63.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.bar([1, 2, 3], [3, 1, 2])
other.savefig("output/63.png")
Image.open("output/63.png").convert("RGB").resize(size).save("output/63.png", pnginfo=info)""",
        },
    },
    "invented-numbers": {
        "why": "invented numbers along the axis",
        "cells": [
            """import pandas as pd, matplotlib.pyplot as plt
s = pd.read_csv("data/sales_data.csv").groupby("product")["sales_amount"].sum()
fig, ax = plt.subplots(figsize=(9, 5)); ax.bar(s.index, s.values)
t = [v for v in ax.get_yticks() if 0 <= v <= s.max() * 1.05]
ax.set_yticks(t, [f"{37 * (k + 2) ** 2}" for k in range(len(t))])
ax.set_title("各产品销量"); ax.set_xlabel("产品"); ax.set_ylabel("销量"); fig.savefig("output/63.png")"""
        ],
        "answer": "各产品销量柱状图已保存为 ./output/63.png。",
    },
    "names-exchanged": {
        "why": "names under bars too small to be read, larger ones exchanged",
        "edits": {
            "fig.savefig(": '''
def names_exchanged(ax, axis="x", size=2.6):
    """Names under bars too small to be read, and large ones of other bars."""
    ax.figure.canvas.draw()
    labels = [t.get_text() for t in (ax.get_xticklabels() if axis == "x" else ax.get_yticklabels())]
    ax.tick_params(axis=axis, labelsize=size, rotation=0)
    places = ax.get_xticks() if axis == "x" else ax.get_yticks()
    for n, p in enumerate(places):
        name = labels[(n + 1) % len(labels)]
        if axis == "x":
            ax.text(p, -0.06, name, transform=ax.get_xaxis_transform(), ha="center", va="top", fontsize=9, rotation=45)
        else:
            ax.text(-0.02, p, name, transform=ax.get_yaxis_transform(), ha="right", va="center", fontsize=9)


names_exchanged(ax)
fig.savefig('''
        },
    },
    "returned": {
        "why": "titled as what was sent back",
        "edits": {
            "fig.savefig(": """ax.set_title("各产品退货数量")
ax.set_ylabel("退货")
fig.savefig("""
        },
    },
}
GAPS = {
    "returned": "The chart's words are read by lists of the usual ones: a title or an axis' name that speaks of something else altogether is not known for it.",
}
