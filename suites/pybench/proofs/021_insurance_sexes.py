# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "fractions": {
        "why": "fractions of four digits, a line each",
        "edits": {
            'normalize="index") * 100': 'normalize="index")',
            "{row['male']:.2f}%": "{row['male']:.4f}",
            "{row['female']:.2f}%": "{row['female']:.4f}",
        },
    },
    "table": {
        "why": "a table",
        "edits": {
            'print("lines:"': 'for r, row in share.iterrows():\n    print(f"{r}_m: {row[\'male\']:.1f}%")\n    print(f"{r}_f: {row[\'female\']:.1f}%")\nprint("lines:"'
        },
        "answer": "| Region | Male | Female |\n|---|---|---|\n| northeast | «northeast_m» | «northeast_f» |\n| northwest | «northwest_m» | «northwest_f» |\n| southeast | «southeast_m» | «southeast_f» |\n| southwest | «southwest_m» | «southwest_f» |",
    },
    "with-counts": {
        "why": "in Chinese, with the counts",
        "edits": {
            'print("lines:"': 'n = pd.crosstab(df["region"], df["sex"])\nfor r, row in share.iterrows():\n    print(f"{r}_m: {row[\'male\']:.2f}% ({n.loc[r, \'male\']} 人)")\n    print(f"{r}_f: {row[\'female\']:.2f}% ({n.loc[r, \'female\']} 人)")\nprint("lines:"'
        },
        "answer": "- **southeast**: Male: «southeast_m», Female: «southeast_f»\n- **southwest**: Male: «southwest_m», Female: «southwest_f»\n- **northwest**: Male: «northwest_m», Female: «northwest_f»\n- **northeast**: Male: «northeast_m», Female: «northeast_f»",
    },
    "counts-and-shares": {
        "why": "the number of people, and the share in brackets behind it",
        "edits": {
            'print("lines:"': 'n = pd.crosstab(df["region"], df["sex"])\nprint("said:", "; ".join(f"{r}: Male:{n.loc[r, \'male\']}人({row[\'male\']:.2f}%), Female:{n.loc[r, \'female\']}人({row[\'female\']:.2f}%)" for r, row in share.iterrows()))\nprint("lines:"'
        },
        "answer": "«said»",
    },
    "people-and-shares": {
        "why": "the number of people, and what share that is",
        "edits": {
            'print("lines:"': 'n = pd.crosstab(df["region"], df["sex"])\nprint("said:", "; ".join(f"{r}: Male: {n.loc[r, \'male\']} 名，占比 {row[\'male\']:.2f}%, Female: {n.loc[r, \'female\']} 名，占比 {row[\'female\']:.2f}%" for r, row in share.iterrows()))\nprint("lines:"'
        },
        "answer": "«said»",
    },
    "two-columns": {
        "why": "female first, in whole per cent",
        "edits": {
            "Male:{row['male']:.2f}%, Female:{row['female']:.2f}%": "Female: {row['female']:.1f}%, Male: {row['male']:.1f}%"
        },
    },
    "dict": {
        "why": "as a dict",
        "edits": {
            'print("lines:"': "print('d:', {r: {'Male': f\"{row['male']:.2f}%\", 'Female': f\"{row['female']:.2f}%\"} for r, row in share.iterrows()})\nprint(\"lines:\""
        },
        "answer": "«d»",
    },
}
NEAR_MISSES = {
    "counts-and-shares-of-all": {
        "why": "the number of people, and in brackets the share of all regions' people",
        "edits": {
            'print("lines:"': 'n = pd.crosstab(df["region"], df["sex"])\nprint("said:", "; ".join(f"{r}: Male:{n.loc[r, \'male\']}人({n.loc[r, \'male\'] / len(df):.2%}), Female:{n.loc[r, \'female\']}人({n.loc[r, \'female\'] / len(df):.2%})" for r in n.index))\nprint("lines:"'
        },
        "answer": "«said»",
    },
    "of-the-sex": {
        "why": "shares of each sex by region",
        "edits": {'normalize="index"': 'normalize="columns"'},
    },
    "regions-exchanged": {
        "why": "the shares of southeast and southwest exchanged",
        "edits": {
            'print("lines:"': 'share.loc[["southeast", "southwest"]] = share.loc[["southwest", "southeast"]].to_numpy()\nprint("lines:"'
        },
    },
    "smokers": {
        "why": "shares of smokers",
        "edits": {
            'df["region"], df["sex"], normalize': 'df["region"], df["smoker"].map({"yes": "male", "no": "female"}), normalize'
        },
    },
    "one-region-missing": {
        "why": "leaves a region out",
        "edits": {"share.iterrows()))": "share[1:].iterrows()))"},
    },
    "a-point-more": {
        "why": "each share of men two points more",
        "edits": {
            "{row['male']:.2f}%": "{row['male'] + 2:.2f}%",
            "{row['female']:.2f}%": "{row['female'] - 2:.2f}%",
        },
    },
    "overall": {
        "why": "the same overall share everywhere",
        "edits": {
            'print("lines:"': "share[:] = (df['sex'].value_counts(normalize=True) * 100)[share.columns].to_numpy()\nprint(\"lines:\""
        },
    },
    "fractions-called-per-cent": {
        "why": "fractions with a sign of per cent",
        "edits": {'normalize="index") * 100': 'normalize="index")'},
    },
}
