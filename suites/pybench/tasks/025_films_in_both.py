# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Films that are in a table of horror films and in one of the year's highest grossing."""

import re
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

INDEX = "25"
TITLE = "两张表中的相同电影"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Films are the same by title, or by title and year. The answer must say that there are some and name them all, or tell how many there are and name three at least; it may name none that only one table has. Of the many horror films two may be named beside them, in passing. Numbers of a part (“the first 6”, 其中 3 部) are no count of the common films, and neither is the number of those whose years differ."
MOST_ASIDE = 2  # other horror films that an answer may name
PART = r"(?:前|后|其中|其余|余下|剩下|剩余|另外|另有|\b(?:first|last|other|remaining|another|of (?:which|them|these),?))\s*的?有?\s*\d+"
NONE_COMMON = re.compile(
    r"(?:没有|不存在|并无|(?<!有)无)(?:任何|一部)?(?:相同|共同|共有)的?(?:电影|影片|片子?|部分)"
    r"|^\W*(?:没有|否|无|不存在|no\b)\s*[。,，.!！;；:：\n]"
    r"|\bno (?:common|shared|matching|identical) (?:films?|movies?)"
    r"|\bno (?:films?|movies?) (?:are )?(?:in (?:common|both)|common|shared)",
    re.IGNORECASE,
)

HEAD = [
    "   Rank",
    "   Movies",
    "       Worldwide($)",
    "       Domestic($)",
    "  Domestic share(%)",
    "      Foreign($)",
    "   Foreign share(%)",
    "    ",
]


def make_inputs(seed: int, data: Path) -> dict:
    import random

    from runner.checks.inputs import build, stand_ins

    rng = random.Random(seed)
    words = [
        "Harbour", "Winter", "Granite", "Velvet", "Copper",
        "Meadow", "Thunder", "Willow", "Crimson", "Lantern",
    ]  # fmt: skip
    names = [f"{a} {b}" for a in words for b in words if a != b]
    rng.shuffle(names)
    top, common, other = names[:40], names[:9], names[40:]
    page = [
        HEAD,
        *(
            [
                n,
                name,
                f"${rng.randint(10, 900)},000,000",
                "",
                "",
                f"${rng.randint(5, 90)},000,000",
                0.5,
                None,
            ]
            for n, name in enumerate(top, 1)
        ),
    ]
    build.write_xlsx(data / "Highest grossing movies of 2022.xlsx", {"Sheet1": page})
    years = [2022] * 6 + [1981, 1990, 2004]
    films = [*zip(common, years, strict=True), *((name, rng.randint(1950, 2023)) for name in other)]
    rng.shuffle(films)
    horror = [
        {
            "movie_name": name,
            "year": year,
            "genre": "Horror",
            "description": f"Nothing like {top[-1]}.",
        }
        for name, year in films
    ]
    stand_ins.write_films(data / "horror.csv", horror)
    return {}


def check(case: Case) -> None:
    from runner.checks.data import datasets
    from runner.checks.text import labelled_values
    from runner.checks.values import plain

    labelled_values.require_answer(case)
    top = tables.source(case.data / "Highest grossing movies of 2022.xlsx")
    place = next(n for n, name in enumerate(top.columns) if "movie" in name.lower())
    titles = {plain(row[place]).casefold(): plain(row[place]) for row in top.rows if row[place]}
    years: dict = {}
    for row in datasets.rows_of(tables.source(case.data / "horror.csv")):
        years.setdefault(plain(row["movie_name"]).casefold(), set()).add(plain(row["year"])[:4])
    by_title = [name for key, name in titles.items() if key in years]
    by_year = [name for key, name in titles.items() if "2022" in years.get(key, ())]
    named = [name for name in by_title if labelled_values.mentions(case.answer, name)]
    strange = [
        name
        for key, name in titles.items()
        if name not in by_title and len(name) > 5 and labelled_values.mentions(case.answer, name)
    ]
    told = labelled_values.counted(
        without_parts(case.answer),
        ["部", "个", "movies", "films"],
        ["共", "共有", "总共", "交集", "交集是"],
    )
    others = horror_alone(case, titles)
    strange += others if len(others) > MOST_ASIDE else []
    counts = {
        len(by_title),
        len(by_year),
        sum(1 for row in top.rows if plain(row[place]).casefold() in years),
    }
    expect_only_common(case, strange)
    complete = set(by_year) <= set(named) and named
    counted = len(named) >= min(3, len(by_title)) and any(n in counts for n in told)
    known = {*counts, len(named)}
    if known & set(told):
        known.add(len(by_title) - len(by_year))
    wrong = [n for n in told if n not in known]
    case.expect(
        "number of common films",
        not wrong,
        " or ".join(str(n) for n in sorted(counts)),
        wrong[:3] or "right or none",
        "",
        f"The answer tells of {wrong[0] if wrong else 0:g} common films.",
    )
    case.expect(
        "common films named",
        complete or counted,
        f"all of {', '.join(by_year)[:200]}, or their number and some",
        f"{len(named)} named",
        "",
        f"The answer names {len(named)} of the {len(by_title)} films that both tables have.",
    )


