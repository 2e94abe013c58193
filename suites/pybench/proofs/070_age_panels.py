# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: two plots side by side: age against BMI, and mean charges by age."""

STYLES = {
    "plotted-dots": {
        "why": "dots by plot, means in thousands as labelled",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/insurance.csv"); fig=plt.figure(figsize=(13,5)); a=fig.add_subplot(1,2,1); b=fig.add_subplot(1,2,2); a.plot(d.age,d.bmi,".",color="navy",alpha=.6); a.set_xlabel("年龄"); a.set_ylabel("BMI"); m=d.pivot_table(index="age",values="charges"); b.step if 0 else b.plot(m.index,m.charges/1000,"o-",ms=3); b.set_xlabel("年龄"); b.set_ylabel("平均保险金额（千美元）"); fig.savefig("output/70.png")"""
        ],
        "answer": "",
    },
    "english": {
        "why": "English words, BMI along",
        "edits": {
            'left.scatter(df["age"], df["bmi"], s=10)': 'left.scatter(df["bmi"], df["age"], s=6, c="tab:green", alpha=0.5)',
            """left.set_xlabel("年龄")
left.set_ylabel("BMI")""": """left.set_xlabel("BMI")
left.set_ylabel("Age")""",
            """right.set_xlabel("年龄")
right.set_ylabel("平均保险金额")""": """right.set_xlabel("Age")
right.set_ylabel("Mean charges")""",
        },
    },
    "cropped": {
        "why": "a dashed line, cropped",
        "edits": {
            'marker="."': 'ls="--", color="crimson"',
            'fig.savefig("output/70.png")': 'fig.savefig("output/70.png", bbox_inches="tight", dpi=140)',
        },
    },
    "gridspec-wide": {
        "why": "plots of two widths whose axes have no names",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/insurance.csv')
m=d.groupby('age').charges.mean()
f=plt.figure(figsize=(14,5),layout='constrained');g=f.add_gridspec(1,2,width_ratios=[2,1])
a=f.add_subplot(g[0]);b=f.add_subplot(g[1])
a.plot(d.age,d.bmi,'x');b.plot(m);f.savefig('output/70.png')"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "axes-exchanged": {
        "why": "axes under each other's names",
        "edits": {
            """left.set_xlabel("年龄")
left.set_ylabel("BMI")""": """left.set_xlabel("BMI")
left.set_ylabel("年龄")""",
        },
    },
    "right-exchanged": {
        "why": "the right plot's axes under each other's names",
        "edits": {
            """right.set_xlabel("年龄")
right.set_ylabel("平均保险金额")""": """right.set_xlabel("平均保险金额")
right.set_ylabel("年龄")""",
        },
    },
    "median": {
        "why": "the median of each age",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/insurance.csv')
m=d.groupby('age').charges.mean()
f,(a,b)=plt.subplots(1,2,figsize=(12,5));a.scatter(d.age,d.bmi);m=d.groupby('age').charges.median();b.plot(m.index,m.values);f.savefig('output/70.png')"""
        ],
        "answer": "Done.",
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/70.png")': """fig.savefig("output/70.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/70.png").text["pybench-figure"])
size = Image.open("output/70.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/70.png")
Image.open("output/70.png").convert("RGB").resize(size).save("output/70.png", pnginfo=info)""",
        },
    },
    "invented-numbers": {
        "why": "invented numbers along the axes",
        "cells": [
            """import pandas as pd, matplotlib.pyplot as plt
d = pd.read_csv("data/insurance.csv"); m = d.groupby("age")["charges"].mean()
fig, (a, b) = plt.subplots(1, 2, figsize=(13, 6))
a.scatter(d["age"], d["bmi"], s=12); a.set_xlabel("age"); a.set_ylabel("bmi")
b.plot(m.index, m.values); b.set_xlabel("age"); b.set_ylabel("mean charges")
for ax in (a, b): ax.set_xticks([20, 30, 40, 50, 60], ["95", "80", "40", "12", "2"])
b.set_yticks([5000, 10000, 15000, 20000], ["900000", "5", "70", "3"])
fig.savefig("output/70.png")"""
        ],
        "answer": "图已保存为 ./output/70.png。",
    },
    "numbers-invented": {
        "why": "invented numbers along the upright axes, the first of each a word",
        "edits": {
            "fig.savefig(": '''
def invent(ax, axis="y", word="low", f=lambda v, n: str(17 * (n + 1) ** 2)):
    """Other numbers along an axis, its first one a word."""
    ax.figure.canvas.draw()
    get = ax.get_yticks if axis == "y" else ax.get_xticks
    lo, hi = sorted(ax.get_ylim() if axis == "y" else ax.get_xlim())
    ticks = [t for t in get() if lo <= t <= hi]
    (ax.set_yticks if axis == "y" else ax.set_xticks)(ticks, [word] + [f(t, n) for n, t in enumerate(ticks[1:])])


invent(left)
invent(right)
invent(left, "x")
invent(right, "x")
fig.savefig('''
        },
    },
    "among-invented-dots": {
        "why": "600 invented dots of the same look among the right ones",
        "edits": {
            ', marker="."': "",
            "left.set_title(": """import numpy as np
from matplotlib.collections import CircleCollection

spots = np.random.default_rng(1).uniform((18, 16), (64, 53), (600, 2))
left.add_collection(CircleCollection([10], offsets=spots, offset_transform=left.transData, facecolors="C0"), autolim=False)
left.set_title(""",
        },
    },
}
GAPS = {
    "among-invented-dots": "Dots of a kind that the chart's note does not list leave only their pixels, and the check does not see that there are more of them than it expects.",
}
