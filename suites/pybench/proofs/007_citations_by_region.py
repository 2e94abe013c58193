# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "none-at-the-low-end": {
        "why": "says that there are none at one end",
        "answer": "By the IQR rule there are no outliers at the low end; at the high end the United States and China stand out.\n\n«lines»",
    },
    "normality-untested": {
        "why": "says that something else was not tested",
        "answer": "I did not test for normality, but the United States and China are clear outliers.\n\n«lines»",
    },
    "list": {
        "why": "a list with the outliers found by z-scores, named",
        "edits": {
            'print("lines:"': 'z = (df["Citations"] - df["Citations"].mean()) / df["Citations"].std()\nprint("far:", " and ".join(df["Country"][z > 3]))\nprint("mean:", format(df["Citations"].mean(), ",.0f"))\nprint("bullets:", " ".join(f"- **{r}**: {c};" for r, c in counts.items()))\nprint("lines:"'
        },
        "answer": "The distribution is right-skewed (mean «mean»). By |z| > 3 the outliers are «far».\n\n«lines»",
    },
    "table": {
        "why": "the fence, how many, the two largest, then a table",
        "edits": {
            'print("lines:"': 'top = outliers.nlargest(2, "Citations")["Country"].tolist()\nprint("top:", " and ".join(top))\nfor n, (r, c) in enumerate(counts.items()):\n    print(f"r{n}: {r}")\n    print(f"c{n}: {c}")\nprint("lines:"'
        },
        "answer": "Most countries have few citations. Outliers (1.5 IQR): «outliers» countries, with «top» far ahead.\n\n| Region | Count |\n|---|---|\n| «r0» | «c0» |\n| «r1» | «c1» |\n| «r2» | «c2» |\n| «r3» | «c3» |\n| «r4» | «c4» |\n| «r5» | «c5» |\n| «r6» | «c6» |\n| «r7» | «c7» |\n| «r8» | «c8» |",
    },
    "sentence": {
        "why": "the counts in sentences of words",
        "edits": {
            'f"{region}: {count}" for region, count in counts.items()))': 'f"{region} has {count} countries" for region, count in counts.items()))'
        },
    },
}
NEAR_MISSES = {
    "one-off": {
        "why": "one country too many everywhere",
        "edits": {
            'f"{region}: {count}" for region, count in counts.items()))': 'f"{region}: {count + 1}" for region, count in counts.items()))'
        },
    },
    "regions-exchanged": {
        "why": "the counts of the first and the last region exchanged",
        "edits": {
            'counts = df["Region"].value_counts()': 'counts = df["Region"].value_counts()\ncounts.iloc[0], counts.iloc[-1] = counts.iloc[-1], counts.iloc[0]'
        },
    },
    "one-region-missing": {
        "why": "leaves a region out",
        "edits": {
            'counts = df["Region"].value_counts()': 'counts = df["Region"].value_counts()[:-1]'
        },
    },
    "small-ones-outlying": {
        "why": "calls the countries with the fewest citations outliers",
        "edits": {
            'outliers = df[df["Citations"] > fence]': 'outliers = df.nsmallest(5, "Citations")'
        },
    },
    "citations-in-shares": {
        "why": "each region's share of countries in per cent",
        "edits": {
            'df["Region"].value_counts()': '(df["Region"].value_counts(normalize=True) * 100).round(1)'
        },
    },
    "outliers-by-region": {
        "why": "counts outliers by region",
        "edits": {
            'df["Region"].value_counts()': 'df["Region"].value_counts() * 0 + outliers["Region"].value_counts().reindex(df["Region"].unique()).fillna(0)\ncounts = counts.astype(int)'
        },
    },
    "no-outliers": {
        "why": "says that there are none",
        "answer": "Citations are evenly distributed; there are no outliers.\n\n«lines»",
    },
}
