"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "as-a-table": {
        "why": "answers with a table",
        "answer": "| | value |\n|---|---|\n| Average | «mean» |\n| Variance | «var» |",
    },
    "as-json": {
        "why": "answers with a literal",
        "answer": "{'Average': «mean», 'Variance': «var»}",
    },
    "arrows": {
        "why": "each value, and behind an arrow the value rounded",
        "cells": [],
        "answer": "Average: 2526.69876 → 2526.70   Variance: 1,506,614.21097 → 1,506,614.21",
    },
}
NEAR_MISSES = {
    "exchanged": {
        "why": "gives each figure the other's name",
        "answer": "Average: «var»\nVariance: «mean»",
    },
    "in-kilometres": {
        "why": "gives a thousandth of the mean",
        "answer": "Average: 2.53\nVariance: «var»",
    },
    "arrows-cut": {
        "why": "behind an arrow the average cut off",
        "cells": [],
        "answer": "Average: 2526.69876 → 2526.69   Variance: 1506614.21097 → 1506614.21",
    },
}
GAMERS = {
    "of-another-measure": {
        "why": "the figures as those of the speeds",
        "answer": "These are the statistics of the corner speeds, in km/h; the other column I did not read.\nAverage: «mean»\nVariance: «var»",
    },
    "another-track": {
        "why": "tells the figures as those of another track",
        "answer": """Melbourne:
Average: «mean»
Variance: «var»""",
    },
    "another-column": {
        "why": "tells the figures as those of X",
        "answer": "For X: Average: «mean», Variance: «var»",
    },
    "or-its-double": {
        "why": "a second candidate without a number",
        "answer": "Average: «mean», or its double\nVariance: «var», or its half",
    },
    "candidates": {
        "why": "names several means",
        "cells": [],
        "answer": "Average: 2526.00, 2526.70 or 700.00\nVariance: 1, 2 or 3",
    },
    "any-margin": {
        "why": "margins that hold for anything",
        "cells": [
            """import pandas as pd
d = pd.read_csv("data/Qatar_Lusail.csv")["Distance"]
print(f"mean: {d.mean():.2f}"); print(f"var: {d.var():.2f}")"""
        ],
        "answer": "The average distance is «mean», give or take as much again, and the variance is «var», plus or minus an order of magnitude.",
    },
}
GAPS = {
    "of-another-measure": "The format asks for two figures without a name: a sentence above them may call them those of something else in words that no list holds.",
}
