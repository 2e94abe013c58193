"""Sales by region, as a table and a number."""

from pathlib import Path

from runner.checks import Case

TITLE = "Sales by region"
CATEGORY = "table"
QUERY = (
    "./data/sales.csv lists our sales. Save ./output/totals.csv with the columns region and "
    "revenue (units × price, summed, two decimals), one row a region in alphabetical order. "
    "Tell me the overall revenue, too."
)
INPUTS = ["sales.csv"]
OUTPUTS = ["totals.csv"]
TOTALS = {"East": "5087.50", "North": "12340.50", "South": "880.00", "West": "3410.25"}


def make_inputs(seed: int, data: Path) -> dict[str, object]:
    (data / "sales.csv").write_text(
        "Region,Units,Price\nNorth,1000,12.00\nNorth,45,7.90\nWest,150,22.735\nEast,250,20.35\n"
        "South,80,11.00\nNorth,-1,15.00\n"
    )
    return {}


def check(case: Case) -> None:
    name = "totals.csv"
    rows = [
        line.split(",", 1)
        for line in case.require_file(name).read_text("utf-8", "replace").splitlines()
        if line
    ]
    case.demand(
        "columns",
        rows[:1] == [["region", "revenue"]],
        "region, revenue",
        ", ".join(rows[0]) if rows else "nothing",
        name,
    )
    found = {row[0]: row[-1].strip('"') for row in rows[1:]}
    for region, revenue in TOTALS.items():
        if case.expect(f"row of {region}", region in found, region, ", ".join(found), name):
            case.expect(
                f"revenue of {region}",
                found[region]
                in (
                    revenue,
                    revenue.rstrip("0").rstrip("."),
                    revenue.rstrip("0") + "0",
                    f"{float(revenue)}",
                ),
                revenue,
                found[region],
                name,
            )
    said = case.answer.replace(",", "").replace(" ", "")
    case.expect("overall revenue", "21718.25" in said, "21718.25", case.answer[:80])


REFERENCE = {"cells": ["1"], "answer": "Done."}
WRONG = {
    "a": {"why": "a", "cells": ["1"], "answer": "1"},
    "b": {"why": "b", "cells": ["1"], "answer": "1"},
}
