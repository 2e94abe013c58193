# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""One country's gold medals from games to games, as a line."""

from runner.checks import Case
from runner.checks.charts import dates, figures, unnoted

INDEX = "61"
TITLE = "Gold medals of Australia at each games"
CATEGORY = "chart"
OUTPUTS = ["61.png"]
NOTE = "The table holds the summer Paralympics; a row a games. The line must go through every count, at the years."


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "summer_paralympics.csv")
    own = frame[frame["Country"] == "Australia"].groupby("Year")["Gold"].sum()
    figure = figures.read(case, "61.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 1, "the line of gold medals")
        return
    years = [str(year) for year in own.index]
    dates.expect_dated_line(case, figure, years, list(own), words=["gold", "金", "austral", "澳"])
    figures.expect_words(case, figure, ["austral", "gold", "金", "澳"], "says what it shows")
    countries = [str(name) for name in frame["Country"].dropna().unique() if len(str(name)) > 4]
    others = [name for name in countries if "austral" not in name.lower()]
    figures.expect_no_other_subject(case, figure, others, ["austral", "澳"])
    figures.expect_no_other_subject(case, figure, ["bronze", "silver", "铜", "银"], ["gold", "金"])


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/summer_paralympics.csv")
australia = df[df["Country"] == "Australia"].sort_values("Year")
print(australia[["Year", "Gold"]])
""",
        """
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(9, 5))
ax.plot(australia["Year"], australia["Gold"], marker="o")
ax.set_xticks(australia["Year"])
ax.tick_params(axis="x", rotation=45)
ax.set_title("Gold medals of Australia at the summer Paralympics")
ax.set_xlabel("Year")
ax.set_ylabel("Gold medals")
fig.tight_layout()
fig.savefig("output/61.png")
""",
    ],
    "answer": "The chart is saved in ./output/61.png.",
}
WRONG = {
    "all-medals": {
        "why": "counts medals of every metal",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/summer_paralympics.csv')\na = df[df['Country'] == 'Australia']\n"
            "plt.plot(a['Year'], a['M_Total'])\nplt.title('Australian gold medals')\nplt.savefig('output/61.png')"
        ],
        "answer": "Saved in ./output/61.png.",
    },
    "host-country": {
        "why": "filters by the host and so shows two games",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/summer_paralympics.csv')\na = df[df['Host_Country'] == 'Australia'].groupby('Year')['Gold'].sum()\n"
            "a.plot(marker='o', title='Australian gold medals')\nplt.savefig('output/61.png')"
        ],
        "answer": "Saved in ./output/61.png.",
    },
    "running-total": {
        "why": "adds the medals up over the years",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/summer_paralympics.csv')\na = df[df['Country'] == 'Australia'].sort_values('Year')\n"
            "plt.plot(a['Year'], a['Gold'].cumsum())\nplt.title('Australian gold medals')\nplt.savefig('output/61.png')"
        ],
        "answer": "Saved in ./output/61.png.",
    },
}
