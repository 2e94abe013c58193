# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Sum a year of shop sales by quarter; dates, amounts and some rows are untidy."""

import itertools
import random
from datetime import date, timedelta
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "Sales by quarter, with a bar chart"
CATEGORY = "chart"
QUERY = """
./data/sales.csv is the 2025 order export of our shop. Please add up the column `gross` by calendar quarter.

The export is not clean: dates are written in different ways (where day and month are both digits and the year comes last, the day is first), amounts may carry a currency sign and thousands separators, an amount in parentheses is a refund and counts as negative, and a few lines are no orders at all (look before you sum).

Save two files:
1. ./output/quarters.csv with the columns `quarter` (Q1, Q2, Q3, Q4, in this order), `orders` (number of order lines, refunds included) and `gross` (the sum, two decimals).
2. ./output/quarters.png, a vertical bar chart of the four sums in the same order, at least 800 x 500 pixels, white background, y-axis starting at 0, every bar filled with exactly the colour «colour».

In your final answer tell me which quarter was the strongest.
"""
INPUTS = ["sales.csv"]
OUTPUTS = ["quarters.csv", "quarters.png"]
STRENGTH = "partial"
NOTE = "Whether the background is white is not looked at."

COLOURS = ["#2a6fb0", "#c8553d", "#3c8d5a", "#7a4ea3"]
ITEMS = ["kettle", "desk lamp", "notebook", "wool scarf", "chess set", "garden hose"]
HEADER = "order_id,date,item,quantity,net,gross"


def written_date(rng: random.Random, day: date) -> str:
    forms = ["%Y-%m-%d", "%d.%m.%Y", "%d %b %Y", "%Y/%m/%d", "%d/%m/%Y"]
    return day.strftime(rng.choices(forms, weights=[6, 2, 2, 1, 2])[0])


def written_amount(rng: random.Random, cents: int) -> str:
    text = f"{abs(cents) / 100:,.2f}"
    if cents < 0:
        return f'"({text})"'
    form = rng.choices(["plain", "sign", "code"], weights=[5, 2, 2])[0]
    return f'"{ {"plain": text, "sign": "€ " + text, "code": text + " EUR"}[form] }"'


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    while True:
        lines, counts, sums = draw_lines(rng)
        if is_telling(counts, sums):
            break
    lines.insert(61, HEADER)
    lines.insert(122, "")
    lines.insert(123, HEADER)
    total = f"{sum(sums) / 100:,.2f}"
    lines.append(f',TOTAL,,,,"{total}"')
    text = "\ufeff" + "\n".join([HEADER, *lines]) + "\n"
    (data / "sales.csv").write_bytes(text.encode())
    return {
        "colour": rng.choice(COLOURS),
        "counts": counts,
        "sums": [cents / 100 for cents in sums],
    }


def draw_lines(rng: random.Random) -> tuple[list[str], list[int], list[int]]:
    """The order lines; by quarter their number and the sum of their amounts in cents."""
    counts, sums = [0] * 4, [0] * 4
    weights = rng.sample([3, 4, 6, 9], 4)
    lines = []
    for number in range(180):
        quarter = rng.choices(range(4), weights)[0]
        day = date(2025, 3 * quarter + 1, 1) + timedelta(days=rng.randrange(89))
        cents = rng.randrange(1_500, 260_000)
        if rng.random() < 0.07:
            cents = -cents // 3
        counts[quarter] += 1
        sums[quarter] += cents
        net = round(abs(cents) / 1.19) / 100
        lines.append(
            f"{70_001 + number},{written_date(rng, day)},{rng.choice(ITEMS)},"
            f"{rng.randint(1, 9)},{net:.2f},{written_amount(rng, cents)}"
        )
    return lines, counts, sums


def is_telling(counts: list[int], sums: list[int]) -> bool:
    """True if no two quarters are alike, and the numbers of orders are not in their proportion."""
    low, high = min(sums), max(sums)
    pairs = itertools.pairwise(sorted(sums))
    usual = [s / n for s, n in zip(sums, counts, strict=True)]
    apart = all(b - a > 0.05 * high for a, b in pairs)
    return low > 0 and apart and max(usual) > 1.15 * min(usual)


def check(case: Case) -> None:
    from runner.checks.chart_words import named_marks
    from runner.checks.charts import pixels
    from runner.checks.text import answers

    sums, quarters = case.parameters["sums"], ["Q1", "Q2", "Q3", "Q4"]
    table = tables.read(case, "quarters.csv")
    expected = [
        {"quarter": quarter, "orders": count, "gross": gross}
        for quarter, count, gross in zip(quarters, case.parameters["counts"], sums, strict=True)
    ]
    tables.match(case, table, expected, tolerance={"gross": 0.006})
    chart = pixels.read(case, "quarters.png")
    pixels.expect_least_size(case, chart, 800, 500)
    pixels.expect_bars(case, chart, case.parameters["colour"], sums)
    named_marks.expect_bars(case, "quarters.png", [[quarter] for quarter in quarters], sums)
    best = sums.index(max(sums))
    spellings = [f"Q{best + 1}", ["first", "second", "third", "fourth"][best] + " quarter"]
    rivals = [q for q in quarters if q != quarters[best]]
    answers.name_given(case, spellings, rivals, ["strongest", "highest", "best", "most"])


