"""A bar chart of visits."""

from pathlib import Path
from typing import Any

from runner.checks import Case

TITLE = "A chart of visits"
CATEGORY = "other"
QUERY = (
    "Draw ./data/visits.csv as a bar chart, at least 300 × 200 pixels, with the page names "
    "below the bars. Save the chart as ./output/chart.png and its table, sorted by visits "
    "with the most first, as ./output/sorted.csv (the same columns). Name the most visited "
    "page."
)
INPUTS = ["visits.csv"]
OUTPUTS = ["chart.png", "sorted.csv"]


def make_inputs(seed: int, data: Path) -> dict[str, object]:
    (data / "visits.csv").write_text("page,visits\nhome,412\nabout,57\nshop,689\nblog,230\n")
    return {}


def check(case: Case) -> None:
    from PIL import Image

    table = case.require_file("sorted.csv").read_text("utf-8", "replace").split()
    case.demand(
        "columns",
        table[:1] == ["page,visits"],
        "page,visits",
        table[0] if table else "nothing",
        "sorted.csv",
    )
    case.equal(
        "rows in order", " ".join(table[1:]), "shop,689 home,412 blog,230 about,57", "sorted.csv"
    )
    path = case.require_file("chart.png")
    try:
        with Image.open(path) as chart:
            chart.load()
    except Exception:
        case.fail("a picture", "chart.png is no picture that can be opened.", "chart.png")
    case.expect(
        "size",
        chart.width >= 300 and chart.height >= 200,
        "300 × 200 or more",
        f"{chart.width} × {chart.height}",
        "chart.png",
    )
    extremes: Any = chart.convert("RGB").getextrema()
    lows = [low == high for low, high in extremes]
    case.expect(
        "something drawn",
        not all(lows),
        "several colours",
        "one colour" if all(lows) else "several colours",
        "chart.png",
    )
    case.expect("most visited page", "shop" in case.answer.lower(), "shop", case.answer[:80])


REFERENCE = {"cells": ["1"], "answer": "Done."}
WRONG = {
    "a": {"why": "a", "cells": ["1"], "answer": "1"},
    "b": {"why": "b", "cells": ["1"], "answer": "1"},
}
