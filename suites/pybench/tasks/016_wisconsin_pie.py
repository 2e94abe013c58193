# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A pie of sales by gender in one state, with a given title and labels."""

import re

from runner.checks import Case

INDEX = "16"
TITLE = "Sales by gender in Wisconsin"
CATEGORY = "chart"
OUTPUTS = ["16.png"]
NOTE = "The query misspells the state; the title and the data have it right. Wedges show the sums of total sales; shares, amounts or both count as data labels."

STATE = "Wisconsin"
HEADING = "Total Sales by Gender in Wisconsin"


def check(case: Case) -> None:
    from runner.checks.charts import figures, series, unnoted

    figure = figures.read(case, "16.png")
    sums, states = sales_by_gender(case)
    if figure.note is None:
        unnoted.expect_marks(case, figure, 2, "the pie")
        return
    case.demand(
        "a pie",
        any(axes.wedges for axes in figure.panels),
        "a pie",
        "none",
        "16.png",
        "16.png shows no pie.",
    )
    series.expect_wedges(case, figure, sums, 0.002)
    figures.expect_title_words(case, figure, [HEADING])
    others = states - {STATE} | {"not", "except", "without"}
    wrong = [word for word in sorted(others) if re.search(rf"\b{word}\b".lower(), figure.title)]
    case.expect(
        "a title of no other sales",
        not wrong,
        HEADING,
        figure.title[:120],
        "16.png",
        f"The title of 16.png says “{wrong[0]}”." if wrong else "",
    )
    expect_labels(case, figure, sums)


def expect_labels(case: Case, figure: object, sums: dict) -> None:
    """Each wedge, or the legend, gives a share or an amount."""
    from runner.checks.charts import shown_names
    from runner.checks.values import number

    wedges = next(axes for axes in figure.panels if axes.wedges)
    total = sum(sums.values())
    wanted = [
        n
        for amount in sums.values()
        for n in (100 * amount / total, amount, amount / 1e3, amount / 1e6)
    ]
    words = [text.text for text in wedges.texts] + list(shown_names.legend_of(figure, wedges))
    said = [number(part) for text in words for part in re.split(r"[\s%$()M]+", text)]
    right = [
        n
        for n in said
        if n is not None
        and any(
            abs(n - w) <= max(0.51 if n == round(n) else 0.1, 0.0051 * w * (w > 100))
            for w in wanted
        )
    ]
    case.expect(
        "data labels",
        len(right) >= len(sums),
        "a share or an amount at each wedge, or in the legend",
        words[:6],
        "16.png",
        "16.png does not show each wedge's share or amount as a label.",
    )


def sales_by_gender(case: Case) -> tuple[dict, set]:
    """The state's sales by gender, and the names of all states."""
    import openpyxl

    page = openpyxl.load_workbook(case.data / "AdidasSalesdata.xlsx", read_only=True).worksheets[0]
    lines = page.iter_rows(values_only=True)
    head = list(next(lines))
    state, gender, sales = (head.index(name) for name in ("State", "Gender Type", "Total Sales"))
    sums: dict = {}
    states = set()
    for line in lines:
        states.add(str(line[state] or STATE).strip())
        if line[state] and str(line[state]).strip() == STATE:
            sums[line[gender]] = sums.get(line[gender], 0.0) + float(line[sales])
    return sums, states


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_excel("data/AdidasSalesdata.xlsx")
print(df.columns.tolist())
print([s for s in df["State"].unique() if s.startswith("Wis")])
""",
        """
import matplotlib.pyplot as plt

sales = df[df["State"] == "Wisconsin"].groupby("Gender Type")["Total Sales"].sum()
print(sales)
fig, ax = plt.subplots(figsize=(7, 7))
ax.pie(sales, labels=sales.index, autopct="%.1f%%")
ax.set_title("Total Sales by Gender in Wisconsin")
fig.savefig("output/16.png")
""",
    ],
    "answer": "The pie of total sales by gender in Wisconsin is saved as ./output/16.png: men 59.5 %, women 40.5 %.",
}
WRONG = {
    "rows-counted": {
        "why": "counts the rows of each gender, which are equally many, instead of adding up sales",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/AdidasSalesdata.xlsx")
counts = df[df["State"] == "Wisconsin"]["Gender Type"].value_counts()
plt.pie(counts, labels=counts.index, autopct="%.1f%%")
plt.title("Total Sales by Gender in Wisconsin")
plt.savefig("output/16.png")
"""
        ],
        "answer": "The pie is saved as ./output/16.png.",
    },
    "all-states": {
        "why": "forgets to select the state",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

sales = pd.read_excel("data/AdidasSalesdata.xlsx").groupby("Gender Type")["Total Sales"].sum()
plt.pie(sales, labels=sales.index, autopct="%.1f%%")
plt.title("Total Sales by Gender in Wisconsin")
plt.savefig("output/16.png")
"""
        ],
        "answer": "The pie is saved as ./output/16.png.",
    },
    "no-labels": {
        "why": "draws the right pie without data labels",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/AdidasSalesdata.xlsx")
sales = df[df["State"] == "Wisconsin"].groupby("Gender Type")["Total Sales"].sum()
plt.pie(sales, labels=sales.index)
plt.title("Total Sales by Gender in Wisconsin")
plt.savefig("output/16.png")
"""
        ],
        "answer": "The pie is saved as ./output/16.png.",
    },
    "bars": {
        "why": "draws bars where a pie was asked for",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/AdidasSalesdata.xlsx")
sales = df[df["State"] == "Wisconsin"].groupby("Gender Type")["Total Sales"].sum()
sales.plot.bar(title="Total Sales by Gender in Wisconsin")
plt.savefig("output/16.png")
"""
        ],
        "answer": "The chart is saved as ./output/16.png.",
    },
}
