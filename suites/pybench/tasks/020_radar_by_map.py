"""A radar chart of the average abilities on each map."""

from runner.checks import Case, tables

INDEX = "20"
TITLE = "Average abilities by map, as a radar"
CATEGORY = "chart"
OUTPUTS = ["20.png"]
NOTE = "A line for each map over the four abilities, a line for each ability over the maps, or one line of their mean over the maps, in one polar plot or several. The group called “all” may be left out."

ABILITIES = ["1st Ability", "2nd Ability", "3rd Ability", "Ultimate"]


def check(case: Case) -> None:
    from runner.checks import figures

    figure = figures.read(case, "20.png")
    figures.require_note(case, figure)
    polar = [axes for axes in figure.panels if axes.kind == "polar"]
    case.demand(
        "a radar",
        polar,
        "a polar plot",
        ", ".join(axes.kind for axes in figure.panels),
        "20.png",
        "20.png shows no radar: it has no polar plot.",
    )
    means = ability_means(case)
    drawn = [opened(line.y) for axes in polar for line in axes.lines]
    drawn += [opened(area.y) for axes in polar for area in axes.areas]
    good, best = False, 0
    for maps in (list(means), [name for name in means if name != "all"]):
        columns = [[means[name][n] for name in maps] for n in range(len(ABILITIES))]
        ways = (
            [means[name] for name in maps],
            columns,
            [[sum(means[name]) / len(ABILITIES) for name in maps]],
            [[sum(means[name][:3]) / 3 for name in maps]],
        )
        for wanted in ways:
            found = sum(any(is_same(values, one) for one in drawn) for values in wanted)
            best = max(best, found)
            good = good or found == len(wanted)
    case.expect(
        "averages drawn",
        good,
        f"the averages of {len(means)} maps",
        f"{len(drawn)} lines, {best} of them as expected",
        "20.png",
        f"20.png does not draw the average abilities of each map ({best} lines are as expected).",
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
    from runner.checks import frames

    groups = frames.groups_of(tables.source(case.data / "agents_abilities_stat.csv"), "Map")
    return {
        name: [frames.aggregates_of(rows, ability)["mean"] for ability in ABILITIES]
        for name, rows in groups.items()
    }


def opened(values: tuple) -> list:
    """The values of a closed line without the repeated first one."""
    return (
        list(values[:-1])
        if len(values) > 2 and abs(values[0] - values[-1]) < 1e-9
        else list(values)
    )


def is_same(wanted: list, found: list) -> bool:
    """The same values in any order that a turn around the circle can have."""
    return len(wanted) == len(found) and all(
        abs(a - b) <= 0.011 for a, b in zip(sorted(wanted), sorted(found), strict=True)
    )


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
