# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A café's best-selling products out of its database, as a table and a horizontal bar chart."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables
from runner.checks.inputs import build

TITLE = "A café's five strongest products"
CATEGORY = "chart"
QUERY = """
./data/cafe.sqlite is the till database of our café: `orders` (id, placed_at, status), `lines` (order_id, product_id, quantity, unit_price_cents) and `products` (id, name).

Find the five products with the highest revenue (sum of quantity × unit price) in «year», counting only orders whose status is paid (cashiers typed it by hand: case and blanks around it do not matter; any other word does not count).
Save
1. ./output/top5.csv with the columns rank (1 to 5), product, units (sum of quantities) and revenue_eur (euros, two decimals), highest revenue first;
2. ./output/top5.png, a horizontal bar chart of these five revenues: highest at the top, white background, at least 800 × 500 px, x-axis from 0, the top bar in «first_colour», the other four in «other_colour», solid fill without outlines, nothing written on the bars themselves.
"""
INPUTS = ["cafe.sqlite"]
OUTPUTS = ["top5.csv", "top5.png"]
STRENGTH = "partial"
NOTE = "Whether the background is white and the bars are without outlines is not looked at."

PRODUCTS = {
    "Espresso": 260,
    "Flat white": 390,
    "Filter coffee": 320,
    "Green tea": 310,
    "Chai": 420,
    "Carrot cake": 450,
    "Brownie": 380,
    "Apple tart": 430,
    "Soup of the day": 680,
    "Toasted sandwich": 790,
}
PAIRS = [("#c44536", "#8da9c4"), ("#e07b39", "#6b9080"), ("#5b3a8c", "#c9ada7")]
PAID = ["paid", "paid", "paid", "Paid", "PAID", " paid", "paid "]
NOT_PAID = ["unpaid", "cancelled", "Unpaid", "refunded"]
TOP = """
    SELECT name AS product, SUM(quantity) AS units, SUM(quantity * unit_price_cents) AS cents
    FROM lines JOIN orders ON orders.id = order_id JOIN products ON products.id = product_id
    WHERE lower(trim(status)) = 'paid' AND placed_at LIKE ?
    GROUP BY products.id ORDER BY cents DESC LIMIT 6"""


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    year = rng.choice([2023, 2024, 2025])
    path = data / "cafe.sqlite"
    while True:
        write_database(rng, path, year)
        if is_telling(top_rows(path, year)):
            break
    first_colour, other_colour = rng.choice(PAIRS)
    return {"year": year, "first_colour": first_colour, "other_colour": other_colour}


def is_telling(rows: list[dict]) -> bool:
    """True if the revenues lie apart, and their order is not that of the units."""
    cents, units = ([row[name] for row in rows] for name in ("cents", "units"))
    apart = all(high - low > 1500 for high, low in zip(cents, cents[1:], strict=False))
    return apart and units[:5] != sorted(units[:5], reverse=True)


def write_database(rng: random.Random, path: Path, year: int) -> None:
    names = rng.sample(list(PRODUCTS), len(PRODUCTS))
    weights = [rng.choice([1, 2, 3, 5, 6]) for _ in names]
    orders, lines = [], []
    for number in range(1, 421):
        orders.append((number, draw_moment(rng, year), draw_status(rng)))
        for name in rng.choices(names, weights, k=rng.randint(1, 4)):
            price = PRODUCTS[name] + rng.choice([0, 0, 0, 30, -50])
            lines.append((number, names.index(name) + 1, rng.randint(1, 3), price))
    price_columns = ["quantity INTEGER", "unit_price_cents INTEGER"]
    build.write_sqlite(
        path,
        {
            "products": (["id INTEGER PRIMARY KEY", "name TEXT"], list(enumerate(names, 1))),
            "orders": (["id INTEGER PRIMARY KEY", "placed_at TEXT", "status TEXT"], orders),
            "lines": (["order_id INTEGER", "product_id INTEGER", *price_columns], lines),
        },
    )


