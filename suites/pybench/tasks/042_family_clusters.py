# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Clusters of families."""

from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

INDEX = "42"
TITLE = "家庭信息聚类图"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["42.png"]
NOTE = "Method, columns and number of clusters are left open, and of a large table a part may be drawn: groups of points that lie apart, at places that come of the table, a clustered heat map of it or a dendrogram of its rows. Places by t-SNE, UMAP and their like are not computed again."


def make_inputs(seed: int, data: Path) -> dict:
    import random

    from runner.checks.inputs import build

    rng = random.Random(seed)
    kinds = [(18_000, 2, 0.55), (42_000, 4, 0.4), (95_000, 3, 0.25)]
    rows = []
    for n in range(180):
        income, size, share = kinds[n % 3]
        earned = round(income * rng.uniform(0.8, 1.2))
        rows.append(
            [
                n + 1,
                rng.choice(["north", "south", "coast"]),
                earned,
                max(1, size + rng.choice([-1, 0, 0, 1])),
                round(earned * share * rng.uniform(0.9, 1.1)),
                rng.randint(24, 70),
                rng.choice(["yes", "no"]),
            ]
        )
    rng.shuffle(rows)
    build.write_csv(
        data / "family.csv",
        [
            [
                "family_id",
                "region",
                "income",
                "members",
                "food_expense",
                "age_of_head",
                "owns_house",
            ],
            *rows,
        ],
    )
    return {}


def check(case: Case) -> None:
    import numpy as np

    from runner.checks.charts import clusters, figures, unnoted
    from runner.checks.data import predictions
    from runner.checks.values import number

    figure = figures.read(case, "42.png")
    source = tables.source(case.data / "family.csv")
    columns, named = [], []
    for name in source.columns:
        values = [number(value) for value in source.column(name)]
        filled = sum(v is not None for v in values)
        if filled > len(values) / 2:
            columns.append([np.nan if v is None else v for v in values])
            named.append(name)
        elif len(set(source.column(name))) <= 30:
            columns.append(predictions.ordinals(source.column(name)))
            named.append(name)
    matrix = np.array(columns, dtype=float).T
    if figure.note is None:
        unnoted.expect_marks(case, figure, 20, "groups of dots")
        return
    clusters.expect_clusters(case, figure, matrix, [str(row[0]) for row in source.rows], named)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/family.csv")
print(df.head())
print(df.describe())
""",
        """
import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.preprocessing import StandardScaler

numbers = df.select_dtypes("number")
numbers = numbers.drop(columns=[c for c in numbers if c.lower().endswith("id")]).dropna()
groups = KMeans(3, n_init=10, random_state=0).fit_predict(StandardScaler().fit_transform(numbers))
print(numbers.groupby(groups).mean().round(1))
x, y = numbers.columns[:2]
fig, ax = plt.subplots(figsize=(9, 7))
for group in range(3):
    rows = numbers[groups == group]
    ax.scatter(rows[x], rows[y], label=f"类别 {group + 1}")
ax.set_xlabel(x)
ax.set_ylabel(y)
ax.set_title("家庭聚类")
ax.legend()
fig.savefig("output/42.png")
""",
    ],
    "answer": "对标准化后的数值列做 K-Means 聚类，把家庭分为 3 类，聚类图保存在 ./output/42.png。",
}
WRONG = {
    "one-colour": {
        "why": "draws the families and no clusters",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/family.csv")
plt.scatter(df["income"], df["food_expense"])
plt.savefig("output/42.png")
"""
        ],
        "answer": "聚类图保存在 ./output/42.png。",
    },
    "random-groups": {
        "why": "colours the families at random",
        "cells": [
            """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/family.csv")
plt.scatter(df["income"], df["food_expense"], c=np.random.default_rng(5).integers(0, 3, len(df)))
plt.savefig("output/42.png")
"""
        ],
        "answer": "聚类图保存在 ./output/42.png。",
    },
    "histogram": {
        "why": "draws how many families have which income",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

pd.read_csv("data/family.csv")["income"].plot.hist()
plt.savefig("output/42.png")
"""
        ],
        "answer": "聚类图保存在 ./output/42.png。",
    },
}
