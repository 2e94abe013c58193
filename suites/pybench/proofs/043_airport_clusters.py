# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: clusters of countries by the airports their visitors arrive at."""

STYLES = {
    "colour-map": {
        "why": "colours of numbers, a colour bar, names at the dots",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
d=pd.read_csv('data/Country Wise Airport.csv').set_index('Country of Nationality')
d=d.apply(pd.to_numeric,errors='coerce').fillna(0)
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler
z=StandardScaler().fit_transform(d); p=PCA(2).fit_transform(z); l=KMeans(4,n_init=10,random_state=0).fit_predict(z)
fig,ax=plt.subplots(figsize=(11,8)); s=ax.scatter(p[:,0],p[:,1],c=l,cmap='viridis',s=60)
for n,(x,y) in zip(d.index,p): ax.annotate(n,(x,y),fontsize=6)
fig.colorbar(s); fig.savefig('output/43.png')"""
        ],
        "answer": "4 clusters",
    },
    "columns": {
        "why": "over two airports, without names at the dots",
        "edits": {
            "places = PCA(2).fit_transform(X)": "places = numbers.to_numpy()[:, :2]",
            """for (x, y), name in zip(places, df["Country of Nationality"]):
    ax.annotate(name, (x, y), fontsize=6)
""": "",
        },
    },
    "raw-components": {
        "why": "components of the shares as they are, another number of clusters",
        "edits": {
            "KMeans(4,": "KMeans(3,",
            "range(4)": "range(3)",
            "PCA(2).fit_transform(X)": "PCA(2).fit_transform(numbers)",
        },
    },
    "in-space": {
        "why": "three components in a plot in space",
        "cells": [
            """import pandas as pd
df = pd.read_csv("data/Country Wise Airport.csv")
print(df.shape)
numbers = df.iloc[:, 1:].apply(pd.to_numeric, errors="coerce").fillna(0)""",
            """import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler
X = StandardScaler().fit_transform(numbers)
groups = KMeans(4, n_init=10, random_state=0).fit_predict(X)
places = PCA(3).fit_transform(X)
fig = plt.figure(figsize=(9, 8))
ax = fig.add_subplot(projection="3d")
shown = ax.scatter(*places.T, c=groups, cmap="viridis", s=40)
ax.legend(*shown.legend_elements(), title="cluster")
ax.set_title("Clusters of countries")
fig.savefig("output/43.png")""",
        ],
        "answer": "The clusters are drawn in ./output/43.png.",
    },
}
NEAR_MISSES = {
    "made-up-mapped": {
        "why": "clusters of example data, coloured by numbers",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
d=pd.read_csv('data/Country Wise Airport.csv').set_index('Country of Nationality')
d=d.apply(pd.to_numeric,errors='coerce').fillna(0)
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
X,_=make_blobs(len(d),centers=4,random_state=0); l=KMeans(4,n_init=10).fit_predict(X)
plt.figure(figsize=(9,7)); plt.scatter(X[:,0],X[:,1],c=l,cmap='tab10'); plt.savefig('output/43.png')"""
        ],
        "answer": "4 clusters",
    },
    "shuffled": {
        "why": "the second component of other countries",
        "edits": {
            "fig, ax = plt": """places[:, 1] = places[::-1, 1]
fig, ax = plt""",
        },
    },
    "row-numbers": {
        "why": "the row numbers along the bottom",
        "edits": {
            "fig, ax = plt": """places[:, 0] = range(len(places))
fig, ax = plt""",
        },
    },
}
LEFT_OUT = {
    "change-word": "what a cluster is called is left open",
    "swap-labels": "what a cluster is called is left open",
    "scale-by-10": "how a table is brought to a plane is left open",
    "exchange-columns": "how a table is brought to a plane is left open",
}
