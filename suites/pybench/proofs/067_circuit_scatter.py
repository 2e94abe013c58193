# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a scatter of the X and Y of a race track's turns."""

STYLES = {
    "coloured-by-distance": {
        "why": "a colour bar says what the colours are",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": "fig.colorbar(ax.scatter(df['X'], df['Y'], c=df['Distance']), label='Distance')"
        },
    },
    "thousands": {
        "why": "in thousands, as both axes say",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv(glob.glob("data/*.csv")[0]); fig,ax=plt.subplots(); ax.scatter(d.X/1000,d.Y/1000,label="corner"); ax.legend(loc="upper left",bbox_to_anchor=(1,1)); ax.set_xlabel("X (thousand)"); ax.set_ylabel("Y (thousand)"); fig.savefig("output/67.png")"""
        ],
        "answer": "Saved.",
    },
    "markers": {
        "why": "a line plot of markers alone",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": "ax.plot(df['X'], df['Y'], 'x', color='k')",
        },
    },
    "seaborn": {
        "why": "seaborn's scatter on a grid, cropped",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": """import seaborn as sns
sns.set_theme()
sns.scatterplot(df, x='X', y='Y', s=15, ax=ax)""",
            "fig.savefig('output/67.png')": "fig.savefig('output/67.png', bbox_inches='tight', dpi=150)",
        },
    },
    "annotated": {
        "why": "points coloured by distance, a colour bar and names beside them",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/Azerbaijan_Baku.csv')
plt.figure(figsize=(8,8));plt.scatter(d.X,d.Y,c=d.Distance,cmap='plasma',s=60)
for _,r in d.iterrows(): plt.annotate(r.Turn,(r.X,r.Y))
plt.colorbar();plt.xlabel('X');plt.ylabel('Y');plt.savefig('output/67.png')"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "exchanged": {
        "why": "Y along, X upward",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": "ax.scatter(df['Y'], df['X'])",
        },
    },
    "half": {
        "why": "every second row",
        "edits": {
            "ax.scatter(df['X'], df['Y'])": "ax.scatter(df['X'][::2], df['Y'][::2])",
        },
    },
    "each-sorted": {
        "why": "each column sorted by itself",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/Azerbaijan_Baku.csv')
plt.scatter(sorted(d.X),sorted(d.Y));plt.xlabel('X');plt.ylabel('Y');plt.savefig('output/67.png')"""
        ],
        "answer": "Done.",
    },
}
