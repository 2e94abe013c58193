# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The average rating of a series' episodes by director, as a chart in the answer."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "22"
TITLE = "Average rating by director"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "The query wants a chart in the answer itself: a table or drawing in text with every director's average counts, and so does a picture under ./output that the answer names and that draws them. Any one of the table's three ratings will do, and an episode of two directors may count for the two together or for each."

RATINGS = ["IMDb Rating", "Rotten Tomatoes Rating (Percentage)", "Metacritic Ratings"]


def check(case: Case) -> None:
    from runner.checks.data import datasets
    from runner.checks.text import labelled_values

    joint = datasets.groups_of(tables.source(case.data / "Game_of_Thrones.csv"), "Directed by")
    single: dict = {}  # an episode of two directors counts for each of them
    for names, rows in joint.items():
        for name in names.split(" & "):
            single[name] = [*single.get(name, ()), *rows]
    labelled_values.require_answer(case)
    found = [averages_told(case.answer, groups) for groups in (joint, single)]
    told, denied, averages = max(found, key=lambda one: (one[0] / len(one[2][0]), -len(one[1])))
    case.expect(
        "no other average told",
        not denied,
        "none",
        ", ".join(denied[:4]) or "none",
        "",
        f"The answer gives another average of {', '.join(denied[:3])}.",
    )
    count = len(averages[0])
    drawn = told == count or is_drawn(case, [*found[0][2], *found[1][2]])
    case.expect(
        "averages of all directors",
        drawn,
        f"{count} directors with their average",
        f"{told} in the answer",
        "",
        f"The answer gives the right average of {told} of {count} directors, and names no picture that draws them.",
    )


def averages_told(answer: str, groups: dict) -> tuple[int, list, list]:
    """How many directors' average the answer tells, of whom another one, and the averages."""
    from runner.checks.data import datasets
    from runner.checks.text import labelled_values

    averages = [
        {name: datasets.aggregates_of(rows, rating)["mean"] for name, rows in groups.items()}
        for rating in RATINGS
    ]
    spellings = {
        name: [name, name.replace(" & ", " and "), name.replace(" & ", ", ")] for name in groups
    }
    said = labelled_values.stretches(answer, spellings)
    said = {name: [after_word(text) for text in texts] for name, texts in said.items()}
    told = max(
        sum(is_told(said[name], value) for name, value in wanted.items()) for wanted in averages
    )
    denied = [
        name
        for name in groups
        for claim in labelled_values.told(said[name])
        if claim.is_direct
        and claim.candidates[0].unit not in ("episode", "episodes")
        and not any(abs(claim.values[0] - wanted[name]) <= 0.0501 for wanted in averages)
    ]
    return told, denied, averages


def after_word(text: str) -> str:
    """The part of a table's row from its average on; other texts as they are."""
    import re

    column = re.search(r"(?:average|avg|mean|rating|平均|均分|评分)[^:;\n\d]*:", text)
    is_row = column and ";" in text[: column.start()]
    return text[column.end() :] if column and is_row else text


def is_told(texts: list, value: float) -> bool:
    """True if a line goes on from the director's name with the average, to two digits at least.

    The number of episodes may stand before it.
    """
    from runner.checks.text import labelled_values

    for text in texts:
        found = labelled_values.numbers_in(text.split("\n")[0])
        near = [f.value for f in found if f.unit not in ("episode", "episodes", "集")][:1]
        if any(abs(n - value) <= 0.0501 for n in near):
            return True
    return False


def is_drawn(case: Case, averages: list) -> bool:
    """True if a picture that the answer names draws one of the averages, by director."""
    from runner.checks import Stop
    from runner.checks.charts import figures, series

    names = sorted(
        p.name for p in case.output.iterdir() if p.suffix.lower() in (".png", ".jpg", ".jpeg")
    )
    for name in [n for n in names if n in case.answer][:4]:
        quiet = Case(data=case.data, output=case.output)
        try:
            figure = figures.read(quiet, name)
        except Stop:
            continue
        for axes in figure.panels:
            offered = [*series.bars_by_label(axes).values(), *series.lines_by_label(axes).values()]
            if any(
                not series.compare(found, wanted, 0.006) for found in offered for wanted in averages
            ):
                return True
    return False


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Game_of_Thrones.csv")
print(df.columns.tolist())
""",
        """
means = df.groupby("Directed by")["IMDb Rating"].mean().sort_values(ascending=False)
print(means)
print("chart:", " · ".join(f"{name}: {'█' * round(mean)} {mean:.2f}" for name, mean in means.items()))
""",
        """
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(9, 7))
ax.barh(means.index[::-1], means[::-1])
ax.set_xlabel("average IMDb rating")
fig.tight_layout()
fig.savefig("output/directors.png")
""",
    ],
    "answer": "Average IMDb rating of the episodes by director:\n\n«chart»\n\n![chart](./output/directors.png)",
}
WRONG = {
    "by-writer": {
        "why": "groups by writer instead of by director",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Game_of_Thrones.csv")
means = df.groupby("Written by")["IMDb Rating"].mean()
print("chart:", " · ".join(f"{name}: {mean:.2f}" for name, mean in means.items()))
"""
        ],
        "answer": "Average ratings: «chart»",
    },
    "top-five": {
        "why": "gives five directors of twenty",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Game_of_Thrones.csv")
means = df.groupby("Directed by")["IMDb Rating"].mean().nlargest(5)
print("chart:", " · ".join(f"{name}: {mean:.2f}" for name, mean in means.items()))
"""
        ],
        "answer": "Average ratings by director: «chart»",
    },
    "viewers-for-ratings": {
        "why": "averages the viewers instead of the ratings",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Game_of_Thrones.csv")
means = df.groupby("Directed by")["U.S. Viewers (Millions)"].mean()
print("chart:", " · ".join(f"{name}: {mean:.2f}" for name, mean in means.items()))
"""
        ],
        "answer": "Average ratings by director: «chart»",
    },
    "best-episode": {
        "why": "gives each director's best rating",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Game_of_Thrones.csv")
means = df.groupby("Directed by")["IMDb Rating"].max()
print("chart:", " · ".join(f"{name}: {mean:.2f}" for name, mean in means.items()))
"""
        ],
        "answer": "Average ratings by director: «chart»",
    },
}
