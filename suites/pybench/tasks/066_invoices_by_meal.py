# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A pie of the meals that invoices are for."""

from runner.checks import Case
from runner.checks.charts import figures, series, unnoted
from runner.checks.text import answers

INDEX = "66"
TITLE = "Invoices by meal"
CATEGORY = "chart"
OUTPUTS = ["66.png"]
NOTE = "The column is found by its name or by holding breakfast, lunch and dinner. The pie counts invoices, and the answer names the commonest meal."


def make_inputs(seed, data) -> dict:
    """Made-up invoices, lunches in front."""
    import csv
    import random

    rng = random.Random(seed)
    with (data / "Invoices.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            [
                "Order Id",
                "Date",
                "Meal Id",
                "Company Id",
                "Date of Meal",
                "Participants",
                "Meal Price",
                "Type of Meal",
            ]
        )
        for number in range(400):
            kind = rng.choices(["Breakfast", "Lunch", "Dinner"], [2, 5, 4])[0]
            writer.writerow(
                [
                    f"O{number}",
                    f"2016-05-{1 + number % 28:02}",
                    f"M{number}",
                    f"C{rng.randrange(20)}",
                    f"2016-05-{1 + number % 28:02}",
                    rng.randrange(1, 5),
                    rng.randrange(9, 300) + (400 if kind == "Breakfast" else 0),
                    kind,
                ]
            )
    return {}


def meals(path):
    """The column that tells the meal of each invoice."""
    import pandas as pd

    frame = pd.read_csv(path)
    texts = [
        c
        for c in frame.columns
        if 2 <= frame[c].nunique() <= 12 and not pd.api.types.is_numeric_dtype(frame[c])
    ]
    named = [c for c in texts if "type" in c.lower() and "meal" in c.lower()] or [
        c for c in texts if "meal" in c.lower()
    ]
    held = [
        c
        for c in texts
        if frame[c].astype(str).str.lower().isin(["breakfast", "lunch", "dinner"]).any()
    ]
    return frame[(named or held)[0]].dropna()


def check(case: Case) -> None:
    counts = meals(case.data / "Invoices.csv").value_counts()
    figure = figures.read(case, "66.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, len(counts), "the pie of meals")
    else:
        series.expect_wedges(case, figure, counts.to_dict(), 0.002)
    answers.name_given(
        case,
        str(counts.index[0]),
        [str(n) for n in counts.index[1:]],
        ["most", "primar", "largest", "main", "highest", "meal"],
    )


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/Invoices.csv')\nprint(df.shape, df.columns.tolist())\nprint(df.head())",
        """
import matplotlib.pyplot as plt

column = [c for c in df.columns if "type" in c.lower()][0]
counts = df[column].value_counts()
fig, ax = plt.subplots(figsize=(6, 6))
ax.pie(counts.values, labels=counts.index, autopct="%1.1f%%")
ax.set_title("Invoices by meal")
fig.savefig("output/66.png")
print("first:", counts.index[0])
""",
    ],
    "answer": "The invoices primarily originate from «first». The pie chart is saved in ./output/66.png.",
}
WRONG = {
    "by-amount": {
        "why": "shares out the amounts instead of counting invoices",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Invoices.csv')\ns = df.groupby('Type of Meal')['Meal Price'].sum()\ns.plot.pie(autopct='%1.1f%%')\nplt.savefig('output/66.png')\nprint('first:', s.idxmax())"
        ],
        "answer": "The invoices primarily originate from «first».",
    },
    "no-answer": {
        "why": "draws the pie and does not say which meal it is",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/Invoices.csv')['Type of Meal'].value_counts().plot.pie()\nplt.savefig('output/66.png')"
        ],
        "answer": "The pie chart is saved in ./output/66.png.",
    },
    "by-company": {
        "why": "counts companies",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/Invoices.csv')['Company Id'].value_counts().plot.pie()\nplt.savefig('output/66.png')"
        ],
        "answer": "The invoices primarily originate from Lunch.",
    },
}
