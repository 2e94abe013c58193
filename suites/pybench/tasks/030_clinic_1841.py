# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Births and deaths of one year, in two clinics."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "30"
TITLE = "Births and deaths of 1841"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "The year has a row for each of two clinics: the answer must give the totals, or the figures of both clinics."

YEAR = "1841"
WORDS = {
    "births": ["births", "birth", "born", "出生"],
    "deaths": ["deaths", "death", "died", "死亡"],
}
TOTALS = ["total", "in all", "together", "combined", "overall", "合计", "总"]


def check(case: Case) -> None:
    from runner.checks.data import datasets
    from runner.checks.text import answers, labelled_values

    rows = [
        row
        for row in datasets.rows_of(tables.source(case.data / "yearly_deaths_by_clinic.csv"))
        if row["year"] == YEAR
    ]
    numbers = {f.value for f in answers.numbers_in(answers.folded(case.answer))}
    case.demand(
        "an answer",
        numbers and len(numbers) <= 15,
        "a few figures",
        f"{len(numbers)} numbers",
        "",
        "The answer gives no figures, or so many that it is no answer.",
    )
    clinics = {
        str(row["clinic"]): [
            str(row["clinic"]),
            f"第{row['clinic'][-1:]}诊所",
            f"诊所{row['clinic'][-1:]}",
        ]
        for row in rows
    }
    parts = [float(row[column]) for row in rows for column in WORDS]
    said = labelled_values.beside(case.answer, WORDS, clinics)
    by_clinic = labelled_values.stretches(case.answer, {**clinics, "total": TOTALS})
    for column in WORDS:
        parts = {str(row["clinic"]): float(row[column]) for row in rows}
        told = [value for claim in said[column] for value in claim.values]
        good = told and set(told) <= {*parts.values(), sum(parts.values())}
        whole = sum(parts.values()) in told or set(parts.values()) <= set(told)
        case.expect(
            column,
            good and whole,
            f"{sum(parts.values()):.0f}, or {' and '.join(f'{p:.0f}' for p in parts.values())}",
            told[:4] or "nothing",
            "",
            f"The answer gives neither the total of {column} ({sum(parts.values()):.0f}) nor those of both clinics.",
        )
        expect_own_figures(case, column, by_clinic, parts)


def expect_own_figures(case: Case, column: str, by_clinic: dict, parts: dict) -> None:
    """No clinic has the figure of the other one."""
    from runner.checks.text import labelled_values

    exchanged = [
        clinic
        for clinic, texts in by_clinic.items()
        for text in texts
        for claim in labelled_values.beside(text, WORDS)[column]
        if clinic in parts
        and claim.values[0] in parts.values()
        and claim.values[0] != parts[clinic]
    ]
    case.expect(
        f"{column} by clinic",
        not exchanged,
        "each with its own figure",
        ", ".join(exchanged) or "right or none",
        "",
        f"The answer gives another clinic's {column} for {exchanged[0] if exchanged else ''}.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/yearly_deaths_by_clinic.csv")
print(df[df["year"] == 1841])
""",
        """
year = df[df["year"] == 1841]
print("births:", year["births"].sum())
print("deaths:", year["deaths"].sum())
print("clinics:", "; ".join(f"{r.clinic}: {r.births} births and {r.deaths} deaths" for r in year.itertuples()))
""",
    ],
    "answer": "In 1841 there were «births» births and «deaths» deaths in total («clinics»).",
}
WRONG = {
    "first-clinic-only": {
        "why": "takes the first row of the year and leaves out the other clinic",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/yearly_deaths_by_clinic.csv")
row = df[df["year"] == 1841].iloc[0]
print("births:", row["births"])
print("deaths:", row["deaths"])
"""
        ],
        "answer": "In 1841 there were «births» births and «deaths» deaths.",
    },
    "next-year": {
        "why": "takes the row after the right one",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/yearly_deaths_by_clinic.csv").groupby("year").sum(numeric_only=True)
print("births:", df["births"].iloc[1])
print("deaths:", df["deaths"].iloc[1])
"""
        ],
        "answer": "In 1841 there were «births» births and «deaths» deaths.",
    },
    "deaths-only": {
        "why": "gives one of the two figures",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/yearly_deaths_by_clinic.csv")
print("deaths:", df.loc[df["year"] == 1841, "deaths"].sum())
"""
        ],
        "answer": "There were «deaths» deaths in 1841.",
    },
}
