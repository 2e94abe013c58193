# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Group a table of action films by certificate."""

from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

INDEX = "13"
TITLE = "Action films by certificate"
CATEGORY = "chart"
OUTPUTS = ["13.csv"]
NOTE = "The query asks for no figure: one row for each certificate with counts, means or other aggregates is accepted, with or without a row for films that have none, and so are all the films with each certificate's together."


def make_inputs(seed: int, data: Path) -> dict:
    import random

    from runner.checks.inputs import stand_ins

    rng = random.Random(seed)
    films = []
    for n in range(160):
        votes = rng.randint(40, 900_000)
        films.append(
            {
                "movie_name": f"The {rng.choice(['Long', 'Last', 'Silent', 'Iron'])} {rng.choice(['Chase', 'Bridge', 'Convoy', 'Signal'])} {n}",
                "year": rng.randint(1960, 2023),
                "certificate": rng.choice(
                    ["", "", "R", "PG-13", "PG", "Not Rated", "18", "UA", "A"]
                ),
                "runtime": f"{rng.randint(80, 170)} min",
                "genre": "Action, Thriller",
                "rating": round(rng.uniform(2, 9), 1),
                "director": f"Director {n % 30}",
                "votes": votes if rng.random() < 0.9 else "",
                "gross(in $)": round(votes * 120.0) if rng.random() < 0.3 else "",
            }
        )
    stand_ins.write_films(data / "action.csv", films)
    return {}


def check(case: Case) -> None:
    from runner.checks.data import datasets

    source = tables.source(case.data / "action.csv")
    table = datasets.flattened(tables.without_index(tables.read(case, "13.csv")))
    table = datasets.renamed(table, source.columns)
    if "certificate" in table.columns and len(table.rows) > len(source.rows) / 2:
        expect_together(case, table, source)
        return
    groups = datasets.groups_of(source, "certificate")
    named = {key: rows for key, rows in groups.items() if key}
    datasets.expect_aggregated(case, with_blank_key(table, named), "certificate", [named, groups])


def with_blank_key(table: tables.Table, named: dict) -> tables.Table:
    """The one key that no film has (“Unknown”, “nan”) stands for films without a certificate."""
    from runner.checks.values import plain

    if "certificate" not in table.columns:
        return table
    place = table.columns.index("certificate")
    strange = {plain(row[place]) for row in table.rows} - set(named)
    if len(strange) != 1:
        return table
    rows = tuple(
        tuple("" if p == place and plain(v) in strange else v for p, v in enumerate(row))
        for row in table.rows
    )
    return tables.Table(table.file, table.columns, rows)


def expect_together(case: Case, table: tables.Table, source: tables.Table) -> None:
    """All films, those of one certificate in one block."""
    from itertools import groupby

    from runner.checks.data import datasets

    kept = [row for row in source.rows if row[source.columns.index("certificate")]]
    if len(table.rows) == len(kept):
        source = tables.Table(source.file, source.columns, tuple(kept))
    datasets.expect_same_rows(case, table, source)
    keys = [
        key for key, _ in groupby(datasets.cell(value) for value in table.column("certificate"))
    ]
    case.expect(
        "films of a certificate together",
        len(keys) == len(set(keys)),
        f"{len(set(keys))} blocks",
        f"{len(keys)} blocks",
        table.file,
        f"{table.file} has all films, those of one certificate apart from each other.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/action.csv")
print(df.shape)
print(df["certificate"].value_counts(dropna=False))
""",
        """
result = (
    df.groupby("certificate")
    .agg(movies=("movie_id", "count"), rating=("rating", "mean"), votes=("votes", "sum"))
    .round(2)
    .sort_values("movies", ascending=False)
    .reset_index()
)
result.to_csv("output/13.csv", index=False)
print(result)
""",
    ],
    "answer": "Grouped by certificate with the number of movies, the mean rating and the votes of each; saved to ./output/13.csv.",
}
WRONG = {
    "by-year": {
        "why": "groups by another column",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/action.csv")
df.groupby("year").size().reset_index(name="count").to_csv("output/13.csv", index=False)
"""
        ],
        "answer": "Grouped and saved to ./output/13.csv.",
    },
    "one-film-each": {
        "why": "keeps the first film of each certificate, its rating for all of them",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/action.csv")
df.sort_values("rating").drop_duplicates("certificate")[["certificate", "movie_name"]].dropna().to_csv("output/13.csv", index=False)
"""
        ],
        "answer": "The data is grouped by certificate; saved to ./output/13.csv.",
    },
    "first-film-each": {
        "why": "drops repeated certificates, which keeps one film of each and aggregates nothing",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/action.csv")
df.drop_duplicates("certificate").to_csv("output/13.csv", index=False)
"""
        ],
        "answer": "The data is grouped by certificate; saved to ./output/13.csv.",
    },
    "ungrouped": {
        "why": "groups in memory and saves the table as it was",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/action.csv")
grouped = df.groupby("certificate")
df.to_csv("output/13.csv", index=False)
"""
        ],
        "answer": "I grouped the data by certificate and saved it to ./output/13.csv.",
    },
}
