# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Mean and variance of every column of numbers."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "19"
TITLE = "各数值列的均值与方差"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "X, Y and Distance are asked for; the two columns of years, which are numbers in form only, may be given or left out. The variance may be that of a sample or of a population."

ASKED = ["X", "Y", "Distance"]
WORDS = {
    "average": ["average", "mean", "avg", "均值", "平均值", "平均数", "平均"],
    "variance": ["variance", "var", "方差"],
}


def check(case: Case) -> None:
    import statistics

    from runner.checks.text import labelled_values

    source = tables.source(case.data / "Australia_Melbourne.csv")
    said = labelled_values.stretches(
        case.answer, {name: [name] for name in [*ASKED, "YearFrom", "YearTo"]}
    )
    for name in (*ASKED, "YearFrom", "YearTo"):
        if name not in ASKED and not any(labelled_values.numbers_in(text) for text in said[name]):
            continue
        values = [float(v) for v in source.column(name)]
        figures = [labelled_values.figures_by_word(text, WORDS, case.answer) for text in said[name]]
        off = 0.0051
        accepted = {
            "average": [(statistics.fmean(values), off)],
            "variance": [(statistics.variance(values), off), (statistics.pvariance(values), off)],
        }
        for word, right in accepted.items():
            offered = [found[word] for found in figures if word in found]
            labelled_values.expect_claims(case, f"{word} of {name}", offered, right)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Australia_Melbourne.csv")
print(df.dtypes)
""",
        """
numeric = df.select_dtypes("number")
for column in numeric:
    print(f"{column}_mean: {numeric[column].mean():.2f}")
    print(f"{column}_var: {numeric[column].var():.2f}")
""",
    ],
    "answer": "YearFrom: Average: «YearFrom_mean», Variance: «YearFrom_var»\nYearTo: Average: «YearTo_mean», Variance: «YearTo_var»\nX: Average: «X_mean», Variance: «X_var»\nY: Average: «Y_mean», Variance: «Y_var»\nDistance: Average: «Distance_mean», Variance: «Distance_var»",
}
WRONG = {
    "deviations": {
        "why": "gives standard deviations for variances",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Australia_Melbourne.csv").select_dtypes("number")
print("lines:", "; ".join(f"{c}: Average: {df[c].mean():.2f}, Variance: {df[c].std():.2f}" for c in df))
"""
        ],
        "answer": "«lines»",
    },
    "distance-only": {
        "why": "gives one column of three",
        "cells": [
            """
import pandas as pd

d = pd.read_csv("data/Australia_Melbourne.csv")["Distance"]
print(f"mean: {d.mean():.2f}")
print(f"var: {d.var():.2f}")
"""
        ],
        "answer": "Distance: Average: «mean», Variance: «var»",
    },
    "columns-mixed-up": {
        "why": "writes the figures of X for Y and of Y for X",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Australia_Melbourne.csv").select_dtypes("number")
other = {"X": "Y", "Y": "X", "Distance": "Distance"}
print("lines:", "; ".join(f"{c}: Average: {df[o].mean():.2f}, Variance: {df[o].var():.2f}" for c, o in other.items()))
"""
        ],
        "answer": "«lines»",
    },
}
