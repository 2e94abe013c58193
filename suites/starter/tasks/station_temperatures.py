# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Daily means of two weather stations as a line chart; readings mix units and gap marks."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "Two weather stations, one line chart"
CATEGORY = "chart"
QUERY = """
./data/readings.tsv holds «days» days of temperature readings of the stations `north` and `south` (tab-separated: time, station, temperature). Compute the mean temperature of each day and station in degrees Celsius.

Please look at the values first: one of the loggers was switched to Fahrenheit for part of the time (such values end in F), and there are several ways in which a gap was recorded (a code far outside any weather, words, or nothing); gaps do not count.

Save
1. ./output/daily.json: a list with one object per day in date order, with the keys `date` (YYYY-MM-DD), `north` and `south` (mean in degrees Celsius, rounded to one decimal).
2. ./output/daily.svg: a line chart of the two series over the days (dates evenly spaced on the x-axis, plain straight segments between the days), `north` in the colour «north_colour», `south` in the colour «south_colour», on a white background, with the title “«title»”. Keep the text in the SVG as text (not converted to outlines).
"""
INPUTS = ["readings.tsv"]
OUTPUTS = ["daily.json", "daily.svg"]
STRENGTH = "partial"
NOTE = "Whether the background is white is not looked at."

PALETTES = [("#1f5fbf", "#d9480f"), ("#087f5b", "#c2255c"), ("#5f3dc4", "#e67700")]


GAPS = ["-999", "-999.0", "n/a", "", "offline"]
NOON = 12


def written(rng: random.Random, celsius: float, is_fahrenheit: bool) -> str:
    if rng.random() < 0.06:
        return rng.choice(GAPS)
    return f"{celsius * 1.8 + 32:.1f}F" if is_fahrenheit else f"{celsius:.1f}"


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    start = datetime(2025, rng.randint(1, 9), rng.randint(1, 15), tzinfo=UTC)
    days = rng.randint(12, 16)
    lines = []
    level = {"north": rng.uniform(4, 8), "south": rng.uniform(21, 24)}
    for day in range(days):
        for station in ("north", "south"):
            base = level[station] + rng.uniform(-3.5, 3.5)
            for hour in range(0, 24, 2):
                moment = start + timedelta(days=day, hours=hour)
                celsius = base + 3 * (1 - abs(hour - 14) / 8) + rng.uniform(-0.6, 0.6)
                is_fahrenheit = station == "south" and days // 3 <= day < days // 3 + 4
                text = written(rng, celsius, is_fahrenheit)
                if station == "north" and hour == NOON and day < len(GAPS):
                    text = GAPS[day]  # each kind of gap occurs
                lines.append(f"{moment:%Y-%m-%d %H:%M}\t{station}\t{text}")
    rng.shuffle(lines)
    (data / "readings.tsv").write_text("\n".join(["time\tstation\ttemperature", *lines]) + "\n")
    north, south = rng.choice(PALETTES)
    return {
        "days": days,
        "north_colour": north,
        "south_colour": south,
        "title": f"Daily means from {start:%d %B %Y}",
    }


def daily_means(path: Path) -> list[dict]:
    sums: dict[tuple[str, str], list[float]] = {}
    for line in path.read_text().splitlines()[1:]:
        time, station, text = line.split("\t")
        celsius = in_celsius(text)
        if celsius is not None:
            sums.setdefault((time[:10], station), []).append(celsius)
    dates = sorted({date for date, _ in sums})
    return [
        {"date": date, **{s: sum(v) / len(v) for s in ("north", "south") if (v := sums[date, s])}}
        for date in dates
    ]


def in_celsius(text: str) -> float | None:
    try:
        value = float(text.rstrip("F"))
    except ValueError:
        return None
    if value < -100:
        return None
    return (value - 32) / 1.8 if text.endswith("F") else value


def check(case: Case) -> None:
    from runner.checks.chart_words import named_marks
    from runner.checks.charts import pixels

    expected = daily_means(case.data / "readings.tsv")
    table = tables.read(case, "daily.json")
    tables.match(case, table, expected, tolerance={"north": 0.0501, "south": 0.0501})
    tables.expect_form(case, table, "date", r"\d{4}-\d\d-\d\d", "YYYY-MM-DD")
    chart = pixels.read(case, "daily.svg")
    pixels.expect_text(case, chart, case.parameters["title"])
    for station in ("north", "south"):
        colour = case.parameters[f"{station}_colour"]
        values = [row[station] for row in expected]
        pixels.expect_line(case, chart, colour, values, f"line of {station}", tolerance=0.06)
    expect_order(case, chart)
    keys = {case.parameters[f"{station}_colour"]: [station] for station in ("north", "south")}
    named_marks.expect_legend(case, chart, keys, tolerance=60)


def expect_order(case: Case, chart: object) -> None:
    """The warmer station's line must lie above the other on one common axis."""
    from runner.checks.charts import pixels

    north, south = (
        pixels.traced(chart, case.parameters[f"{station}_colour"]) for station in ("north", "south")
    )
    higher = len(north) and len(south) and south.mean() < north.mean()
    case.expect(
        "south above north", higher, "south above north", "" if higher else "not so", "daily.svg"
    )


