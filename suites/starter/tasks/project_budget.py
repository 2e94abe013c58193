# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Sum a nested budget in several currencies by category and draw it as a pie."""

import csv
import itertools
import json
import random
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "A budget in four currencies as a pie"
CATEGORY = "chart"
QUERY = """
./data/projects.json is our funding programme: areas contain projects, projects contain budget items (and may contain sub-projects with items of their own). ./data/rates.csv says how many euros one unit of each currency is worth.

Sum all budget items in euros by `category`. Leave out items whose status is “cancelled” and everything inside a project whose status is “cancelled”. Some amounts are written as text, such as “12.5k” (12,500).

Save ./output/spend.csv with the columns `category` and `eur` (two decimals), largest first, and ./output/spend.png, a pie chart (no hole, no gaps, no shadow, at least 700 x 500 pixels, white background) of the same sums with exactly these colours: staff «staff», equipment «equipment», travel «travel», rent «rent». Put no text on top of the slices; labels outside or a small legend are fine.
"""
INPUTS = ["projects.json", "rates.csv"]
OUTPUTS = ["spend.csv", "spend.png"]
STRENGTH = "partial"
NOTE = "Whether the background is white and the pie without a shadow is not looked at."

CATEGORIES = ["staff", "equipment", "travel", "rent"]
COLOURS = ["#1b4f72", "#d35400", "#229954", "#b7950b", "#7d3c98", "#c0392b"]


def written_amount(rng: random.Random, amount: int) -> object:
    if amount % 100 == 0 and rng.random() < 0.35:
        return f"{amount / 1000:g}k"
    return str(amount) if rng.random() < 0.2 else amount


def make_items(rng: random.Random, rates: dict) -> list[dict]:
    items = []
    for _ in range(rng.randint(2, 5)):
        category = rng.choices(CATEGORIES, [5, 3, 2, 2])[0]
        amount = rng.choice([rng.randrange(300, 9_000), rng.randrange(5, 180) * 100])
        items.append(
            {
                "category": category,
                "amount": written_amount(rng, amount),
                "currency": rng.choice(list(rates)),
                "status": "cancelled" if rng.random() < 0.12 else "approved",
            }
        )
    return items


def make_project(rng: random.Random, rates: dict, number: int, depth: int) -> dict:
    project = {
        "id": f"P{number:03d}",
        "status": "cancelled" if rng.random() < 0.12 else "running",
        "items": make_items(rng, rates),
    }
    if depth and rng.random() < 0.45:
        project["subprojects"] = [
            make_project(rng, rates, number * 10 + i, depth - 1) for i in range(rng.randint(1, 2))
        ]
    return project


def plant_cancelled(rng: random.Random, areas: list[dict]) -> None:
    """One project is cancelled, and an item in one that is not; the first of each area runs on."""
    for area in areas:
        area["projects"][0]["status"] = "running"
        area["projects"][0]["items"][0]["status"] = "approved"
    cancelled = rng.choice(areas)["projects"][rng.randint(1, 3)]
    cancelled["status"], cancelled["items"][0]["status"] = "cancelled", "approved"
    rng.choice(areas)["projects"][0]["items"][-1]["status"] = "cancelled"


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    rates = {
        "EUR": 1,
        "USD": round(rng.uniform(0.82, 0.97), 4),
        "GBP": round(rng.uniform(1.11, 1.22), 4),
        "JPY": round(rng.uniform(0.0056, 0.0069), 6),
    }
    while True:
        areas = [
            {"area": area, "projects": [make_project(rng, rates, 10 * a + p, 2) for p in range(4)]}
            for a, area in enumerate(["energy", "water", "housing"], 1)
        ]
        plant_cancelled(rng, areas)
        if is_telling(sums_of(areas, rates), counted_items(areas)):
            break
    build.write_json(data / "projects.json", {"programme": "Green Town", "areas": areas})
    rows = [["currency", "eur_per_unit"], *rates.items()]
    build.write_csv(data / "rates.csv", rows)
    return dict(zip(CATEGORIES, rng.sample(COLOURS, 4), strict=True))


