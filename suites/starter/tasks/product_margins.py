# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Join order lines with a product list and rank products by margin; the keys are untidy."""

import csv
import random
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "Ten products with the highest margin"
CATEGORY = "chart"
QUERY = """
./data/orders.csv has one line per order item, ./data/products.parquet lists our products with their unit cost. Which ten products earned the highest margin? The margin of an order line is quantity x (unit_price - unit_cost).

Mind that the SKUs in the orders were typed by hand (upper and lower case, stray spaces, a missing or different dash: “ab-104”, “AB104” and “AB 104” are the same product as “AB-104”), that the export wrote some lines twice (a line that repeats an earlier one in all columns is such a copy and counts once), and that some SKUs are not in the product list at all (leave those lines out).

Save ./output/top10.csv with the columns rank (1 to 10), sku (as in the product list), name, quantity (total units) and margin (two decimals), highest margin first.

In your final answer, say how many order lines (after removing the copies) have an unknown SKU.
"""
INPUTS = ["orders.csv", "products.parquet"]
OUTPUTS = ["top10.csv"]

ADJECTIVES = ["oak", "steel", "linen", "copper", "glass", "slate"]
THINGS = ["tray", "hook", "bowl", "clock", "shelf"]


def typed(rng: random.Random, sku: str) -> str:
    letters, digits = sku.split("-")
    form = rng.choices(
        [sku, letters + digits, f"{letters} {digits}", f"{letters}–{digits}"], [8, 1, 1, 1]
    )[0]
    form = form.lower() if rng.random() < 0.2 else form
    return f" {form} " if rng.random() < 0.1 else form


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    names = [f"{a} {t}" for a in ADJECTIVES for t in THINGS]
    numbers = rng.sample(range(100, 1000), len(names) + 4)
    skus = [f"{rng.choice(['AB', 'CK', 'TX'])}-{number}" for number in numbers]
    known, unknown = skus[: len(names)], skus[len(names) :]
    costs = [rng.randrange(200, 6_000) / 100 for _ in names]
    build.write_parquet(
        data / "products.parquet", {"sku": known, "name": names, "unit_cost": costs}
    )
    while True:
        rows = draw_rows(rng, known, unknown, costs)
        if is_telling(rows, dict(zip(known, costs, strict=True))):
            break
    header = ["order_id", "line", "sku", "quantity", "unit_price"]
    build.write_csv(data / "orders.csv", [header, *rows])
    return {"products": [[s, n, c] for s, n, c in zip(known, names, costs, strict=True)]}


