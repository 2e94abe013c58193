# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Clusters of countries by the airports their visitors arrive at."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "43"
TITLE = "Clusters of countries by airport"
CATEGORY = "chart"
OUTPUTS = ["43.png"]
NOTE = "Method, columns and number of clusters are left open: groups of points that lie apart, at places that come of the table, a clustered heat map of it or a dendrogram of its countries. Cells with a misprint may be mended, blanked or dropped. Places by t-SNE, UMAP and their like are not computed again."


def check(case: Case) -> None:
    import numpy as np

    from runner.checks.charts import clusters, figures, unnoted
    from runner.checks.values import number

    figure = figures.read(case, "43.png")
    source = tables.source(case.data / "Country Wise Airport.csv")
    names = [str(row[0]) for row in source.rows]
    cells = [[number(value) for value in row[1:]] for row in source.rows]
    matrix = np.array([[np.nan if n is None else n for n in row] for row in cells], dtype=float)
    if figure.note is None:
        unnoted.expect_marks(case, figure, 20, "groups of dots")
        return
    clusters.expect_clusters(case, figure, matrix, names, source.columns[1:])


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Country Wise Airport.csv")
print(df.shape)
print(df.select_dtypes(exclude="number").columns.tolist(), df.isna().sum().sum())
""",
        """
import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

numbers = df.drop(columns="Country of Nationality").apply(pd.to_numeric, errors="coerce")
numbers = numbers.fillna(numbers.mean())
X = StandardScaler().fit_transform(numbers)
groups = KMeans(4, n_init=10, random_state=0).fit_predict(X)
places = PCA(2).fit_transform(X)
fig, ax = plt.subplots(figsize=(11, 8))
for group in range(4):
    ax.scatter(*places[groups == group].T, label=f"cluster {group}")
for (x, y), name in zip(places, df["Country of Nationality"]):
    ax.annotate(name, (x, y), fontsize=6)
ax.set_xlabel("first component")
ax.set_ylabel("second component")
ax.legend()
fig.savefig("output/43.png")
print(pd.Series(groups).value_counts())
""",
    ],
    "answer": "Four clusters of countries by the airports of arrival (k-means on standardised shares, drawn over two principal components) are in ./output/43.png.",
}
WRONG = {
    "one-colour": {
        "why": "draws the points and no clusters",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/Country Wise Airport.csv")
plt.scatter(df["2019 Delhi (Airport)"], df["2019 Benguluru (Airport)"])
plt.savefig("output/43.png")
"""
        ],
        "answer": "The cluster map is saved as ./output/43.png.",
    },
    "random-groups": {
        "why": "colours the points at random",
        "cells": [
            """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/Country Wise Airport.csv")
groups = np.random.default_rng(5).integers(0, 3, len(df))
for g in range(3):
    rows = df[groups == g]
    plt.scatter(rows["2019 Delhi (Airport)"], rows["2019 Benguluru (Airport)"], label=f"cluster {g}")
plt.legend()
plt.savefig("output/43.png")
"""
        ],
        "answer": "The cluster map is saved as ./output/43.png.",
    },
    "elbow-only": {
        "why": "draws the curve for choosing the number of clusters and no cluster",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt
from sklearn.cluster import KMeans

X = pd.read_csv("data/Country Wise Airport.csv").select_dtypes("number").fillna(0)
plt.plot(range(1, 9), [KMeans(k, n_init=3, random_state=0).fit(X).inertia_ for k in range(1, 9)], marker="o")
plt.savefig("output/43.png")
"""
        ],
        "answer": "The cluster analysis is saved as ./output/43.png.",
    },
    "made-up-points": {
        "why": "clusters example data instead of the table",
        "cells": [
            """
import matplotlib.pyplot as plt
from sklearn.datasets import make_blobs

X, y = make_blobs(63, centers=3, random_state=0)
for g in range(3):
    plt.scatter(*X[y == g].T, label=f"cluster {g}")
plt.legend()
plt.savefig("output/43.png")
"""
        ],
        "answer": "The cluster map is saved as ./output/43.png.",
    },
}
