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
LEFT_OUT = {
    "reverse-order": "the curve and its range are the same on both sides of the top",
}
