"""A radar graph of four measures of flowers."""

from runner.checks import Case, figures

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
    import numpy as np

    figure = figures.read(case, "69.png")
    figures.require_note(case, figure)
    polar = [axes for axes in figure.panels if axes.kind == "polar"]
    case.demand(
        "a radar graph",
        polar,
        "a polar plot",
        ", ".join(a.kind for a in figure.panels) or "no plot",
        "69.png",
        "69.png holds no radar graph.",
    )
    wanted = {name: np.asarray(values) for name, values in rounds(case.data / "radar.csv").items()}
    shown = [np.asarray(line.y) for axes in polar for line in axes.lines if 4 <= line.n <= 6]
    shown += [np.asarray(area.y) for axes in polar for area in axes.areas if 4 <= len(area.y) <= 6]
    hits = {
        name
        for name, values in wanted.items()
        for line in shown
        if any(is_round(line, values[list(order)]) for order in ORDERS)
    }
    case.expect(
        "its rounds",
        any("row" not in h for h in hits) or len(hits) >= 50,
        "the measures of a species or of all rows",
        ", ".join(sorted(hits)[:3]) or f"{len(shown)} other rounds",
        "69.png",
        "69.png shows no round that is a mean or median of the four measures.",
    )
    text = figure.text.replace("_", " ")
    named = [
        m
        for m in MEASURES
        if m.replace("_", " ") in text or m.replace("_", "") in text.replace(" ", "")
    ]
    case.expect(
        "its spokes are named",
        len(named) >= 4,
        ", ".join(MEASURES),
        ", ".join(named) or "none",
        "69.png",
    )


ORDERS = [(0, 1, 2, 3), (0, 2, 1, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0)]


def is_round(line, values) -> bool:
    import numpy as np

    return len(line) >= 4 and bool(
        np.all(np.abs(line[:4] - values) <= 0.01 * (np.abs(values).max() + 1e-9))
    )


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