def is_telling(sums: dict[str, float], items: list[dict]) -> bool:
    """True if no slice can be taken for another, nor the number of items for their sum."""
    shares = {name: value / sum(sums.values()) for name, value in sums.items()}
    numbers = {name: sum(item["category"] == name for item in items) for name in sums}
    off = max(abs(shares[name] - numbers[name] / len(items)) for name in sums)
    pairs = itertools.pairwise(sorted(shares.values()))
    return off > 0.05 and all(high - low > 0.05 for low, high in pairs)


def spend(data: Path) -> dict[str, float]:
    with (data / "rates.csv").open() as stream:
        rates = {row["currency"]: float(row["eur_per_unit"]) for row in csv.DictReader(stream)}
    return sums_of(json.loads((data / "projects.json").read_text())["areas"], rates)


def sums_of(areas: list[dict], rates: dict[str, float]) -> dict[str, float]:
    sums = dict.fromkeys(CATEGORIES, 0.0)
    for item in counted_items(areas):
        text = str(item["amount"])
        amount = float(text.rstrip("k")) * (1000 if text.endswith("k") else 1)
        sums[item["category"]] += amount * rates[item["currency"]]
    return sums


def counted_items(areas: list[dict]) -> list[dict]:
    """Items that are not cancelled, of projects that are not."""
    found = []
    pending = [project for area in areas for project in area["projects"]]
    while pending:
        project = pending.pop()
        if project["status"] == "cancelled":
            continue
        pending += project.get("subprojects", [])
        found += [item for item in project["items"] if item["status"] != "cancelled"]
    return found


def check(case: Case) -> None:
    from runner.checks.chart_words import named_marks
    from runner.checks.charts import pixels

    sums = spend(case.data)
    expected = [{"category": c, "eur": sums[c]} for c in sorted(sums, key=lambda c: -sums[c])]
    tables.match(case, tables.read(case, "spend.csv"), expected, tolerance={"eur": 0.011})
    chart = pixels.read(case, "spend.png")
    pixels.expect_least_size(case, chart, 700, 500)
    colours = {c: case.parameters[c] for c in CATEGORIES}
    if pixels.expect_shares(case, chart, {colours[c]: sums[c] for c in CATEGORIES}):
        pixels.expect_whole_disc(case, chart, list(colours.values()))
        pixels.expect_bare_disc(case, chart, list(colours.values()))
        named_marks.expect_wedges(case, "spend.png", {colours[c]: [c] for c in CATEGORIES})


