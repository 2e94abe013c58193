# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Mean and variance of one column."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "18"
TITLE = "Mean and variance of the turns' distances"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "The variance may be that of a sample (n - 1) or of a population (n). Thousands may be separated."


def check(case: Case) -> None:
    import statistics

    from runner.checks.text import labelled_values

    values = [float(v) for v in tables.source(case.data / "Qatar_Lusail.csv").column("Distance")]
    words = {"average": ["average", "mean", "平均值", "均值"], "variance": ["variance", "方差"]}
    said = labelled_values.claims(case.answer, words, labelled_values.STATISTICS)
    off = 0.0051
    labelled_values.expect_claims(
        case, "average", said["average"], [(statistics.fmean(values), off)]
    )
    variances = [(statistics.variance(values), off), (statistics.pvariance(values), off)]
    labelled_values.expect_claims(case, "variance", said["variance"], variances)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Qatar_Lusail.csv")
print(df.head())
print(f"mean: {df['Distance'].mean():.2f}")
print(f"var: {df['Distance'].var():.2f}")
""",
    ],
    "answer": "Average: «mean»\nVariance: «var»",
}
WRONG = {
    "deviation": {
        "why": "gives the standard deviation for the variance",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Qatar_Lusail.csv")
print(f"mean: {df['Distance'].mean():.2f}")
print(f"var: {df['Distance'].std():.2f}")
"""
        ],
        "answer": "Average: «mean»\nVariance: «var»",
    },
    "other-column": {
        "why": "takes the column X for the distance",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Qatar_Lusail.csv")
print(f"mean: {df['X'].mean():.2f}")
print(f"var: {df['X'].var():.2f}")
"""
        ],
        "answer": "Average: «mean»\nVariance: «var»",
    },
    "one-decimal": {
        "why": "rounds to whole numbers where two decimals were asked for",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Qatar_Lusail.csv")
print(f"mean: {df['Distance'].mean():.0f}")
print(f"var: {df['Distance'].var():.0f}")
"""
        ],
        "answer": "Average: «mean»\nVariance: «var»",
    },
}
