# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Count the horror films that are long and well rated."""

from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

INDEX = "17"
TITLE = "时长与评分都高的恐怖片"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Longer than 120 minutes and rated above 7, both strictly. A film that the table holds twice may be counted once or twice."


def make_inputs(seed: int, data: Path) -> dict:
    import random

    from runner.checks.inputs import stand_ins

    rng = random.Random(seed)
    films = []
    for n in range(400):
        short, long = rng.randint(70, 119), rng.randint(121, 200)
        poor, good = round(rng.uniform(2, 6.9), 1), round(rng.uniform(7.1, 8.9), 1)
        films.append(
            {
                "movie_name": f"The {rng.choice(['Cellar', 'Attic', 'Well', 'Orchard'])} {n}",
                "year": rng.randint(1930, 2023),
                "runtime": rng.choice(["", f"{short} min", "120 min", f"{long} min"]),
                "genre": "Horror",
                "rating": rng.choice(["", 7.0, poor, good]),
            }
        )
    stand_ins.write_films(data / "horror.csv", films)
    return {}


def check(case: Case) -> None:
    import re

    from runner.checks.data import datasets
    from runner.checks.text import labelled_values
    from runner.checks.values import number

    def minutes(text: object) -> float:
        match = re.search(r"\d[\d,]*", str(text))
        return float(match[0].replace(",", "")) if match else 0.0

    rows = datasets.rows_of(tables.source(case.data / "horror.csv"))
    good = [
        row for row in rows if minutes(row["runtime"]) > 120 and (number(row["rating"]) or 0) > 7
    ]
    accepted = {len(good), len({row["movie_id"] for row in good})}
    labelled_values.require_answer(case)
    offered = labelled_values.counted(
        case.answer,
        ["部", "个", "条", "行", "movies", "films"],
        ["共", "一共", "总数", "数量", "total"],
    )
    offered = labelled_values.or_any(
        case, [n for n in offered if n in accepted or n not in (120, 7)]
    )
    labelled_values.expect_said(case, "number of films", offered, [(n, 0) for n in accepted])


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/horror.csv")
print(df.shape)
print(df[["runtime", "rating"]].head())
""",
        """
minutes = df["runtime"].str.replace(",", "").str.extract(r"(\\d+)")[0].astype(float)
good = df[(minutes > 120) & (df["rating"] > 7)]
print("count:", len(good))
print(good[["movie_name", "runtime", "rating"]].head())
""",
    ],
    "answer": "时长超过 120 分钟且评分超过 7 分的电影一共有 «count» 部。",
}
WRONG = {
    "inclusive": {
        "why": "counts films of exactly 120 minutes and of exactly 7 as well",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/horror.csv")
minutes = df["runtime"].str.extract(r"(\\d+)")[0].astype(float)
print("count:", ((minutes >= 120) & (df["rating"] >= 7)).sum())
"""
        ],
        "answer": "符合条件的电影一共有 «count» 部。",
    },
    "either": {
        "why": "counts films that are long or well rated",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/horror.csv")
minutes = df["runtime"].str.extract(r"(\\d+)")[0].astype(float)
print("count:", ((minutes > 120) | (df["rating"] > 7)).sum())
"""
        ],
        "answer": "符合条件的电影一共有 «count» 部。",
    },
    "compared-as-text": {
        "why": "compares the run time as text, where 95 is more than 120",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/horror.csv")
print("count:", ((df["runtime"].fillna("") > "120 min") & (df["rating"] > 7)).sum())
"""
        ],
        "answer": "符合条件的电影一共有 «count» 部。",
    },
}
