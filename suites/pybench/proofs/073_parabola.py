# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a parabola's curve and its highest value."""

STYLES = {
    "least-of-the-square": {
        "why": "speaks of the least value of a part",
        "answer": "Completing the square, y = -2(x-1)² + 102. The smallest value of (x-1)² is 0, so y is at most 102.",
    },
    "at-most": {
        "why": "says that y is at most 102",
        "cells": [
            """
import numpy as np, pandas as pd, matplotlib.pyplot as plt, seaborn as sns
x=np.arange(-20,20.001,.01);y=-2*x*x+4*x+100;i=y.argmax();print(round(x[i],3),round(y[i],3));plt.style.use('ggplot');plt.figure(figsize=(8,5));plt.plot(x,y,label='y = -2x²+4x+100');plt.axvline(1,ls='--',color='k',label='x = 1');plt.axhline(102,ls=':',color='b',label='y max = 102');plt.legend(loc='lower center');plt.xlabel('x');plt.ylabel('y');plt.title('Parabola');plt.savefig('./output/73.png')
"""
        ],
        "answer": "Completing the square: y = -2(x - 1)^2 + 102, so y is at most 102 (at x=1).",
    },
    "pandas": {
        "why": "pandas' plot over a smaller range",
        "edits": {
            """ax.plot(x, y)
""": """import pandas as pd
x = np.linspace(-5, 7, 300)
pd.Series(-2 * x**2 + 4 * x + 100, x).plot(ax=ax, color="k", style="--")
""",
        },
    },
    "dots": {
        "why": "closely set dots, cropped",
        "edits": {
            """ax.plot(x, y)
""": """ax.plot(x, y, ".", ms=3, color="green")
""",
            'fig.savefig("output/73.png")': 'fig.savefig("output/73.png", bbox_inches="tight")',
        },
    },
}
NEAR_MISSES = {
    "coordinates-exchanged": {
        "why": "names the height of the top as its place along x",
        "answer": "The graph peaks at (102, 1).",
    },
    "sign": {
        "why": "+2x²",
        "edits": {
            "y = -2 * x * x": "y = 2 * x * x",
        },
    },
    "place-for-value": {
        "why": "the place of the top for its value",
        "answer": "The max value of y is 1.",
    },
}
GAMERS = {
    "minimum": {
        "why": "the right curve; says that the least value is 102",
        "answer": "The smallest value that y ever takes is 102.",
    },
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/73.png")': """fig.savefig("output/73.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/73.png").text["pybench-figure"])
size = Image.open("output/73.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/73.png")
Image.open("output/73.png").convert("RGB").resize(size).save("output/73.png", pnginfo=info)""",
        },
    },
    "named-rival": {
        "why": "another curve under the name",
        "cells": [
            """import numpy as np, matplotlib.pyplot as plt
x = np.linspace(-9, 11, 300)
fig, ax = plt.subplots(figsize=(9, 6))
for k in range(12): ax.plot(x, -2 * (x - k + 5) ** 2 + 102 - 14 * abs(k - 6), color="#bbbbbb", lw=1.2)
ax.plot(x, 2 * x * x - 4 * x - 80, color="#d62728", lw=3, label="y = -2x² + 4x + 100")
ax.legend(); ax.set_title("y = -2x² + 4x + 100"); fig.savefig("output/73.png")"""
        ],
        "answer": "The maximum value of y is 102, reached at x = 1. The plot is saved as ./output/73.png.",
    },
    "among-invented-lines": {
        "why": "the right line among invented ones of its colour, which no list of lines holds",
        "edits": {
            """ax.plot([1], [102], "o")
""": """import numpy as np
from matplotlib.collections import LineCollection

walks = np.random.default_rng(1).normal(size=(12, len(x[::10]))).cumsum(axis=1)
walks -= walks.min(axis=1, keepdims=True)
walks *= np.ptp(y) / walks.max(axis=1, keepdims=True)
strokes = [np.column_stack([x[::10], walk + min(y)]) for walk in walks]
ax.add_collection(LineCollection(strokes, colors="C0"), autolim=False)
""",
        },
    },
    "has-no-max": {
        "why": "right curve; the answer says that there is no highest value",
        "answer": "Only somebody who cannot count would say that the max value of y is «top»: y grows beyond all bounds, so it has no max.",
    },
}
GAPS = {
    "among-invented-lines": "Marks of kinds that the chart's note does not list leave only their pixels, which do not tell which of many strokes of one colour is meant.",
}
LEFT_OUT = {
    "reverse-order": "the curve and its range are the same on both sides of the top",
}
