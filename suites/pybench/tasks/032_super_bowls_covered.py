# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Number of different games that two tables cover."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "32"
TITLE = "Number of Super Bowls in the tables"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "One game was shown by two networks, so there is one row more than games; the answer may tell of the rows as well, if it says that they are rows."


def check(case: Case) -> None:
    from runner.checks.text import answers, labelled_values

    games = set()
    lengths = []
    for name in ("tv.xlsx", "tv.csv"):
        column = tables.source(case.data / name).column("super_bowl")
        games |= {int(float(value)) for value in column}
        lengths.append(len(column))
    labelled_values.require_answer(case)
    text = answers.folded(case.answer)
    found = answers.numbers_in(text)
    case.demand(
        "an answer",
        found and len({f.value for f in found}) <= 15,
        "a figure",
        f"{len(found)} numbers",
        "",
        "The answer gives no figure, or so many that it is no answer.",
    )
    values = [f.value for f in found]
    case.expect(
        "number of games",
        len(games) in values,
        len(games),
        values[:6],
        "",
        f"The answer says {', '.join(f'{v:g}' for v in values[:4])}, there are {len(games)} different games.",
    )
    expect_one_number(case, games, lengths)
    expect_rows_apart(case, text, len(games), {float(lengths[0]), float(sum(lengths))})


def expect_one_number(case: Case, games: set, lengths: list) -> None:
    """No other number of games is given."""
    from runner.checks.text import labelled_values

    counts = labelled_values.counted(
        case.answer,
        ["super bowls", "super bowl games", "games", "editions", "届", "场", "届超级碗"],
    )
    strange = [n for n in counts if n not in (len(games), 1, 2, *lengths, sum(lengths))]
    case.expect(
        "one number of games",
        not strange and (not counts or len(games) in counts),
        f"{len(games)} alone",
        counts[:4] or "alone",
        "",
        "The answer gives another number of games as well.",
    )


def expect_rows_apart(case: Case, text: str, games: int, rows: set) -> None:
    """The number of rows is not given as that of games."""
    import re

    from runner.checks.text import answers

    about_rows = re.compile(
        r"row|record|entr|broadcast|telecast|network|line|行|条|记录|duplicate|repeat"
    )
    opening = re.match(r"\W*(\d{1,6})(?![\d.])", text)
    case.expect(
        "number of games first",
        not opening or float(opening[1]) == games or about_rows.search(text[opening.end() :][:40]),
        f"{games}, where the answer begins with a number",
        opening[1] if opening else "words",
        "",
        f"The answer begins with {opening[1] if opening else ''}, there are {games} games.",
    )
    stray = [
        f
        for f in answers.numbers_in(text)
        if f.value in rows - {float(games)}
        and not about_rows.search(text[max(0, f.start - 60) : f.end + 60])
    ]
    case.expect(
        "rows are not games",
        not stray,
        "no number of rows given as that of games",
        f"{stray[0].value:g}" if stray else "none",
        "",
        "The answer gives the number of rows as another number of games.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

x, c = pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")
print(x.shape, c.shape, x.equals(c))
print(c["super_bowl"].value_counts().head(3))
""",
        """
both = pd.concat([x, c])["super_bowl"]
print("games:", both.nunique())
print("span:", both.min(), "to", both.max())
""",
    ],
    "answer": "The datasets cover «games» Super Bowls (numbers «span»); Super Bowl 1 has two rows because two networks broadcast it.",
}
WRONG = {
    "rows-counted": {
        "why": "counts the rows of a file",
        "cells": [
            """
import pandas as pd

print("games:", len(pd.read_csv("data/tv.csv")))
"""
        ],
        "answer": "There are «games» Super Bowls covered in these datasets.",
    },
    "both-files-added": {
        "why": "adds up the games of two files that hold the same",
        "cells": [
            """
import pandas as pd

print("games:", pd.read_csv("data/tv.csv")["super_bowl"].nunique() + pd.read_excel("data/tv.xlsx")["super_bowl"].nunique())
"""
        ],
        "answer": "There are «games» Super Bowls covered in these datasets.",
    },
    "two-numbers": {
        "why": "gives the number of rows and that of games and does not settle",
        "cells": [],
        "answer": "There are 52 or 53 Super Bowls in these datasets.",
    },
}
