# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a pie of the meals that invoices are for."""

STYLES = {
    "legend": {
        "why": "names in a legend",
        "edits": {
            'ax.pie(counts.values, labels=counts.index, autopct="%1.1f%%")': """ax.pie(counts.values, colors=["gold", "coral", "navy"], startangle=60)
ax.legend(counts.index)""",
        },
    },
    "pandas": {
        "why": "pandas' pie, cropped",
        "edits": {
            'ax.pie(counts.values, labels=counts.index, autopct="%1.1f%%")': 'counts.plot.pie(ax=ax, autopct="%.0f%%", ylabel="")',
            'fig.savefig("output/66.png")': 'fig.savefig("output/66.png", bbox_inches="tight")',
        },
    },
}
NEAR_MISSES = {
    "names-turned": {
        "why": "each wedge under the next name",
        "edits": {
            "labels=counts.index": "labels=[*counts.index[1:], counts.index[0]]",
        },
    },
    "least": {
        "why": "the answer names the rarest",
        "edits": {
            "counts.index[0])": "counts.index[-1])",
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/66.png")': """fig.savefig("output/66.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/66.png").text["pybench-figure"])
size = Image.open("output/66.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.pie([1, 2, 3])
other.savefig("output/66.png")
Image.open("output/66.png").convert("RGB").resize(size).save("output/66.png", pnginfo=info)""",
        },
    },
    "second-pie": {
        "why": "a second pie of invented shares under the same names",
        "cells": [
            """import pandas as pd, matplotlib.pyplot as plt
c = pd.read_csv("data/Invoices.csv")["Type of Meal"].value_counts()
print(f"top: {c.index[0]}")
fig = plt.figure(figsize=(11, 7)); fig.suptitle("Invoices by meal")
a = fig.add_axes([0.28, 0.03, 0.7, 0.88]); b = fig.add_axes([0.0, 0.02, 0.3, 0.4])
a.pie([10, 15, 75], labels=c.index, autopct="%1.1f%%"); b.pie(c, labels=c.index, textprops={"fontsize": 8})
fig.savefig("output/66.png")"""
        ],
        "answer": "These invoices primarily originate from «top». The pie chart is saved as ./output/66.png.",
    },
    "shares-invented": {
        "why": "invented percentages",
        "edits": {
            "fig.savefig(": """for t, s in zip([t for t in ax.texts if "%" in t.get_text()], ["8.0%", "31.0%", "61.0%"]):
    t.set_text(s)
fig.savefig("""
        },
    },
    "names-painted-over": {
        "why": "the names at the wedges are painted over and exchanged",
        "edits": {
            "fig.savefig(": """from matplotlib.patches import PathPatch, Rectangle
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

fig.canvas.draw()
words = [t for t in ax.texts if "%" not in t.get_text()]
for word, other in zip(words, [t.get_text().upper() for t in words[1:] + words[:1]]):
    box = word.get_window_extent()
    fig.add_artist(Rectangle((box.x0 - 4, box.y0 - 4), box.width + 8, box.height + 8, transform=None, color="white", zorder=50))
    letters = TextPath((0, 0), other, size=13 * fig.dpi / 72)
    moved = Affine2D().translate(box.x0 - letters.get_extents().x0, box.y0 - letters.get_extents().y0)
    fig.add_artist(PathPatch(letters, transform=moved, color="black", lw=0, zorder=51))
fig.savefig(""",
        },
    },
    "lunchless": {
        "why": "the wedge of each meal is called “Lunchless: Dinner” and the like",
        "edits": {
            "labels=counts.index": 'labels=[f"{a}less: {b}" for a, b in zip(counts.index, [*counts.index[1:], counts.index[0]])]',
        },
    },
    "fewest-of-all": {
        "why": "the answer calls the commonest meal the rarest",
        "answer": "The meal with fewest invoices by far is «first»; hardly anybody orders it.",
    },
}
GAPS = {
    "names-painted-over": "Of the words that the note lists, only a part must be legible in the picture; letters drawn as shapes over the other ones are not known as words.",
}