def draw_moment(rng: random.Random, year: int) -> str:
    """Mostly in `year`, one in five in the year before or after."""
    year = rng.choices([year, year - 1, year + 1], [8, 1, 1])[0]
    return f"{year}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d} {rng.randint(8, 18):02d}:{rng.randint(0, 59):02d}"


def draw_status(rng: random.Random) -> str:
    return rng.choice(PAID) if rng.random() < 0.8 else rng.choice(NOT_PAID)


def top_rows(path: Path, year: int) -> list[dict]:
    """The six strongest products: name, units and cents."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        rows = database.execute(TOP, [f"{year}-%"]).fetchall()
    return [dict(zip(("product", "units", "cents"), row, strict=True)) for row in rows]


def check(case: Case) -> None:
    table = tables.read(case, "top5.csv")
    top = top_rows(case.data / "cafe.sqlite", case.parameters["year"])[:5]
    expected = [
        {
            "rank": rank,
            "product": row["product"],
            "units": row["units"],
            "revenue_eur": row["cents"] / 100,
        }
        for rank, row in enumerate(top, 1)
    ]
    tables.match(case, table, expected, tolerance={"revenue_eur": 0.005})
    check_chart(case, top)


def check_chart(case: Case, top: list[dict]) -> None:
    from runner.checks.chart_words import named_marks
    from runner.checks.charts import pixels

    name, p = "top5.png", case.parameters
    cents = [row["cents"] for row in top]
    chart = pixels.read(case, name)
    pixels.expect_least_size(case, chart, 800, 500)
    first = pixels.bars_of(chart, p["first_colour"], horizontal=True)
    others = pixels.bars_of(chart, p["other_colour"], horizontal=True)
    counts = f"{len(first)} and {len(others)}"
    case.demand("bars by colour", counts == "1 and 4", "1 and 4", counts, name)
    bars = [*first, *others]
    feet = [bar.left for bar in bars]
    case.expect("common baseline", max(feet) - min(feet) <= 4, "one", f"at {feet} px", name)
    case.expect(
        "highest at the top", first[0].top < others[0].top, True, first[0].top < others[0].top, name
    )
    pixels.expect_proportion(case, "bar lengths", [bar.width for bar in bars], cents, 0.02, name)
    pixels.expect_nothing_written(
        case, chart, {p["first_colour"]: first, p["other_colour"]: others}
    )
    names = [[row["product"]] for row in top]
    named_marks.expect_bars(case, name, names, [c / 100 for c in cents], lies=True)


REFERENCE = {
    "cells": [
        "import sqlite3\n"
        "import pandas as pd\n"
        "db = sqlite3.connect('./data/cafe.sqlite')\n"
        "for (name,) in db.execute(\"SELECT name FROM sqlite_master WHERE type = 'table'\").fetchall():\n"
        "    print(name, pd.read_sql(f'SELECT * FROM {name} LIMIT 3', db).to_dict('records'))\n"
        "print(db.execute('SELECT status, COUNT(*) FROM orders GROUP BY status').fetchall())",
        "sql = '''\n"
        "SELECT name AS product, SUM(quantity) AS units, SUM(quantity * unit_price_cents) / 100.0 AS revenue_eur\n"
        "FROM lines JOIN orders ON orders.id = lines.order_id JOIN products ON products.id = lines.product_id\n"
        "WHERE lower(trim(status)) = 'paid' AND substr(placed_at, 1, 4) = '«year»'\n"
        "GROUP BY products.id ORDER BY revenue_eur DESC\n"
        "'''\n"
        "top = pd.read_sql(sql, db).head(5)\n"
        "top.insert(0, 'rank', range(1, 6))\n"
        "top.to_csv('./output/top5.csv', index=False, float_format='%.2f')\n"
        "print(top)",
        "import matplotlib.pyplot as plt\n"
        "fig, ax = plt.subplots(figsize=(9, 5.5), dpi=100, facecolor='white')\n"
        "ax.barh(top['product'], top.revenue_eur, color=['«first_colour»'] + ['«other_colour»'] * 4)\n"
        "ax.invert_yaxis()\n"
        "ax.set_xlabel('revenue in «year», €')\n"
        "fig.tight_layout()\n"
        "fig.savefig('./output/top5.png')",
    ],
    "answer": "The five strongest products of «year» are in ./output/top5.csv, the chart is ./output/top5.png.",
}
WRONG = {
    "exact-status": {
        "why": "compares the status with 'paid' as it stands, so 'Paid' and ' paid' are lost",
        "cells": [
            "import sqlite3, pandas as pd, matplotlib.pyplot as plt\n"
            "db = sqlite3.connect('./data/cafe.sqlite')\n"
            "t = pd.read_sql(\"SELECT name AS product, SUM(quantity) AS units, SUM(quantity * unit_price_cents) / 100.0 AS revenue_eur FROM lines JOIN orders ON orders.id = order_id JOIN products ON products.id = product_id WHERE status = 'paid' AND placed_at LIKE '«year»%' GROUP BY 1 ORDER BY 3 DESC LIMIT 5\", db)\n"
            "t.insert(0, 'rank', range(1, 6))\n"
            "t.to_csv('./output/top5.csv', index=False)\n"
            "plt.figure(figsize=(9, 6))\n"
            "plt.barh(t['product'], t.revenue_eur, color=['«first_colour»'] + ['«other_colour»'] * 4)\n"
            "plt.gca().invert_yaxis()\n"
            "plt.savefig('./output/top5.png')"
        ],
        "answer": "Saved top5.csv and top5.png.",
    },
    "all-years": {
        "why": "forgets to keep to the year asked for",
        "cells": [
            "import sqlite3, pandas as pd, matplotlib.pyplot as plt\n"
            "db = sqlite3.connect('./data/cafe.sqlite')\n"
            "t = pd.read_sql(\"SELECT name AS product, SUM(quantity) AS units, SUM(quantity * unit_price_cents) / 100.0 AS revenue_eur FROM lines JOIN orders ON orders.id = order_id JOIN products ON products.id = product_id WHERE lower(trim(status)) = 'paid' GROUP BY 1 ORDER BY 3 DESC LIMIT 5\", db)\n"
            "t.insert(0, 'rank', range(1, 6))\n"
            "t.to_csv('./output/top5.csv', index=False)\n"
            "plt.figure(figsize=(9, 6))\n"
            "plt.barh(t['product'], t.revenue_eur, color=['«first_colour»'] + ['«other_colour»'] * 4)\n"
            "plt.gca().invert_yaxis()\n"
            "plt.savefig('./output/top5.png')"
        ],
        "answer": "The five strongest products are in ./output/top5.csv and on ./output/top5.png.",
    },
    "upside-down": {
        "why": "right table, but barh() draws the first row at the bottom",
        "cells": [
            "import sqlite3, pandas as pd, matplotlib.pyplot as plt\n"
            "db = sqlite3.connect('./data/cafe.sqlite')\n"
            "t = pd.read_sql(\"SELECT name AS product, SUM(quantity) AS units, SUM(quantity * unit_price_cents) / 100.0 AS revenue_eur FROM lines JOIN orders ON orders.id = order_id JOIN products ON products.id = product_id WHERE lower(trim(status)) = 'paid' AND placed_at LIKE '«year»%' GROUP BY 1 ORDER BY 3 DESC LIMIT 5\", db)\n"
            "t.insert(0, 'rank', range(1, 6))\n"
            "t.to_csv('./output/top5.csv', index=False)\n"
            "plt.figure(figsize=(9, 6))\n"
            "plt.barh(t['product'], t.revenue_eur, color=['«first_colour»'] + ['«other_colour»'] * 4)\n"
            "plt.savefig('./output/top5.png')"
        ],
        "answer": "The table and the bar chart are saved under ./output.",
    },
}
