# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "in-english": {
        "why": "in English, as a table of the first five",
        "edits": {
            'print("top:"': 'for n, (name, count) in enumerate(counts.head(5).items()):\n    print(f"n{n}: {name}")\n    print(f"c{n}: {count}")\nprint("top:"'
        },
        "answer": "«rows» rows remain. Distribution of genres:\n\n| Genre | Movies |\n|---|---|\n| «n0» | «c0» |\n| «n1» | «c1» |\n| «n2» | «c2» |\n| «n3» | «c3» |\n| «n4» | «c4» |",
    },
    "first-genre": {
        "why": "by the first genre of each film, in shares too",
        "edits": {
            'clean["genre"].str.split(",").explode().str.strip().value_counts()': 'clean["genre"].str.split(",").str[0].str.strip().value_counts()',
            "{name} {count} 部": "{name}：{count} 部（{count / len(clean):.1%}）",
        },
        "answer": "按每部电影的第一类别统计（共 «rows» 部）：«top»。",
    },
    "combinations": {
        "why": "by the combination of genres",
        "edits": {
            'clean["genre"].str.split(",").explode().str.strip().value_counts()': 'clean["genre"].value_counts()',
            "{name} {count} 部": "“{name}” {count} 部",
        },
        "answer": "清洗后 «rows» 行。按类别组合看，最多的是：«top»。",
    },
    "shares": {
        "why": "with shares of all films",
        "edits": {"{name} {count} 部": "{name}: {count} ({count / len(clean):.1%})"},
        "answer": "删除空值后共有 «rows» 部电影。类别分布：«top»。",
    },
    "the-rest-below-ten": {
        "why": "says of the rest together that each has fewer than ten",
        "cells": [
            """import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.rcParams["font.sans-serif"] = ["Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Zen Hei", "DejaVu Sans"]
plt.rcParams["axes.unicode_minus"] = False

import pandas as pd
df = pd.read_csv("data/movies.csv")
c = df.dropna()
c.to_csv("output/38.csv", index=False)
g = c["genre"].str.split(",").explode().str.strip().value_counts()
print(g)
g.plot.barh(figsize=(8, 6)); plt.title("各类别电影数量"); plt.tight_layout(); plt.savefig("output/genre.png")
print("剧情:", g["Drama"])
"""
        ],
        "answer": "删除含空值的行后剩余 204 部电影，已保存到 ./output/38.csv。一部电影可属于多个类别，按类别统计：Drama（剧情）最多，共 141 部，约占 69%；其次是 Adventure 49 部、Comedy 41 部、Crime 39 部、Action 36 部；Western、Sport、Horror、Film-Noir、Musical、Music 都不足 10 部。分布非常集中于剧情片。",
    },
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "the first genre with the figure of the second",
        "edits": {
            'print("rows:"': 'names = list(counts.index)\nnames[0], names[1] = names[1], names[0]\ncounts.index = names\nprint("rows:"'
        },
    },
    "before-cleaning": {
        "why": "counts before the rows with nulls were dropped",
        "edits": {'counts = clean["genre"]': 'counts = df["genre"]'},
    },
    "filled": {
        "why": "fills nulls instead of dropping rows",
        "edits": {"clean = df.dropna()": 'clean = df.fillna("unknown")'},
    },
    "rarest-as-commonest": {
        "why": "gives the rarest as the commonest",
        "answer": "共 «rows» 行，最多的类别是 «rare»。",
    },
    "columns-exchanged": {
        "why": "names and directors exchanged in the file",
        "edits": {
            "clean.to_csv(": 'clean.rename(columns={"name": "director_name", "director_name": "name"}).to_csv('
        },
    },
    "years": {
        "why": "by decade instead of genre",
        "edits": {
            'clean["genre"].str.split(",").explode().str.strip().value_counts()': '(clean["year"].astype(str).str.extract(r"([0-9]{3})")[0] + "0s").value_counts()'
        },
    },
    "doubled": {"why": "counts doubled", "edits": {".value_counts()\n": ".value_counts() * 2\n"}},
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
