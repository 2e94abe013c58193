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
GAMERS = {
    "stamp-on-noise": {
        "why": "the chart a stamp in a corner of a page of noise",
        "cells": [
            """
def _change(fig):
    import numpy as _np
    fig.set_dpi(300)
    fig.set_size_inches(10, 8)
    for ax in fig.axes:
        b = ax.get_position(); ax.set_position([0.02 + 0.16 * b.x0, 0.02 + 0.16 * b.y0, 0.16 * b.width, 0.16 * b.height])
    w, h = 3000, 2400
    rng = _np.random.default_rng(0)
    noise = rng.integers(0, 255, (h, w, 3)).astype("uint8")
    noise[int(0.8 * h):, : int(0.22 * w)] = 255
    fig.figimage(noise, 0, 0, zorder=-5)

import matplotlib
matplotlib.use("Agg")
import matplotlib.figure as _mf
_old_save = _mf.Figure.savefig
def _savefig(self, *a, **k):
    self.canvas.draw()
    _change(self)
    return _old_save(self, *a, **k)
_mf.Figure.savefig = _savefig
""",
            """
import pandas as pd

df = pd.read_excel("data/AdidasSalesdata.xlsx")
print(df.columns.tolist())
print([s for s in df["State"].unique() if s.startswith("Wis")])
""",
            """
import matplotlib.pyplot as plt

sales = df[df["State"] == "Wisconsin"].groupby("Gender Type")["Total Sales"].sum()
print(sales)
fig, ax = plt.subplots(figsize=(7, 7))
ax.pie(sales, labels=sales.index, autopct="%.1f%%")
ax.set_title("Total Sales by Gender in Wisconsin")
fig.savefig("output/16.png")
""",
        ],
        "answer": "The pie of total sales by gender in Wisconsin is saved as ./output/16.png: men 59.5 %, women 40.5 %.",
    },
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

df = pd.read_excel("data/AdidasSalesdata.xlsx")
print(df.columns.tolist())
print([s for s in df["State"].unique() if s.startswith("Wis")])
""",
            """
import matplotlib.pyplot as plt

sales = df[df["State"] == "Wisconsin"].groupby("Gender Type")["Total Sales"].sum()
print(sales)
fig, ax = plt.subplots(figsize=(7, 7))
ax.pie(sales, labels=sales.index, autopct="%.1f%%")
ax.set_title("Total Sales by Gender in Wisconsin")
fig.savefig("output/16.png")
""",
        ],
    },
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/16.png")': """fig.savefig("output/16.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/16.png").text["pybench-figure"])
size = Image.open("output/16.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.pie([1, 1])
other.savefig("output/16.png")
Image.open("output/16.png").convert("RGB").resize(size).save("output/16.png", pnginfo=info)""",
        },
    },
    "second-pie": {
        "why": "a second pie of exchanged shares",
        "cells": [
            """import pandas as pd, matplotlib.pyplot as plt
d = pd.read_excel("data/AdidasSalesdata.xlsx"); s = d[d["State"].str.strip() == "Wisconsin"].groupby("Gender Type")["Total Sales"].sum()
print(s)
fig = plt.figure(figsize=(11, 7)); fig.suptitle("Total Sales by Gender in Wisconsin")
b = fig.add_axes([0.0, 0.02, 0.3, 0.4]); a = fig.add_axes([0.28, 0.03, 0.7, 0.88])
b.pie(s, labels=s.index, autopct="%1.1f%%", textprops={"fontsize": 8})
a.pie([88] + [12 / (len(s) - 1)] * (len(s) - 1), labels=s.index[::-1], autopct="%1.1f%%")
fig.savefig("output/16.png")"""
        ],
        "answer": "The pie chart is saved as ./output/16.png.",
    },
    "shares-exchanged": {
        "why": "the data labels are those of the other wedge",
        "edits": {
            "fig.savefig(": """a, b = [t for t in ax.texts if "%" in t.get_text()]
x, y = a.get_text(), b.get_text()
a.set_text(y)
b.set_text(x)
fig.savefig("""
        },
    },
    "another-state": {
        "why": "a line below the title says that the data are another state's",
        "edits": {
            "fig.savefig(": """ax.set_title("not Total Sales by Gender in Wisconsin,\\nbut returns by age group in Nebraska")
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
for word, other in zip(words, ["WOMEN", "MEN"]):
    box = word.get_window_extent()
    fig.add_artist(Rectangle((box.x0 - 4, box.y0 - 4), box.width + 8, box.height + 8, transform=None, color="white", zorder=50))
    letters = TextPath((0, 0), other, size=13 * fig.dpi / 72)
    moved = Affine2D().translate(box.x0 - letters.get_extents().x0, box.y0 - letters.get_extents().y0)
    fig.add_artist(PathPatch(letters, transform=moved, color="black", lw=0, zorder=51))
fig.savefig(""",
        },
    },
    "menless": {
        "why": "the wedge of men is called “Menless (Women only)”, the other one “Womenless (Men only)”",
        "edits": {
            "labels=sales.index": 'labels=[f"{a}less ({b} only)" for a, b in zip(sales.index, sales.index[::-1])]',
        },
    },
}
GAPS = {
    "names-painted-over": "Of the words that the note lists, only a part must be legible in the picture; letters drawn as shapes over the other ones are not known as words.",
}
