# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Women of a list who come from the country with the most shop locations in another table."""

from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

INDEX = "23"
TITLE = "Powerful women of the busiest country"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "The busiest country is that with the most orders, or with the most different places: they may give different countries, and either is accepted. Rows of the list without a country hold descriptions, not women."


def make_inputs(seed: int, data: Path) -> dict:
    import random

    from runner.checks.inputs import build

    rng = random.Random(seed)
    countries = ["Norland", "Estania", "Westmark", "Sudland"]
    head = [
        "Row ID",
        "Order ID",
        "Order Date",
        "Ship Mode",
        "Segment",
        "City",
        "State",
        "Country",
        "Market",
        "Category",
        "Sales",
        "Quantity",
        "Profit",
    ]
    orders = []
    for n in range(1, 501):
        country = rng.choices(countries, [5, 3, 2, 1])[0]
        place = rng.randint(
            1, {"Norland": 40, "Estania": 25, "Westmark": 12, "Sudland": 8}[country]
        )
        orders.append(
            [
                n,
                f"XX-{n:05d}",
                f"2014-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
                "Second Class",
                "Consumer",
                f"City {place}",
                f"State {place % 7}",
                country,
                "EU",
                "Furniture",
                round(rng.uniform(5, 900), 2),
                rng.randint(1, 9),
                round(rng.uniform(-50, 200), 2),
            ]
        )
    build.write_xlsx(
        data / "global_superstore_2016.xlsx",
        {"Orders": [head, *orders], "People": [["Person", "Region"], ["A. Person", "Europe"]]},
    )
    women = []
    for n in range(1, 101):
        women.append(
            [
                n - 1,
                n,
                f"Woman {n}",
                rng.randint(30, 80),
                rng.choices(countries, [2, 5, 2, 1])[0],
                "Business",
                "Chair, Company",
            ]
        )
    women.append([100, "Rank", "Name", "Description", "", "", ""])
    women += [
        [
            101 + n,
            1 + n // 3,
            f"Woman {1 + n // 3}",
            f"She is known in {rng.choice(countries)}.",
            "",
            "",
            "",
        ]
        for n in range(200)
    ]
    build.write_csv(
        data / "Forbes 100 Women List 2020.csv",
        [["index", "Rank", "Name", "Age", "Country/Territory", "Category", "Designation"], *women],
    )
    return {}


def check(case: Case) -> None:
    from runner.checks.text import labelled_values

    labelled_values.require_answer(case)
    offered = labelled_values.counted(
        case.answer, ["women", "of the forbes", "of them", "of the top", "位", "名"]
    )
    offered = [n for n in offered if n not in (100, 2016, 2020)]
    if not offered:
        offered = [
            n
            for n in labelled_values.figures_near(case.answer, ["women", "forbes"])
            if n not in (100, 2016, 2020)
        ]
    offered = labelled_values.or_any(case, offered)
    accepted = []
    if offered and not labelled_values.is_stuffed(case.answer):
        women = tables.source(case.data / "Forbes 100 Women List 2020.csv").column(
            "Country/Territory"
        )
        accepted = [(sum(value == country for value in women), 0) for country in busiest(case)]
    labelled_values.expect_said(case, "number of women", offered, accepted)


def busiest(case: Case) -> list:
    """The country with the most orders, and that with the most different places."""
    from collections import Counter

    import openpyxl

    book = openpyxl.load_workbook(
        case.data / "global_superstore_2016.xlsx", read_only=True, data_only=True
    )
    page = next(
        p
        for p in book.worksheets
        if "Country" in next(p.iter_rows(max_row=1, values_only=True), ())
    )
    lines = page.iter_rows(values_only=True)
    head = list(next(lines))
    where = [head.index(name) for name in ("Country", "State", "City")]
    rows = [tuple(line[place] for place in where) for line in lines if line[where[0]]]
    return [
        Counter(country for country, *_ in some).most_common(1)[0][0] for some in (rows, set(rows))
    ]


REFERENCE = {
    "cells": [
        """
import pandas as pd

store = pd.read_excel("data/global_superstore_2016.xlsx")
women = pd.read_csv("data/Forbes 100 Women List 2020.csv")
print(store.columns.tolist())
print(women.head())
print(women["Country/Territory"].value_counts())
""",
        """
country = store["Country"].value_counts().idxmax()
print("country:", country)
print("places:", store.groupby("Country")["City"].nunique().idxmax())
print("women:", (women["Country/Territory"] == country).sum())
""",
    ],
    "answer": "The country with the most Superstore locations is «country»; «women» of the Forbes Top 100 women are from there.",
}
WRONG = {
    "commonest-of-the-women": {
        "why": "counts the women of the country that most of them come from",
        "cells": [
            """
import pandas as pd

women = pd.read_csv("data/Forbes 100 Women List 2020.csv")
print("women:", women["Country/Territory"].value_counts().max())
"""
        ],
        "answer": "«women» of the Forbes Top 100 women are from that country.",
    },
    "orders-for-women": {
        "why": "gives the number of orders of the country",
        "cells": [
            """
import pandas as pd

store = pd.read_excel("data/global_superstore_2016.xlsx")
print("women:", store["Country"].value_counts().max())
"""
        ],
        "answer": "There are «women» women from the country with the most Superstore locations.",
    },
    "text-searched": {
        "why": "looks for the country's name in every cell, descriptions included",
        "cells": [
            """
import pandas as pd

store = pd.read_excel("data/global_superstore_2016.xlsx")
women = pd.read_csv("data/Forbes 100 Women List 2020.csv").astype(str)
country = store["Country"].value_counts().idxmax()
print("women:", women.apply(lambda c: c.str.contains(country)).any(axis=1).sum())
"""
        ],
        "answer": "«women» of the women are from the country with the most locations.",
    },
}
