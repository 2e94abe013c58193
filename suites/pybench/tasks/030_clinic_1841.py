"""Births and deaths of one year, in two clinics."""

from runner.checks import Case, tables

INDEX = "30"
TITLE = "Births and deaths of 1841"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "The year has a row for each of two clinics: the answer must give the totals, or the figures of both clinics."

YEAR = "1841"


def check(case: Case) -> None:
    from runner.checks import answers, frames, labels

    rows = [
        row
        for row in frames.rows_of(tables.source(case.data / "yearly_deaths_by_clinic.csv"))
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
    said = labels.stretches(
        case.answer,
        {
            "births": ["births", "birth", "born", "出生"],
            "deaths": ["deaths", "death", "died", "死亡"],
        },
    )
    for column in ("births", "deaths"):
        parts = [float(row[column]) for row in rows]
        good = sum(parts) in numbers or set(parts) <= numbers
        case.expect(
            column,
            good and said[column],
            f"{sum(parts):.0f}, or {' and '.join(f'{p:.0f}' for p in parts)}",
            sorted(numbers),
            "",
            f"The answer gives neither the total of {column} ({sum(parts):.0f}) nor those of both clinics.",
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
