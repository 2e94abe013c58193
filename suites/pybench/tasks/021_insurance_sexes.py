# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Share of men and women among the insured of each region."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "21"
TITLE = "各地区参保人的性别占比"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Shares of each region's customers, as percentages or fractions with at least two digits. One row that occurs twice may be counted once."

REGIONS = {
    "northeast": ["northeast", "东北"],
    "northwest": ["northwest", "西北"],
    "southeast": ["southeast", "东南"],
    "southwest": ["southwest", "西南"],
}
SEXES = {
    "male": ["male", "males", "men", "男", "男性"],
    "female": ["female", "females", "women", "女", "女性"],
}


def check(case: Case) -> None:
    from runner.checks.data import datasets
    from runner.checks.text import labelled_values

    source = tables.source(case.data / "insurance.csv")
    once = tables.Table("", source.columns, tuple(dict.fromkeys(source.rows)))
    variants = [datasets.groups_of(table, "region") for table in (source, once)]
    names = {region: REGIONS.get(region, [region]) for region in variants[0]}
    said = labelled_values.stretches(case.answer, names)
    for region in names:
        figures = [
            labelled_values.figures_by_word(text, SEXES, case.answer) for text in said[region]
        ]
        for sex in SEXES:
            shares = [
                sum(row["sex"] == sex for row in v[region]) / len(v[region]) for v in variants
            ]
            accepted = [(s, 0.0051) for s in shares] + [(100 * s, 0.0551) for s in shares]
            accepted += [(float(round(100 * s)), 0) for s in shares]
            offered = [found[sex] for found in figures if sex in found]
            if any(found.unit == "%" for claim in offered for found in claim.candidates):
                accepted = accepted[len(shares) :]  # a fraction is no percentage
            labelled_values.expect_claims(case, f"{sex} in {region}", offered, accepted)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/insurance.csv")
print(df.head())
share = pd.crosstab(df["region"], df["sex"], normalize="index") * 100
print(share)
""",
        """
print("lines:", "; ".join(f"{r}: Male:{row['male']:.2f}%, Female:{row['female']:.2f}%" for r, row in share.iterrows()))
""",
    ],
    "answer": "«lines»",
}
WRONG = {
    "of-all-customers": {
        "why": "divides by all customers instead of by those of the region",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/insurance.csv")
share = pd.crosstab(df["region"], df["sex"], normalize="all") * 100
print("lines:", "; ".join(f"{r}: Male:{row['male']:.2f}%, Female:{row['female']:.2f}%" for r, row in share.iterrows()))
"""
        ],
        "answer": "«lines»",
    },
    "sexes-swapped": {
        "why": "takes the columns of the cross table in the wrong order",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/insurance.csv")
share = pd.crosstab(df["region"], df["sex"], normalize="index").values * 100
print("lines:", "; ".join(f"{r}: Male:{a:.2f}%, Female:{b:.2f}%" for r, (a, b) in zip(sorted(df["region"].unique()), share)))
"""
        ],
        "answer": "«lines»",
    },
    "by-charges": {
        "why": "takes shares of what was paid instead of people",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/insurance.csv")
t = df.pivot_table(index="region", columns="sex", values="charges", aggfunc="sum")
t = t.div(t.sum(axis=1), axis=0) * 100
print("lines:", "; ".join(f"{r}: Male:{row['male']:.2f}%, Female:{row['female']:.2f}%" for r, row in t.iterrows()))
"""
        ],
        "answer": "«lines»",
    },
    "about-half": {
        "why": "rounds everything to half and half",
        "cells": [],
        "answer": "northeast: Male:50%, Female:50%; northwest: Male:50%, Female:50%; southeast: Male:50%, Female:50%; southwest: Male:50%, Female:50%",
    },
}
