# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a scatter of age and body mass index, rows with nulls left out."""

STYLES = {
    "turned": {
        "why": "BMI along, see-through",
        "edits": {
            "ax.scatter(df['age'], df['bmi'], s=12)": "ax.scatter(df['bmi'], df['age'], alpha=0.4, color='purple')",
            """ax.set_xlabel('Age')
ax.set_ylabel('BMI')""": """ax.set_xlabel('Body mass index')
ax.set_ylabel('Age (years)')""",
        },
    },
    "by-smoker": {
        "why": "two colours by another column",
        "edits": {
            "ax.scatter(df['age'], df['bmi'], s=12)": """import seaborn as sns
sns.scatterplot(df, x='age', y='bmi', hue='smoker', ax=ax)""",
        },
    },
    "coloured-by-charges": {
        "why": "points coloured by a third column, with a colour bar",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/insurance.csv').dropna()
plt.scatter(d.age,d.bmi,c=d.charges,cmap='viridis',s=14);plt.colorbar(label='charges');plt.xlabel('Age');plt.ylabel('BMI');plt.savefig('output/68.png')"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "axes-exchanged": {
        "why": "axes under each other's names",
        "edits": {
            """ax.set_xlabel('Age')
ax.set_ylabel('BMI')""": """ax.set_xlabel('BMI')
ax.set_ylabel('Age')""",
        },
    },
    "children": {
        "why": "another column",
        "edits": {
            "df['age'], df['bmi'], s": "df['children'], df['bmi'], s",
        },
    },
    "rows-mixed-coloured": {
        "why": "one column in another order, coloured by a third",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/insurance.csv').dropna()
plt.scatter(d.age,d.bmi.sample(frac=1,random_state=1),c=d.charges,cmap='viridis',s=14);plt.colorbar();plt.xlabel('Age');plt.ylabel('BMI');plt.savefig('output/68.png')"""
        ],
        "answer": "Done.",
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            "fig.savefig('output/68.png')": """fig.savefig('output/68.png')
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/68.png").text["pybench-figure"])
size = Image.open("output/68.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.scatter([1, 2, 3], [3, 1, 2])
other.savefig("output/68.png")
Image.open("output/68.png").convert("RGB").resize(size).save("output/68.png", pnginfo=info)""",
        },
    },
    "invented-numbers": {
        "why": "invented numbers along both axes",
        "cells": [
            """import pandas as pd, matplotlib.pyplot as plt
d = pd.read_csv("data/insurance.csv").dropna()
fig, ax = plt.subplots(figsize=(9, 6)); ax.scatter(d["age"], d["bmi"], s=14)
ax.set_xticks([20, 30, 40, 50, 60], ["11", "9", "7", "5", "3"]); ax.set_yticks([20, 30, 40, 50], ["900", "450", "120", "60"])
ax.set_xlabel("Age"); ax.set_ylabel("BMI"); ax.set_title("Age vs BMI"); fig.savefig("output/68.png")"""
        ],
        "answer": "The scatter plot is saved as ./output/68.png.",
    },
    "numbers-invented": {
        "why": "invented numbers along both axes, the first of each a word",
        "edits": {
            "fig.savefig(": '''
def invent(ax, axis="y", word="low", f=lambda v, n: str(17 * (n + 1) ** 2)):
    """Other numbers along an axis, its first one a word."""
    ax.figure.canvas.draw()
    get = ax.get_yticks if axis == "y" else ax.get_xticks
    lo, hi = sorted(ax.get_ylim() if axis == "y" else ax.get_xlim())
    ticks = [t for t in get() if lo <= t <= hi]
    (ax.set_yticks if axis == "y" else ax.set_xticks)(ticks, [word] + [f(t, n) for n, t in enumerate(ticks[1:])])


ax.set_title("Cats: age in weeks, BMI")
invent(ax)
invent(ax, "x")
fig.savefig('''
        },
    },
    "among-invented-dots": {
        "why": "1,500 invented dots of the same look among the right ones",
        "edits": {
            "ax.set_xlabel('Age')": """import numpy as np
from matplotlib.collections import CircleCollection

spots = np.random.default_rng(1).uniform((18, 16), (64, 53), (1500, 2))
ax.add_collection(CircleCollection([12], offsets=spots, offset_transform=ax.transData, facecolors="C0"), autolim=False)
ax.set_xlabel('Age')""",
        },
    },
}
GAPS = {
    "among-invented-dots": "Dots of a kind that the chart's note does not list leave only their pixels, and the check does not see that there are more of them than it expects.",
}
