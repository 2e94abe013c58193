# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A radar graph of four measures of flowers."""

from runner.checks import Case
from runner.checks.charts import figures, shown_names, unnoted

INDEX = "69"
TITLE = "A radar graph of four measures"
CATEGORY = "chart"
OUTPUTS = ["69.png"]
NOTE = "What is drawn is left open: means or medians of each species or of all rows, as they are or brought to a common scale. A polar plot must show them at four named spokes."
MEASURES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]


def rounds(path) -> dict:
    """{reading: four values} of each way to sum up the rows."""
    import pandas as pd

    frame = pd.read_csv(path)
    numbers = frame[MEASURES]
    ways = {
        "as they are": numbers,
        "share of the largest mean": numbers / frame.groupby("species")[MEASURES].mean().max(),
        "scaled to 0–1": (numbers - numbers.min()) / (numbers.max() - numbers.min()),
        "share of the largest": numbers / numbers.max(),
        "in standard deviations": (numbers - numbers.mean()) / numbers.std(),
    }
    found = {}
    for way, rows in ways.items():
        for how in ("mean", "median"):
            found[f"all, {how}, {way}"] = list(rows.agg(how))
            for species, own in rows.groupby(frame["species"]):
                found[f"{species}, {how}, {way}"] = list(own.agg(how))
    for n, row in numbers.iterrows():
        found.setdefault(f"row {n}", list(row))
    return found


def check(case: Case) -> None:
    figure = figures.read(case, "69.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 3, "the means of each species")
        return
    polar = [axes for axes in figure.panels if axes.kind == "polar"]
    case.demand(
        "a radar graph",
        polar,
        "a polar plot",
        ", ".join(a.kind for a in figure.panels) or "no plot",
        "69.png",
        "69.png holds no radar graph.",
    )
    wanted = rounds(case.data / "radar.csv")
    species = {name.split(",")[0] for name in wanted if "," in name} - {"all"}
    hits, strange = set(), []
    for axes in polar:
        names = shown_names.names_of(figure, axes)
        artists = shown_names.artists_of(axes)
        offered = range(len(axes.lines)) if axes.lines else range(len(artists))
        for n in offered:
            own = names.get(n, "") or (axes.title.lower() if len(polar) > 1 else "")
            spokes = shown_names.spoke_values(axes, artists[n].x, artists[n].y)
            found = {name for name, values in wanted.items() if is_round(spokes, values)}
            found = {name for name in found if name.split(",")[0] in species} or found
            told = {name for name in found if agrees(name, own, species, len(offered))}
            hits |= told
            if not told:
                strange.append(own or "no name")
    shown = {name.split(",")[0] for name in hits} & species
    case.expect(
        "each species",
        shown in (set(), species),
        ", ".join(sorted(species)),
        ", ".join(sorted(shown)),
        "69.png",
        f"69.png shows {', '.join(sorted(shown))} and leaves out {', '.join(sorted(species - shown))}.",
    )
    case.expect(
        "its rounds",
        (any("row" not in h for h in hits) or len(hits) >= 50) and not strange,
        "the measures of a species or of all rows, under its name and at their spokes",
        ", ".join(strange[:3]) or ", ".join(sorted(hits)[:3]) or "other rounds",
        "69.png",
        "69.png shows no round that is a mean or median of the four measures, under its name and at its spokes.",
    )


def agrees(reading: str, own: str, species: set, many: int) -> bool:
    """True if a round is called after its species; a round alone needs no name."""
    group = reading.split(",")[0]
    said = {one for one in species if one.lower() in own}
    if group in species:
        return said == {group} or (not said and many == 1)
    return not said


def is_round(spokes: dict, values: list) -> bool:
    """True if each measure's value stands at the spoke of its name."""
    named = {plain_name(said): v for said, v in spokes.items()}
    found = [
        next((v for said, v in named.items() if plain_name(name) in said), 1e9) for name in MEASURES
    ]
    peak = max(abs(v) for v in values) + 1e-9
    return all(abs(a - b) <= 0.011 * peak for a, b in zip(found, values, strict=True))


def plain_name(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalpha())


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/radar.csv')\nprint(df.shape, df['species'].value_counts())\nmeans = df.groupby('species').mean()\nprint(means)",
        """
import numpy as np
import matplotlib.pyplot as plt

angles = np.linspace(0, 2 * np.pi, len(means.columns), endpoint=False)
closed = np.append(angles, angles[0])
fig, ax = plt.subplots(figsize=(6, 6), subplot_kw={"projection": "polar"})
for species, row in means.iterrows():
    values = np.append(row.values, row.values[0])
    ax.plot(closed, values, label=species)
    ax.fill(closed, values, alpha=0.15)
ax.set_xticks(angles, means.columns)
ax.legend(loc="upper right")
ax.set_title("Mean measures by species")
fig.savefig("output/69.png")
""",
    ],
    "answer": "The radar graph is saved in ./output/69.png.",
}
WRONG = {
    "bars-instead": {
        "why": "draws grouped bars",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/radar.csv').groupby('species').mean().plot.bar()\nplt.savefig('output/69.png')"
        ],
        "answer": "Saved in ./output/69.png.",
    },
    "counts": {
        "why": "draws how many rows each column has",
        "cells": [
            "import numpy as np, pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/radar.csv').drop(columns='species')\n"
            "a = np.linspace(0, 2 * np.pi, 4, endpoint=False)\nax = plt.subplot(polar=True)\nax.plot(a, df.count().values)\nax.set_xticks(a, df.columns)\nplt.savefig('output/69.png')"
        ],
        "answer": "Saved in ./output/69.png.",
    },
    "no-names": {
        "why": "leaves the spokes without names",
        "cells": [
            "import numpy as np, pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/radar.csv').groupby('species').mean()\n"
            "a = np.linspace(0, 2 * np.pi, 4, endpoint=False)\nax = plt.subplot(polar=True)\nfor row in df.values:\n    ax.plot(a, row)\nplt.savefig('output/69.png')"
        ],
        "answer": "Saved in ./output/69.png.",
    },
}