REFERENCE = {
    "cells": [
        r"""
import json

programme = json.load(open("data/projects.json"))
print(json.dumps(programme, indent=1)[:1800])
print(open("data/rates.csv").read())
""",
        r"""
import pandas as pd

rates = pd.read_csv("data/rates.csv").set_index("currency")["eur_per_unit"]
rows = []


def walk(project):
    if project["status"] == "cancelled":
        return
    for item in project["items"]:
        if item["status"] != "cancelled":
            rows.append(item)
    for sub in project.get("subprojects", []):
        walk(sub)


for area in programme["areas"]:
    for project in area["projects"]:
        walk(project)
items = pd.DataFrame(rows)
print(len(items), items["amount"].map(type).value_counts())
print([a for a in items["amount"] if isinstance(a, str)][:10])
""",
        r"""
import matplotlib.pyplot as plt


def to_number(value):
    text = str(value)
    return float(text[:-1]) * 1000 if text.endswith("k") else float(text)


items["eur"] = items["amount"].map(to_number) * items["currency"].map(rates)
sums = items.groupby("category")["eur"].sum().sort_values(ascending=False)
sums.round(2).reset_index().to_csv("output/spend.csv", index=False)
colours = {"staff": "«staff»", "equipment": "«equipment»", "travel": "«travel»", "rent": "«rent»"}
fig, ax = plt.subplots(figsize=(8, 6))
ax.pie(sums, labels=sums.index, colors=[colours[c] for c in sums.index])
fig.savefig("output/spend.png")
plt.close(fig)
sums
""",
    ],
    "answer": "The sums by category are in ./output/spend.csv, the pie chart in ./output/spend.png.",
}
WRONG = {
    "cancelled-projects-counted": {
        "why": "leaves out cancelled items but not cancelled projects",
        "cells": [
            r"""
import json
import pandas as pd
import matplotlib.pyplot as plt

rates = pd.read_csv("data/rates.csv").set_index("currency")["eur_per_unit"]
rows = []

def walk(p):
    rows.extend(i for i in p["items"] if i["status"] != "cancelled")
    for s in p.get("subprojects", []):
        walk(s)

for area in json.load(open("data/projects.json"))["areas"]:
    for p in area["projects"]:
        walk(p)
df = pd.DataFrame(rows)
num = df["amount"].map(lambda v: float(str(v)[:-1]) * 1000 if str(v).endswith("k") else float(v))
df["eur"] = num * df["currency"].map(rates)
sums = df.groupby("category")["eur"].sum().sort_values(ascending=False)
sums.round(2).reset_index().to_csv("output/spend.csv", index=False)
colours = {"staff": "«staff»", "equipment": "«equipment»", "travel": "«travel»", "rent": "«rent»"}
fig, ax = plt.subplots(figsize=(8, 6))
ax.pie(sums, labels=sums.index, colors=[colours[c] for c in sums.index])
fig.savefig("output/spend.png")
"""
        ],
        "answer": "Saved both files.",
    },
    "divided-by-rate": {
        "why": "divides by the rate instead of multiplying",
        "cells": [
            r"""
import json
import pandas as pd
import matplotlib.pyplot as plt

rates = pd.read_csv("data/rates.csv").set_index("currency")["eur_per_unit"]
rows = []

def walk(p):
    if p["status"] == "cancelled":
        return
    rows.extend(i for i in p["items"] if i["status"] != "cancelled")
    for s in p.get("subprojects", []):
        walk(s)

for area in json.load(open("data/projects.json"))["areas"]:
    for p in area["projects"]:
        walk(p)
df = pd.DataFrame(rows)
num = df["amount"].map(lambda v: float(str(v)[:-1]) * 1000 if str(v).endswith("k") else float(v))
df["eur"] = num / df["currency"].map(rates)
sums = df.groupby("category")["eur"].sum().sort_values(ascending=False)
sums.round(2).reset_index().to_csv("output/spend.csv", index=False)
colours = {"staff": "«staff»", "equipment": "«equipment»", "travel": "«travel»", "rent": "«rent»"}
fig, ax = plt.subplots(figsize=(8, 6))
ax.pie(sums, labels=sums.index, colors=[colours[c] for c in sums.index])
fig.savefig("output/spend.png")
"""
        ],
        "answer": "Saved both files.",
    },
    "colours-by-size": {
        "why": "right sums; the colours are dealt out in the order asked for, not by category",
        "cells": [
            r"""
import json
import pandas as pd
import matplotlib.pyplot as plt

rates = pd.read_csv("data/rates.csv").set_index("currency")["eur_per_unit"]
rows = []

def walk(p):
    if p["status"] == "cancelled":
        return
    rows.extend(i for i in p["items"] if i["status"] != "cancelled")
    for s in p.get("subprojects", []):
        walk(s)

for area in json.load(open("data/projects.json"))["areas"]:
    for p in area["projects"]:
        walk(p)
df = pd.DataFrame(rows)
num = df["amount"].map(lambda v: float(str(v)[:-1]) * 1000 if str(v).endswith("k") else float(v))
df["eur"] = num * df["currency"].map(rates)
sums = df.groupby("category")["eur"].sum().sort_values(ascending=False)
sums.round(2).reset_index().to_csv("output/spend.csv", index=False)
fig, ax = plt.subplots(figsize=(8, 6))
ax.pie(sums.sort_values(), labels=sums.sort_values().index, colors=["«staff»", "«equipment»", "«travel»", "«rent»"])
fig.savefig("output/spend.png")
"""
        ],
        "answer": "Saved both files.",
    },
}
