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