def draw_rows(rng: random.Random, known: list, unknown: list, costs: list) -> list[list]:
    """The order lines; some stand there twice."""
    weights = [rng.uniform(0.3, 3) for _ in known]
    rows = []
    for number in range(420):
        is_known = rng.random() > 0.05
        place = rng.choices(range(len(known)), weights)[0]
        price = round(costs[place] * rng.uniform(0.9, 1.9), 2)
        sku = known[place] if is_known else rng.choice(unknown)
        rows.append(
            [5000 + number // 2, number % 2 + 1, typed(rng, sku), rng.randint(1, 30), price]
        )
    for _ in range(25):
        place = rng.randrange(len(rows) - 5)
        rows.insert(place + rng.randint(1, 4), rows[place])
    return rows


def is_telling(rows: list[list], costs: dict[str, float]) -> bool:
    """True if copies have unknown SKUs, too, one of those occurs twice, and no ranks are shared."""
    once = list(dict.fromkeys(map(tuple, rows)))
    margins = dict.fromkeys(costs, 0.0)
    for _, _, sku, quantity, price in once:
        if (name := canonical(sku)) in costs:
            margins[name] += quantity * (price - costs[name])
    best = sorted(margins.values(), reverse=True)[:11]
    apart = all(high - low > 0.05 for high, low in zip(best, best[1:], strict=False))
    lost, lost_once = (
        [c for r in some if (c := canonical(r[2])) not in costs] for some in (rows, once)
    )
    return apart and len(set(lost)) < len(lost_once) < len(lost)


def canonical(text: str) -> str:
    letters = "".join(c for c in text.upper() if c.isalnum())
    return f"{letters[:2]}-{letters[2:]}"


def check(case: Case) -> None:
    from runner.checks.text import answers

    products = {sku: (name, cost) for sku, name, cost in case.parameters["products"]}
    with (case.data / "orders.csv").open(encoding="utf-8", newline="") as stream:
        lines = list(dict.fromkeys(tuple(row) for row in csv.reader(stream)))[1:]
    totals = {sku: [0, 0.0] for sku in products}
    unknown = 0
    for _, _, typed_sku, quantity, price in lines:
        sku = canonical(typed_sku)
        if sku not in products:
            unknown += 1
            continue
        totals[sku][0] += int(quantity)
        totals[sku][1] += int(quantity) * (float(price) - products[sku][1])
    ranked = sorted(totals, key=lambda sku: -totals[sku][1])[:10]
    expected = [
        {
            "rank": place,
            "sku": sku,
            "name": products[sku][0],
            "quantity": totals[sku][0],
            "margin": totals[sku][1],
        }
        for place, sku in enumerate(ranked, 1)
    ]
    tables.match(case, tables.read(case, "top10.csv"), expected, tolerance={"margin": 0.011})
    answers.number_near(case, ["unknown", "not in the product list", "unmatched"], unknown, 0)


REFERENCE = {
    "cells": [
        r"""
import pandas as pd

orders = pd.read_csv("data/orders.csv", dtype={"sku": str})
products = pd.read_parquet("data/products.parquet")
print(orders.head(8), orders.shape, orders.duplicated().sum())
print(products.head(), products.shape)
print(orders["sku"].str.replace(r"[A-Z]", "A", regex=True).str.replace(r"[a-z]", "a", regex=True).str.replace(r"\d", "9", regex=True).value_counts())
""",
        r"""
orders = orders.drop_duplicates().copy()
letters = orders["sku"].str.upper().str.replace(r"[^A-Z0-9]", "", regex=True)
orders["sku"] = letters.str[:2] + "-" + letters.str[2:]
joined = orders.merge(products, on="sku", how="left")
unknown = joined["unit_cost"].isna().sum()
print(f"unknown: {unknown}")
""",
        r"""
joined = joined.dropna(subset="unit_cost")
joined["margin"] = joined["quantity"] * (joined["unit_price"] - joined["unit_cost"])
top = joined.groupby(["sku", "name"], as_index=False)[["quantity", "margin"]].sum()
top = top.sort_values("margin", ascending=False).head(10).reset_index(drop=True)
top.insert(0, "rank", top.index + 1)
top["margin"] = top["margin"].round(2)
top.to_csv("output/top10.csv", index=False)
top
""",
    ],
    "answer": "After removing the copies, «unknown» order lines have an unknown SKU. The ranking is in ./output/top10.csv.",
}
WRONG = {
    "joined-as-typed": {
        "why": "joins on the SKU as typed, so that untidy lines count as unknown",
        "cells": [
            r"""
import pandas as pd

orders = pd.read_csv("data/orders.csv").drop_duplicates()
products = pd.read_parquet("data/products.parquet")
orders["sku"] = orders["sku"].str.strip().str.upper()
joined = orders.merge(products, on="sku", how="left")
print(f"unknown: {joined['unit_cost'].isna().sum()}")
joined = joined.dropna()
joined["margin"] = joined["quantity"] * (joined["unit_price"] - joined["unit_cost"])
top = joined.groupby(["sku", "name"], as_index=False)[["quantity", "margin"]].sum()
top = top.sort_values("margin", ascending=False).head(10).round(2).reset_index(drop=True)
top.insert(0, "rank", top.index + 1)
top.to_csv("output/top10.csv", index=False)
"""
        ],
        "answer": "«unknown» order lines have an unknown SKU.",
    },
    "copies-kept": {
        "why": "does not drop the copied lines",
        "cells": [
            r"""
import pandas as pd

orders = pd.read_csv("data/orders.csv")
products = pd.read_parquet("data/products.parquet")
letters = orders["sku"].str.upper().str.replace(r"[^A-Z0-9]", "", regex=True)
orders["sku"] = letters.str[:2] + "-" + letters.str[2:]
joined = orders.merge(products, on="sku", how="left")
print(f"unknown: {joined['unit_cost'].isna().sum()}")
joined = joined.dropna()
joined["margin"] = joined["quantity"] * (joined["unit_price"] - joined["unit_cost"])
top = joined.groupby(["sku", "name"], as_index=False)[["quantity", "margin"]].sum()
top = top.sort_values("margin", ascending=False).head(10).round(2).reset_index(drop=True)
top.insert(0, "rank", top.index + 1)
top.to_csv("output/top10.csv", index=False)
"""
        ],
        "answer": "«unknown» order lines have an unknown SKU.",
    },
    "revenue-instead": {
        "why": "ranks by revenue and reports it as margin",
        "cells": [
            r"""
import pandas as pd

orders = pd.read_csv("data/orders.csv").drop_duplicates()
products = pd.read_parquet("data/products.parquet")
letters = orders["sku"].str.upper().str.replace(r"[^A-Z0-9]", "", regex=True)
orders["sku"] = letters.str[:2] + "-" + letters.str[2:]
joined = orders.merge(products, on="sku", how="left")
print(f"unknown: {joined['unit_cost'].isna().sum()}")
joined = joined.dropna()
joined["margin"] = joined["quantity"] * joined["unit_price"]
top = joined.groupby(["sku", "name"], as_index=False)[["quantity", "margin"]].sum()
top = top.sort_values("margin", ascending=False).head(10).round(2).reset_index(drop=True)
top.insert(0, "rank", top.index + 1)
top.to_csv("output/top10.csv", index=False)
"""
        ],
        "answer": "«unknown» order lines have an unknown SKU.",
    },
}
