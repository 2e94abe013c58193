# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: clusters of families."""

STYLES = {
    "components": {
        "why": "over two principal components, coloured by a number",
        "edits": {
            """x, y = numbers.columns[:2]
""": """from sklearn.decomposition import PCA
numbers[["PC1", "PC2"]] = PCA(2).fit_transform(StandardScaler().fit_transform(numbers))
x, y = "PC1", "PC2"
""",
        },
    },
    "seaborn": {
        "why": "seaborn's scatter in two other columns",
        "edits": {
            """x, y = numbers.columns[:2]
""": """x, y = numbers.columns[0], numbers.columns[2]
""",
            """for group in range(3):
    rows = numbers[groups == group]
    ax.scatter(rows[x], rows[y], label=f"类别 {group + 1}")""": """import seaborn as sns
sns.scatterplot(x=numbers[x], y=numbers[y], hue=[f"类别{g + 1}" for g in groups], ax=ax)""",
        },
    },
    "tree-of-ids": {
        "why": "a tree with the ids of its leaves",
        "cells": [
            """import pandas as pd, matplotlib.pyplot as plt
from scipy.cluster.hierarchy import linkage, dendrogram
from sklearn.preprocessing import StandardScaler
d = pd.read_csv('data/family.csv')
Z = linkage(StandardScaler().fit_transform(d[['income', 'members', 'food_expense', 'age_of_head']]), 'ward')
plt.figure(figsize=(16, 7))
dendrogram(Z, labels=d['family_id'].to_numpy(), leaf_font_size=5)
plt.title('Hierarchical clustering of families'); plt.ylabel('Distance')
plt.tight_layout(); plt.savefig('output/42.png', dpi=150)"""
        ],
        "answer": "采用层次聚类（Ward 法），树状图见 ./output/42.png。从图上看可以划分为约 3 个家庭群体。",
    },
}
NEAR_MISSES = {
    "axes-exchanged": {
        "why": "each axis under the other's name",
        "edits": {
            "ax.set_xlabel(x)": "ax.set_xlabel(y)",
            "ax.set_ylabel(y)": "ax.set_ylabel(x)",
        },
    },
    "shuffled": {
        "why": "the measures of different families in one dot",
        "edits": {
            """x, y = numbers.columns[:2]
""": """x, y = numbers.columns[:2]
numbers[y] = numbers[y].sample(frac=1, random_state=1).to_numpy() * 1.0
""",
        },
    },
    "other-measure": {
        "why": "one axis is the row number",
        "edits": {
            "ax.scatter(rows[x], rows[y], label": "ax.scatter(rows[x].rank() * 0 + range(len(rows)), rows[y], label",
        },
    },
}
LEFT_OUT = {
    "change-word": "what a cluster is called is left open",
    "swap-labels": "what a cluster is called is left open",
    "scale-by-10": "how a table is brought to a plane is left open",
    "exchange-columns": "how a table is brought to a plane is left open",
}
