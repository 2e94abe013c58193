# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a scatter of the X and Y of a race track's turns."""

STYLES = {
    "coloured-by-distance": {
        "why": "a colour bar says what the colours are",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": "fig.colorbar(ax.scatter(df['X'], df['Y'], c=df['Distance']), label='Distance')"
        },
    },
    "thousands": {
        "why": "in thousands, as both axes say",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv(glob.glob("data/*.csv")[0]); fig,ax=plt.subplots(); ax.scatter(d.X/1000,d.Y/1000,label="corner"); ax.legend(loc="upper left",bbox_to_anchor=(1,1)); ax.set_xlabel("X (thousand)"); ax.set_ylabel("Y (thousand)"); fig.savefig("output/67.png")"""
        ],
        "answer": "Saved.",
    },
    "markers": {
        "why": "a line plot of markers alone",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": "ax.plot(df['X'], df['Y'], 'x', color='k')",
        },
    },
    "seaborn": {
        "why": "seaborn's scatter on a grid, cropped",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": """import seaborn as sns
sns.set_theme()
sns.scatterplot(df, x='X', y='Y', s=15, ax=ax)""",
            "fig.savefig('output/67.png')": "fig.savefig('output/67.png', bbox_inches='tight', dpi=150)",
        },
    },
    "annotated": {
        "why": "points coloured by distance, a colour bar and names beside them",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/Azerbaijan_Baku.csv')
plt.figure(figsize=(8,8));plt.scatter(d.X,d.Y,c=d.Distance,cmap='plasma',s=60)
for _,r in d.iterrows(): plt.annotate(r.Turn,(r.X,r.Y))
plt.colorbar();plt.xlabel('X');plt.ylabel('Y');plt.savefig('output/67.png')"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "exchanged": {
        "why": "Y along, X upward",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": "ax.scatter(df['Y'], df['X'])",
        },
    },
    "half": {
        "why": "every second row",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": "ax.scatter(df['X'][::2], df['Y'][::2])",
        },
    },
    "each-sorted": {
        "why": "each column sorted by itself",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/Azerbaijan_Baku.csv')
plt.scatter(sorted(d.X),sorted(d.Y));plt.xlabel('X');plt.ylabel('Y');plt.savefig('output/67.png')"""
        ],
        "answer": "Done.",
    },
}
GAMERS = {
    "titled-distance": {
        "why": "the dots under the titles of other columns",
        "edits": {
            "ax.set_xlabel('X')": "ax.set_xlabel('Distance')",
            "ax.set_title('X 与 Y 的散点图')": "ax.set_title('Distance by year')",
        },
    },
    "axes-exchanged": {
        "why": "X along, titled Y, and the other way round",
        "edits": {
            "ax.set_xlabel('X')": "ax.set_xlabel('Y')",
            "ax.set_ylabel('Y')": "ax.set_ylabel('X')",
        },
    },
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            "fig.savefig('output/67.png')": """fig.savefig('output/67.png')
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/67.png").text["pybench-figure"])
size = Image.open("output/67.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.scatter([1, 2, 3], [3, 1, 2])
other.savefig("output/67.png")
Image.open("output/67.png").convert("RGB").resize(size).save("output/67.png", pnginfo=info)""",
        },
    },
    "one-of-nine": {
        "why": "the right plot among eight wrong ones",
        "cells": [
            """import pandas as pd, numpy as np, matplotlib.pyplot as plt
d = pd.read_csv("data/Azerbaijan_Baku.csv"); r = np.random.default_rng(0)
fig, axes = plt.subplots(3, 3, figsize=(12, 10))
for k, ax in enumerate(axes.ravel()):
    x, y = (d["X"], d["Y"]) if k == 5 else (r.permutation(d["X"]), r.permutation(d["Y"]))
    ax.scatter(x, y, s=40); ax.set_title("X 与 Y"); ax.set_xlabel("X"); ax.set_ylabel("Y")
fig.tight_layout(); fig.savefig("output/67.png")"""
        ],
        "answer": "X 与 Y 的散点图已保存为 ./output/67.png。",
    },
    "numbers-invented": {
        "why": "invented numbers along both axes",
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
invent(ax, "x")
fig.savefig('''
        },
    },
    "of-babies": {
        "why": "titled as the weights of babies",
        "edits": {
            "fig.savefig(": """ax.set_title("Weights of babies (x) and their mothers (y)")
fig.savefig("""
        },
    },
}
GAPS = {
    "of-babies": "The chart's words are read by lists of the usual ones: a title or an axis' name that speaks of something else altogether is not known for it.",
}
