"""The warmest month, in the answer alone."""

from pathlib import Path

from runner.checks import Case

TITLE = "The warmest month"
CATEGORY = "table"
QUERY = (
    "./data/temps.csv holds daily temperatures of a station. Which month was the warmest on "
    "average, and what was its mean, to one decimal?"
)
INPUTS = ["temps.csv"]
OUTPUTS: list[str] = []


def make_inputs(seed: int, data: Path) -> dict[str, object]:
    days = [
        ("2024-06", (18.2, 21.4, 19.9)),
        ("2024-07", (24.1, 22.6, 23.4, 25.0)),
        ("2024-08", (22.0, 23.1, 20.7)),
    ]
    rows = [f"{month}-{day:02d},{t}" for month, ts in days for day, t in enumerate(ts, 1)]
    (data / "temps.csv").write_text("date,temp_c\n" + "\n".join(rows) + "\n")
    return {}


def check(case: Case) -> None:
    case.expect(
        "month", "july" in case.answer.lower() or "2024-07" in case.answer, "July", case.answer[:80]
    )
    case.expect("mean", "23.8" in case.answer, "23.8", case.answer[:80])


REFERENCE = {"cells": ["1"], "answer": "Done."}
WRONG = {
    "a": {"why": "a", "cells": ["1"], "answer": "1"},
    "b": {"why": "b", "cells": ["1"], "answer": "1"},
}