REFERENCE = {
    "cells": [
        r"""
print(open("data/sales.csv", encoding="utf-8-sig").read()[:1500])
""",
        r"""
import pandas as pd

raw = pd.read_csv("data/sales.csv", dtype=str, encoding="utf-8-sig")
print(raw.shape)
print(raw[~raw["order_id"].fillna("").str.isdigit()])
print(raw["date"].str.replace(r"\d", "9", regex=True).value_counts())
print(raw["gross"].str.replace(r"\d+", "9", regex=True).value_counts())
""",
        r"""
orders = raw[raw["order_id"].fillna("").str.isdigit()].copy()


def to_date(text):
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%d %b %Y", "%Y/%m/%d", "%d/%m/%Y"):
        try:
            return pd.to_datetime(text, format=form)
        except ValueError:
            pass
    raise ValueError(text)


def to_amount(text):
    sign = -1 if text.strip().startswith("(") else 1
    return sign * float(text.strip("() ").replace("€", "").replace("EUR", "").replace(",", ""))


orders["quarter"] = orders["date"].map(to_date).dt.quarter.map("Q{}".format)
orders["amount"] = orders["gross"].map(to_amount)
result = orders.groupby("quarter").agg(orders=("amount", "size"), gross=("amount", "sum")).round(2).reset_index()
result.to_csv("output/quarters.csv", index=False)
print(result)
print("best:", result.loc[result["gross"].idxmax(), "quarter"])
""",
        r"""
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(9, 6), dpi=100)
ax.bar(result["quarter"], result["gross"], color="«colour»")
ax.set_ylabel("gross, EUR")
ax.set_title("Gross sales by quarter, 2025")
fig.savefig("output/quarters.png")
plt.close(fig)
""",
    ],
    "answer": "The strongest quarter was «best». I saved the sums to ./output/quarters.csv and the chart to ./output/quarters.png.",
}
WRONG = {
    "month-first-dates": {
        "why": "lets pandas guess the dates, so that some days are taken for months",
        "cells": [
            r"""
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/sales.csv", dtype=str, encoding="utf-8-sig")
df = df[df["order_id"].fillna("").str.isdigit()].copy()
df["amount"] = df["gross"].str.replace(r"[€EUR, ]", "", regex=True).str.replace(r"^\((.*)\)$", r"-\1", regex=True).astype(float)
df["day"] = pd.to_datetime(df["date"], format="mixed", dayfirst=False, errors="coerce")
df["quarter"] = "Q" + df["day"].dt.quarter.astype(int).astype(str)
result = df.groupby("quarter").agg(orders=("amount", "size"), gross=("amount", "sum")).round(2).reset_index()
result.to_csv("output/quarters.csv", index=False)
fig, ax = plt.subplots(figsize=(9, 6))
ax.bar(result["quarter"], result["gross"], color="«colour»")
fig.savefig("output/quarters.png")
print("best:", result.loc[result["gross"].idxmax(), "quarter"])
"""
        ],
        "answer": "The strongest quarter was «best».",
    },
    "refunds-dropped": {
        "why": "keeps only the amounts that parse as a number, so refunds are left out",
        "cells": [
            r"""
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/sales.csv", dtype=str, encoding="utf-8-sig")
df = df[df["order_id"].fillna("").str.isdigit()].copy()
df["amount"] = pd.to_numeric(df["gross"].str.replace(r"[€EUR, ]", "", regex=True), errors="coerce")
df["day"] = pd.to_datetime(df["date"], format="mixed", dayfirst=True)
iso = df["date"].str.match(r"\d{4}")
df.loc[iso, "day"] = pd.to_datetime(df.loc[iso, "date"].str.replace("/", "-"))
df["quarter"] = "Q" + df["day"].dt.quarter.astype(str)
result = df.dropna(subset="amount").groupby("quarter").agg(orders=("amount", "size"), gross=("amount", "sum")).round(2).reset_index()
result.to_csv("output/quarters.csv", index=False)
fig, ax = plt.subplots(figsize=(9, 6))
ax.bar(result["quarter"], result["gross"], color="«colour»")
fig.savefig("output/quarters.png")
print("best:", result.loc[result["gross"].idxmax(), "quarter"])
"""
        ],
        "answer": "The strongest quarter was «best».",
    },
    "cut-axis": {
        "why": "right numbers, but the chart's axis does not start at zero",
        "cells": [
            r"""
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/sales.csv", dtype=str, encoding="utf-8-sig")
df = df[df["order_id"].fillna("").str.isdigit()].copy()
df["amount"] = df["gross"].str.replace(r"[€EUR, ]", "", regex=True).str.replace(r"^\((.*)\)$", r"-\1", regex=True).astype(float)
text = df["date"].str.replace("/", "-").str.replace(".", "-")
iso = text.str.match(r"\d{4}")
df.loc[iso, "day"] = pd.to_datetime(text[iso])
df.loc[~iso, "day"] = pd.to_datetime(text[~iso], format="mixed", dayfirst=True)
df["quarter"] = "Q" + df["day"].dt.quarter.astype(int).astype(str)
result = df.groupby("quarter").agg(orders=("amount", "size"), gross=("amount", "sum")).round(2).reset_index()
result.to_csv("output/quarters.csv", index=False)
fig, ax = plt.subplots(figsize=(9, 6))
ax.bar(result["quarter"], result["gross"], color="«colour»")
ax.set_ylim(result["gross"].min() * 0.8, result["gross"].max() * 1.05)
fig.savefig("output/quarters.png")
print("best:", result.loc[result["gross"].idxmax(), "quarter"])
"""
        ],
        "answer": "The strongest quarter was «best».",
    },
}