def expect_only_common(case: Case, strange: list) -> None:
    """The answer names no film that one table alone has, and does not deny the common ones."""
    case.expect(
        "only common films named",
        len(strange) == 0,
        "none that only one table has",
        ", ".join(strange[:3]),
        "",
        f"The answer names {', '.join(strange[:3])}, which only one table has.",
    )
    denied = NONE_COMMON.search(case.answer)
    case.expect(
        "that there are common films",
        not denied,
        "yes",
        denied[0] if denied else "not denied",
        "",
        "The answer says that the tables have no film in common.",
    )


def without_parts(answer: str) -> str:
    """The answer without numbers that count a part of the films."""
    import re

    return re.sub(PART, " ", answer, flags=re.IGNORECASE)


def horror_alone(case: Case, titles: dict) -> list:
    """Films of several words that the answer names and only the table of horror films has."""
    import re

    from runner.checks.data import datasets
    from runner.checks.values import plain

    text = plain(case.answer)
    for title in sorted(titles.values(), key=len, reverse=True):
        text = text.replace(title, "·")
    names = {
        plain(row["movie_name"])
        for row in datasets.rows_of(tables.source(case.data / "horror.csv"))
    }
    return [
        name
        for name in sorted(names)
        if " " in name and len(name) > 8 and name.casefold() not in titles and name in text
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.ASCII)
    ]


REFERENCE = {
    "cells": [
        """
import pandas as pd

horror = pd.read_csv("data/horror.csv")
top = pd.read_excel("data/Highest grossing movies of 2022.xlsx")
top.columns = top.columns.str.strip()
print(horror.columns.tolist(), top.columns.tolist())
print(horror.shape, top.shape)
""",
        """
common = sorted(set(horror["movie_name"].str.strip()) & set(top["Movies"].str.strip()))
print("count:", len(common))
print("common:", ", ".join(common))
""",
    ],
    "answer": "有。两张表按片名匹配共有 «count» 部相同的电影：«common»。",
}
WRONG = {
    "none-found": {
        "why": "joins on columns that hold other things and finds nothing",
        "cells": [
            """
import pandas as pd

horror = pd.read_csv("data/horror.csv")
top = pd.read_excel("data/Highest grossing movies of 2022.xlsx")
print(set(horror["movie_id"]) & set(top.iloc[:, 1]))
"""
        ],
        "answer": "两张表里没有相同的电影。",
    },
    "one-example": {
        "why": "names the first match and leaves it at that",
        "cells": [
            """
import pandas as pd

horror = pd.read_csv("data/horror.csv")
top = pd.read_excel("data/Highest grossing movies of 2022.xlsx")
print("first:", next(name for name in top.iloc[:, 1] if name in set(horror["movie_name"])))
"""
        ],
        "answer": "有相同的电影，是 «first»。",
    },
    "first-table-listed": {
        "why": "lists the head of one table as if both had it",
        "cells": [
            """
import pandas as pd

top = pd.read_excel("data/Highest grossing movies of 2022.xlsx")
print("names:", ", ".join(top.iloc[:, 1].head(20)))
"""
        ],
        "answer": "有相同的电影，包括：«names»。",
    },
}
