# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: sine and cosine drawn, and what their period is."""

STYLES = {
    "in-units-of-pi": {
        "why": "along x in units of π, as its axis says",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
x=np.linspace(0,4*np.pi,1000); plt.style.use("seaborn-v0_8"); plt.figure(figsize=(10,5)); plt.plot(x/np.pi,np.sin(x),lw=3); plt.plot(x/np.pi,np.cos(x),lw=3); plt.legend(["$\\\\sin x$","$\\\\cos x$"]); plt.xlabel("x/π"); plt.axvline(2,ls=":",c="k"); plt.savefig("output/72.png")"""
        ],
        "answer": r"两个函数都以 $2\pi$ 为最小正周期。",
    },
    "degrees": {
        "why": "two plots in degrees",
        "edits": {
            """fig, ax = plt.subplots(figsize=(9, 5))
ax.plot(x, np.sin(x), label="sin(x)")
ax.plot(x, np.cos(x), label="cos(x)")
ax.legend()""": """fig, (ax, low) = plt.subplots(2, 1, figsize=(9, 7))
ax.plot(np.degrees(x), np.sin(x))
low.plot(np.degrees(x), np.cos(x), color="red")
low.set_title("余弦")""",
        },
    },
    "english-answer": {
        "why": "legend turned over; the period in words and degrees",
        "answer": "Both sine and cosine have the period $2\\pi$ (360°): sin(x + 2π) = sin(x).",
        "edits": {
            "ax.legend()": """handles, labels = ax.get_legend_handles_labels()
ax.legend(handles[::-1], labels[::-1])""",
        },
    },
}
NEAR_MISSES = {
    "degrees-not-converted": {
        "why": "degrees given to numpy's sine without conversion",
        "cells": [
            """
import matplotlib; matplotlib.use("Agg")
import matplotlib.pyplot as plt, numpy as np, pandas as pd
plt.rcParams["font.family"] = ["Noto Sans CJK SC", "Noto Sans CJK JP", "DejaVu Sans"]
plt.rcParams["axes.unicode_minus"] = False

x = np.linspace(0, 720, 2000); fig, ax = plt.subplots(figsize=(12, 5)); ax.plot(x, np.sin(x), label="sin"); ax.plot(x, np.cos(x), label="cos"); ax.set_xlabel("角度（°）"); ax.legend(); ax.set_title("正弦与余弦函数"); fig.savefig("output/72.png")
"""
        ],
        "answer": "正弦和余弦函数的周期均为 360°（即 2π）。图像已保存到 ./output/72.png。",
    },
    "names-exchanged": {
        "why": "curves under each other's names",
        "edits": {
            'label="sin(x)"': 'label="cos(x) "',
            """label="cos(x)")
ax.legend""": """label="sin(x)")
ax.legend""",
        },
    },
    "one-wrong-period": {
        "why": "π for the sine",
        "answer": "正弦的周期 = π，余弦的周期 = 2π。",
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/72.png")': """fig.savefig("output/72.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/72.png").text["pybench-figure"])
size = Image.open("output/72.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/72.png")
Image.open("output/72.png").convert("RGB").resize(size).save("output/72.png", pnginfo=info)""",
        },
    },
    "other-waves": {
        "why": "other waves under the names",
        "cells": [
            """import numpy as np, matplotlib.pyplot as plt
x = np.linspace(0, 4 * np.pi, 400)
fig, ax = plt.subplots(figsize=(10, 5))
ax.plot(x, np.sin(x), color="#bbbbbb", lw=1.2); ax.plot(x, np.cos(x), color="#cccc99", lw=1.2)
ax.plot(x, 2 * ((x / 4) % 1) - 1, color="#d62728", lw=3, label="sin(x)")
ax.plot(x, np.sign(np.sin(x * 1.7)) * 0.9, color="#1f77b4", lw=3, label="cos(x)")
ax.legend(); ax.set_title("正弦与余弦"); fig.savefig("output/72.png")"""
        ],
        "answer": "图像已保存为 ./output/72.png。正弦和余弦都是周期函数，最小正周期为 2π。",
    },
    "not-sine": {
        "why": "each curve called the other one, the period called π",
        "edits": {
            'label="sin(x)"': 'label="cos(x), not sin(x)"',
            'label="cos(x)")': 'label="sin(x), not cos(x)")',
        },
        "answer": "正弦和余弦的最小正周期等于 π；2π 不是它们的最小正周期。图像已保存到 ./output/72.png。",
    },
    "period-denied": {
        "why": "says that the period is π and that 2π is none",
        "answer": "正弦和余弦的最小正周期等于 π；2π 不是它们的最小正周期。图像已保存到 ./output/72.png。",
    },
    "among-invented-waves": {
        "why": "sine and cosine among invented waves of the same colours",
        "edits": {
            "ax.legend()": """from matplotlib.collections import LineCollection

for n in range(2):
    walks = np.random.default_rng(n).normal(size=(6, 100)).cumsum(axis=1)
    walks -= walks.min(axis=1, keepdims=True)
    walks *= 2 / walks.max(axis=1, keepdims=True)
    strokes = [np.column_stack([x[::10], walk - 1]) for walk in walks]
    ax.add_collection(LineCollection(strokes, colors=f"C{n}"), autolim=False)
ax.legend()""",
        },
    },
    "never-repeats": {
        "why": "right curves; the answer says that they never repeat",
        "answer": "正弦和余弦不是周期函数，从不重复：2π 之后图像完全不同，谈不上周期。",
    },
}
GAPS = {
    "among-invented-waves": "Marks of kinds that the chart's note does not list leave only their pixels, which do not tell which of many strokes of one colour is meant.",
}