REFERENCE = {
    "cells": [
        r"""
import pandas as pd

raw = pd.read_csv("data/readings.tsv", sep="\t", dtype=str, keep_default_na=False)
print(raw.head(), raw.shape)
odd = raw[~raw["temperature"].str.fullmatch(r"-?\d{1,2}\.\d")]
print(odd["temperature"].str.replace(r"\d+\.\dF", "xF", regex=True).value_counts())
""",
        r"""
raw["fahrenheit"] = raw["temperature"].str.endswith("F")
raw["value"] = pd.to_numeric(raw["temperature"].str.rstrip("F"), errors="coerce")
raw = raw[raw["value"] > -100].copy()
raw.loc[raw["fahrenheit"], "value"] = (raw["value"] - 32) / 1.8
raw["date"] = raw["time"].str[:10]
daily = raw.pivot_table(index="date", columns="station", values="value", aggfunc="mean").sort_index()
rounded = daily.round(1).reset_index()[["date", "north", "south"]]
rounded.to_json("output/daily.json", orient="records")
rounded
""",
        r"""
import matplotlib.pyplot as plt

plt.rcParams["svg.fonttype"] = "none"
fig, ax = plt.subplots(figsize=(10, 5))
ax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2, label="north")
ax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2, label="south")
ax.set_title("«title»")
ax.set_ylabel("°C")
ax.tick_params(axis="x", rotation=60)
ax.legend()
fig.tight_layout()
fig.savefig("output/daily.svg")
plt.close(fig)
""",
    ],
    "answer": "I saved the daily means to ./output/daily.json and the line chart to ./output/daily.svg.",
}
WRONG = {
    "fahrenheit-kept": {
        "why": "strips the F and forgets to convert",
        "cells": [
            r"""
import pandas as pd
import matplotlib.pyplot as plt

raw = pd.read_csv("data/readings.tsv", sep="\t", dtype=str)
raw["value"] = pd.to_numeric(raw["temperature"].str.rstrip("F"), errors="coerce")
raw = raw[raw["value"] > -100]
raw["date"] = raw["time"].str[:10]
daily = raw.pivot_table(index="date", columns="station", values="value", aggfunc="mean").sort_index()
daily.round(1).reset_index().to_json("output/daily.json", orient="records")
plt.rcParams["svg.fonttype"] = "none"
fig, ax = plt.subplots(figsize=(10, 5))
ax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2)
ax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2)
ax.set_title("«title»")
fig.savefig("output/daily.svg")
"""
        ],
        "answer": "The daily means and the chart are saved.",
    },
    "gap-code-counted": {
        "why": "takes -999 for a temperature",
        "cells": [
            r"""
import pandas as pd
import matplotlib.pyplot as plt

raw = pd.read_csv("data/readings.tsv", sep="\t", dtype=str)
f = raw["temperature"].str.endswith("F", na=False)
raw["value"] = pd.to_numeric(raw["temperature"].str.rstrip("F"), errors="coerce")
raw.loc[f, "value"] = (raw["value"] - 32) / 1.8
raw["date"] = raw["time"].str[:10]
daily = raw.pivot_table(index="date", columns="station", values="value", aggfunc="mean").sort_index()
daily.round(1).reset_index().to_json("output/daily.json", orient="records")
plt.rcParams["svg.fonttype"] = "none"
fig, ax = plt.subplots(figsize=(10, 5))
ax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2)
ax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2)
ax.set_title("«title»")
fig.savefig("output/daily.svg")
"""
        ],
        "answer": "The daily means and the chart are saved.",
    },
    "colours-swapped": {
        "why": "right numbers, but each station is drawn in the other's colour",
        "cells": [
            r"""
import pandas as pd
import matplotlib.pyplot as plt

raw = pd.read_csv("data/readings.tsv", sep="\t", dtype=str)
f = raw["temperature"].str.endswith("F", na=False)
raw["value"] = pd.to_numeric(raw["temperature"].str.rstrip("F"), errors="coerce")
raw = raw[raw["value"] > -100].copy()
raw.loc[f[raw.index], "value"] = (raw["value"] - 32) / 1.8
raw["date"] = raw["time"].str[:10]
daily = raw.pivot_table(index="date", columns="station", values="value", aggfunc="mean").sort_index()
daily.round(1).reset_index().to_json("output/daily.json", orient="records")
plt.rcParams["svg.fonttype"] = "none"
fig, ax = plt.subplots(figsize=(10, 5))
ax.plot(daily.index, daily["south"], color="«north_colour»", linewidth=2)
ax.plot(daily.index, daily["north"], color="«south_colour»", linewidth=2)
ax.set_title("«title»")
fig.savefig("output/daily.svg")
"""
        ],
        "answer": "The daily means and the chart are saved.",
    },
}
