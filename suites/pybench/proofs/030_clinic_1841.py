"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "beside-another-year": {
        "why": "compares with the year before",
        "answer": """1841: «births» births and «deaths» deaths in total.
The table has figures of 1842 as well.""",
    },
    "sentence-per-clinic": {
        "why": "other figures stand beside the right one",
        "answer": "In 1841 clinic 1 recorded 3036 births and 237 deaths (7.8 %), clinic 2 recorded 2442 births and 86 deaths (3.5 %).",
    },
    "as-a-table": {
        "why": "answers with a table",
        "answer": "| | 1841 |\n|---|---|\n| births | «births» |\n| deaths | «deaths» |",
    },
    "year-in-the-corner": {
        "why": "a table of the clinics with the year in its corner",
        "answer": "| 1841 | births | deaths |\n|---|---|---|\n| clinic 1 | 3036 | 237 |\n| clinic 2 | 2442 | 86 |\n| **Sum** | **5478** | **323** |",
    },
    "label-first": {
        "why": "the figure after its word",
        "answer": "**Births:** «births»; **deaths:** «deaths»",
    },
    "latex-totals": {
        "why": "sums set in LaTeX",
        "cells": [
            """import pandas as pd
df = pd.read_csv("data/yearly_deaths_by_clinic.csv")
d = df[df["year"] == 1841]
print(f"b: {d.births.sum()}"); print(f"d: {d.deaths.sum()}")
for i, r in enumerate(d.itertuples(), 1): print(f"b{i}: {r.births}"); print(f"d{i}: {r.deaths}")"""
        ],
        "answer": "For the year 1841:\n\n$$\\text{Births} = «b1» + «b2» = «b»$$\n\n$$\\text{Deaths} = «d1» + «d2» = «d»$$",
    },
}
NEAR_MISSES = {
    "exchanged": {
        "why": "gives births for deaths",
        "answer": "In 1841 there were 323 births and 5,478 deaths.",
    },
    "table-exchanged": {
        "why": "a table with the year in its corner and the clinics exchanged",
        "answer": "| 1841 | births | deaths |\n|---|---|---|\n| clinic 1 | 2442 | 86 |\n| clinic 2 | 3036 | 237 |",
    },
    "by-clinic-exchanged": {
        "why": "gives each clinic's figures to the other",
        "answer": "Clinic 1: 2442 births and 86 deaths; clinic 2: 3036 births and 237 deaths.",
    },
}
