# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a scatter of age and body mass index, rows with nulls left out."""

STYLES = {
    "turned": {
        "why": "BMI along, see-through",
        "edits": {
            "ax.scatter(df['age'], df['bmi'], s=12)": "ax.scatter(df['bmi'], df['age'], alpha=0.4, color='purple')",
            """ax.set_xlabel('Age')
ax.set_ylabel('BMI')""": """ax.set_xlabel('Body mass index')
ax.set_ylabel('Age (years)')""",
        },
    },
    "by-smoker": {
        "why": "two colours by another column",
        "edits": {
            "ax.scatter(df['age'], df['bmi'], s=12)": """import seaborn as sns
sns.scatterplot(df, x='age', y='bmi', hue='smoker', ax=ax)""",
        },
    },
    "coloured-by-charges": {
        "why": "points coloured by a third column, with a colour bar",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/insurance.csv').dropna()
plt.scatter(d.age,d.bmi,c=d.charges,cmap='viridis',s=14);plt.colorbar(label='charges');plt.xlabel('Age');plt.ylabel('BMI');plt.savefig('output/68.png')"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "axes-exchanged": {
        "why": "axes under each other's names",
        "edits": {
            """ax.set_xlabel('Age')
ax.set_ylabel('BMI')""": """ax.set_xlabel('BMI')
ax.set_ylabel('Age')""",
        },
    },
    "children": {
        "why": "another column",
        "edits": {
            "df['age'], df['bmi'], s": "df['children'], df['bmi'], s",
        },
    },
    "rows-mixed-coloured": {
        "why": "one column in another order, coloured by a third",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/insurance.csv').dropna()
plt.scatter(d.age,d.bmi.sample(frac=1,random_state=1),c=d.charges,cmap='viridis',s=14);plt.colorbar();plt.xlabel('Age');plt.ylabel('BMI');plt.savefig('output/68.png')"""
        ],
        "answer": "Done.",
    },
}
