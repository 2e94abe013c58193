# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A radar chart of the average abilities on each map."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "20"
TITLE = "Average abilities by map, as a radar"
CATEGORY = "chart"
OUTPUTS = ["20.png"]
NOTE = "A line for each map over the four abilities, a line for each ability over the maps, or one line of their mean over the maps, in one polar plot or several. The group called “all” may be left out."

ABILITIES = ["1st Ability", "2nd Ability", "3rd Ability", "Ultimate"]


def check(case: Case) -> None:
    from runner.checks.charts import figures, unnoted

    figure = figures.read(case, "20.png")
    means = ability_means(case)
    if figure.note is None:
        unnoted.expect_marks(case, figure, 3, "the maps' averages")
        return
    polar = [axes for axes in figure.panels if axes.kind == "polar"]
    case.demand(
        "a radar",
        polar,
        "a polar plot",
        ", ".join(axes.kind for axes in figure.panels),
        "20.png",
        "20.png shows no radar: it has no polar plot.",
    )
    drawn = named_rounds(figure, polar)
    maps = [name for name in means if name != "all"]
    by_map = {name: dict(zip(ABILITIES, means[name], strict=True)) for name in maps}
    by_ability = {
        ability: {name: means[name][n] for name in maps} for n, ability in enumerate(ABILITIES)
    }
    ways = [by_map, by_ability]
    ways += [{"": {name: sum(means[name][:n]) / n for name in maps}} for n in (4, 3)]
    best = max(sum(is_drawn(name, values, drawn) for name, values in way.items()) for way in ways)
    good = any(all(is_drawn(name, values, drawn) for name, values in way.items()) for way in ways)
    case.expect(
        "averages drawn",
        good,
        f"the averages of {len(means)} maps, each under its name",
        f"{len(drawn)} lines, {best} of them as expected",
        "20.png",
        f"20.png does not draw the average abilities of each map under its name ({best} lines are as expected).",
    )
    missing = [name for name in means if name != "all" and name not in figure.text]
    case.expect(
        "maps named",
        not missing,
        ", ".join(means),
        ", ".join(missing) or "all",
        "20.png",
        f"20.png does not name {', '.join(missing[:4])}.",
    )


def ability_means(case: Case) -> dict:
    """{map: the mean of each ability}, blanks left out."""
    from runner.checks.data import datasets

    groups = datasets.groups_of(tables.source(case.data / "agents_abilities_stat.csv"), "Map")
    return {
        name: [datasets.aggregates_of(rows, ability)["mean"] for ability in ABILITIES]
        for name, rows in groups.items()
    }


def named_rounds(figure: object, polar: list) -> list:
    """(name that a reader sees, {spoke: value}) of every line, of areas where there are none."""
    from runner.checks.charts import shown_names

    found = []
    for axes in polar:
        names = shown_names.names_of(figure, axes)
        artists = shown_names.artists_of(axes)
        lines = [n for n, one in enumerate(artists) if n < len(axes.lines)]
        for n in lines or range(len(artists)):
            own = names.get(n, "") or (figure.title if len(lines) == 1 else "")
            if len(polar) > 1:
                own = f"{own} {axes.title.lower()}"
            spokes = shown_names.spoke_values(axes, artists[n].x, artists[n].y)
            found.append((own, spokes))
    return found


def is_drawn(name: str, values: dict, drawn: list) -> bool:
    """True if a round of that name has each value at its spoke; the group “all” may be beside."""

    for said, spokes in drawn:
        own = {spoke: value for spoke, value in spokes.items() if spoke != "all"}
        if name.lower() not in said or len(own) != len(values):
            continue
        if all(abs(own.get(k.lower(), 1e9) - v) <= 0.011 for k, v in values.items()):
            return True
    return False


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/agents_abilities_stat.csv")
print(df.head())
abilities = ["1st Ability", "2nd Ability", "3rd Ability", "Ultimate"]
means = df.groupby("Map")[abilities].mean()
print(means)
""",
        """
import numpy as np
import matplotlib.pyplot as plt

angles = np.linspace(0, 2 * np.pi, len(abilities), endpoint=False).tolist()
angles += angles[:1]
fig, ax = plt.subplots(figsize=(9, 8), subplot_kw={"polar": True})
for name, row in means.iterrows():
    values = row.tolist() + row.tolist()[:1]
    ax.plot(angles, values, label=name)
    ax.fill(angles, values, alpha=0.05)
ax.set_xticks(angles[:-1], abilities)
ax.set_title("Average abilities by map")
ax.legend(loc="upper right", bbox_to_anchor=(1.25, 1.1))
fig.savefig("output/20.png", bbox_inches="tight")
""",
    ],
    "answer": "The radar chart with the average abilities of each of the ten maps is saved as ./output/20.png.",
}
WRONG = {
    "by-agent": {
        "why": "groups by the agent's name instead of by map",
        "cells": [
            """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/agents_abilities_stat.csv")
abilities = ["1st Ability", "2nd Ability", "3rd Ability", "Ultimate"]
means = df.groupby("Name")[abilities].mean().head(10)
angles = np.linspace(0, 2 * np.pi, 5)
ax = plt.subplot(polar=True)
for name, row in means.iterrows():
    ax.plot(angles, row.tolist() + row.tolist()[:1], label=name)
ax.set_xticks(angles[:-1], abilities)
ax.legend()
plt.savefig("output/20.png")
"""
        ],
        "answer": "The radar chart is saved as ./output/20.png.",
    },
    "sums": {
        "why": "draws sums, which say how many rows a map has",
        "cells": [
            """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/agents_abilities_stat.csv")
abilities = ["1st Ability", "2nd Ability", "3rd Ability", "Ultimate"]
sums = df.groupby("Map")[abilities].sum()
angles = np.linspace(0, 2 * np.pi, 5)
ax = plt.subplot(polar=True)
for name, row in sums.iterrows():
    ax.plot(angles, row.tolist() + row.tolist()[:1], label=name)
ax.set_xticks(angles[:-1], abilities)
ax.legend()
plt.savefig("output/20.png")
"""
        ],
        "answer": "The radar chart is saved as ./output/20.png.",
    },
    "bars": {
        "why": "draws the right averages as bars",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/agents_abilities_stat.csv")
df.groupby("Map")[["1st Ability", "2nd Ability", "3rd Ability", "Ultimate"]].mean().plot.bar()
plt.savefig("output/20.png")
"""
        ],
        "answer": "The chart is saved as ./output/20.png.",
    },
    "three-maps": {
        "why": "draws the first three maps only",
        "cells": [
            """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/agents_abilities_stat.csv")
abilities = ["1st Ability", "2nd Ability", "3rd Ability", "Ultimate"]
means = df.groupby("Map")[abilities].mean().head(3)
angles = np.linspace(0, 2 * np.pi, 5)
ax = plt.subplot(polar=True)
for name, row in means.iterrows():
    ax.plot(angles, row.tolist() + row.tolist()[:1], label=name)
ax.set_xticks(angles[:-1], abilities)
ax.legend()
plt.savefig("output/20.png")
"""
        ],
        "answer": "The radar chart is saved as ./output/20.png.",
    },
}
