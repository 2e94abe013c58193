# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: two plots side by side: age against BMI, and mean charges by age."""

STYLES = {
    "plotted-dots": {
        "why": "dots by plot, means in thousands as labelled",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/insurance.csv"); fig=plt.figure(figsize=(13,5)); a=fig.add_subplot(1,2,1); b=fig.add_subplot(1,2,2); a.plot(d.age,d.bmi,".",color="navy",alpha=.6); a.set_xlabel("年龄"); a.set_ylabel("BMI"); m=d.pivot_table(index="age",values="charges"); b.step if 0 else b.plot(m.index,m.charges/1000,"o-",ms=3); b.set_xlabel("年龄"); b.set_ylabel("平均保险金额（千美元）"); fig.savefig("output/70.png")"""
        ],
        "answer": "",
    },
    "english": {
        "why": "English words, BMI along",
        "edits": {
            'left.scatter(df["age"], df["bmi"], s=10)': 'left.scatter(df["bmi"], df["age"], s=6, c="tab:green", alpha=0.5)',
            """left.set_xlabel("年龄")
left.set_ylabel("BMI")""": """left.set_xlabel("BMI")
left.set_ylabel("Age")""",
            """right.set_xlabel("年龄")
right.set_ylabel("平均保险金额")""": """right.set_xlabel("Age")
right.set_ylabel("Mean charges")""",
        },
    },
    "cropped": {
        "why": "a dashed line, cropped",
        "edits": {
            'marker="."': 'ls="--", color="crimson"',
            'fig.savefig("output/70.png")': 'fig.savefig("output/70.png", bbox_inches="tight", dpi=140)',
        },
    },
    "gridspec-wide": {
        "why": "plots of two widths whose axes have no names",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/insurance.csv')
m=d.groupby('age').charges.mean()
f=plt.figure(figsize=(14,5),layout='constrained');g=f.add_gridspec(1,2,width_ratios=[2,1])
a=f.add_subplot(g[0]);b=f.add_subplot(g[1])
a.plot(d.age,d.bmi,'x');b.plot(m);f.savefig('output/70.png')"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "axes-exchanged": {
        "why": "axes under each other's names",
        "edits": {
            """left.set_xlabel("年龄")
left.set_ylabel("BMI")""": """left.set_xlabel("BMI")
left.set_ylabel("年龄")""",
        },
    },
    "right-exchanged": {
        "why": "the right plot's axes under each other's names",
        "edits": {
            """right.set_xlabel("年龄")
right.set_ylabel("平均保险金额")""": """right.set_xlabel("平均保险金额")
right.set_ylabel("年龄")""",
        },
    },
    "median": {
        "why": "the median of each age",
        "cells": [
            """import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
d=pd.read_csv('data/insurance.csv')
m=d.groupby('age').charges.mean()
f,(a,b)=plt.subplots(1,2,figsize=(12,5));a.scatter(d.age,d.bmi);m=d.groupby('age').charges.median();b.plot(m.index,m.values);f.savefig('output/70.png')"""
        ],
        "answer": "Done.",
    },
}
