# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Fit a calibration line from a lab note in Markdown and correct a series of readings with it."""

import csv
import random
import re
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "Calibrate a scale and correct its readings"
CATEGORY = "chart"
QUERY = """
./data/calibration.md is the lab note of our scale's calibration: a table of reference masses and what the scale showed. Rows that are struck through (~~…~~) were declared void and must not be used. Masses and readings are given in g, kg or mg.

1. Fit the line reading = slope x mass + offset by ordinary least squares, both in grams.
2. Turn the readings of ./data/readings.csv (columns sample, reading, unit) into masses with that line: mass = (reading - offset) / slope. Samples whose reading says “overload” get neither a reading in grams nor a mass: leave both cells empty.
3. Save ./output/corrected.csv with the columns sample, reading_g (the reading in grams, two decimals) and mass_g (two decimals), in the order of the readings.
4. Save ./output/calibration.svg, a scatter chart on a white background that shows every reference point that was used as a filled round marker of exactly the colour «colour» (markers of 8 to 14 points, not touching any line of that colour), the fitted line in black, and the reference masses in grams on the x-axis.

In the final answer give the slope with four decimals and the offset in grams with two decimals.
"""
INPUTS = ["calibration.md", "readings.csv"]
OUTPUTS = ["corrected.csv", "calibration.svg"]
STRENGTH = "partial"
NOTE = "How large the markers are and whether the background is white is not looked at."

FACTORS = {"g": 1.0, "kg": 1000.0, "mg": 0.001}
COLOURS = ["#c0392b", "#1f618d", "#117a65", "#9c640c"]


def written(rng: random.Random, grams: float) -> str:
    unit = rng.choices(["g", "kg", "mg"], [6, 3, 1])[0]
    value = grams / FACTORS[unit]
    return f"{value:,.1f} {unit}" if unit == "mg" else f"{value:.{1 if unit == 'g' else 4}f} {unit}"


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    while True:
        rows = draw_rows(rng)
        if is_telling(rows):
            break
    rng.shuffle(rows)
    note = ["# Calibration of scale S-2", "", "Room at 21 °C, warmed up for 30 minutes.", ""]
    note += ["| no. | reference | reading |", "|----:|----------:|--------:|"]
    note += [f"| {n} | {a} | {b} |" for n, (a, b) in enumerate(rows, 1)]
    note += ["", "Struck through: the pan was touched during the reading.", ""]
    build.write_text(data / "calibration.md", "\n".join(note))
    build.write_csv(data / "readings.csv", [["sample", "reading", "unit"], *draw_readings(rng)])
    return {"colour": rng.choice(COLOURS)}


def draw_rows(rng: random.Random) -> list[list[str]]:
    """Reference masses and what the scale showed, two of them struck through."""
    slope, offset = rng.choice([0.92, 1.08]) + rng.uniform(-0.02, 0.02), rng.uniform(8, 25)
    masses = [100, 200, 400, 600, 800, 1000, 1300, 1600, 2000, 2400]
    void = set(rng.sample(range(1, 10), 2))
    rows = []
    for number, mass in enumerate(masses):
        shown = slope * mass + offset + rng.gauss(0, 9)
        if number in void:
            shown += rng.choice([-1, 1]) * rng.uniform(150, 320)
        cells = [written(rng, mass), written(rng, shown)]
        rows.append([f"~~{cell}~~" for cell in cells] if number in void else cells)
    return rows


def is_telling(rows: list[list[str]]) -> bool:
    """True if every unit occurs among the rows to be used, and masses are unlike readings."""
    used = [[in_grams(cell) for cell in row] for row in rows if "~" not in row[0]]
    units = {cell.split()[1] for row in rows if "~" not in row[0] for cell in row}
    slope, offset = fitted(used)
    furthest = max(abs(mass - reading) for mass, reading in used)
    return units == set(FACTORS) and furthest > 150 and abs(offset) > 3 and abs(slope - 1) > 0.03


def draw_readings(rng: random.Random) -> list[list[str]]:
    readings = []
    for number in range(30):
        unit = rng.choice(["g", "g", "kg"])
        value = f"{rng.uniform(120, 2500) / FACTORS[unit]:.{2 if unit == 'g' else 5}f}"
        is_over = rng.random() < 0.08 or number == 11
        readings.append([f"S{number + 1:02d}", "overload" if is_over else value, unit])
    return readings


def in_grams(text: str) -> float:
    value, unit = text.replace(",", "").split()
    return float(value) * FACTORS[unit]


EQUATION = re.compile(
    r"reading\s*=\s*(?P<slope>\d+\.\d+)\s*[×x*·]?\s*mass\s*(?P<sign>[-+])\s*\(?\s*(?P<offset>-?\d+\.\d+)"
)

STATED = re.compile(r"\b(slope|offset|intercept)(?: (?:is|was|of|=)| ?[:=≈])\s?(-?\d+\.\d+)")


def used_points(path: Path) -> list[tuple[float, float]]:
    rows = re.findall(r"^\| *\d+ *\|([^|~]+)\|([^|~]+)\|$", path.read_text("utf-8"), re.MULTILINE)
    return [(in_grams(a.strip()), in_grams(b.strip())) for a, b in rows]


def fitted(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Slope and offset by least squares."""
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum(
        (x - mean_x) ** 2 for x, _ in points
    )
    return slope, mean_y - slope * mean_x


def check(case: Case) -> None:
    from runner.checks.charts import pixels
    from runner.checks.text import answers, units

    points = used_points(case.data / "calibration.md")
    slope, offset = fitted(points)
    with (case.data / "readings.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    expected = []
    for row in rows:
        reading = (
            None if row["reading"] == "overload" else float(row["reading"]) * FACTORS[row["unit"]]
        )
        mass = None if reading is None else (reading - offset) / slope
        expected.append({"sample": row["sample"], "reading_g": reading, "mass_g": mass})
    tables.match(
        case,
        tables.read(case, "corrected.csv"),
        expected,
        tolerance={"reading_g": 0.0051, "mass_g": 0.011},
    )
    chart = pixels.read(case, "calibration.svg")
    expect_points(case, chart, points, slope, offset)
    units.expect_unit(case, "g", offset, 0.0101, "answer: offset")
    if equation := EQUATION.search(answers.folded(case.answer)):
        said = float(equation["offset"]) * (-1 if equation["sign"] == "-" else 1)
        case.near("answer: slope", float(equation["slope"]), slope, 0.000101)
        case.near("answer: offset", said, offset, 0.0101)
        for name, value in STATED.findall(answers.folded(case.answer)):
            right = slope if name == "slope" else offset
            case.near(f"answer: {name}", float(value), right, 0.0101)
        return
    answers.number_near(case, ["slope"], slope, 0.000101)
    answers.number_near(case, ["offset", "intercept"], offset, 0.0101)


def expect_points(
    case: Case, chart: object, points: list[tuple[float, float]], slope: float, offset: float
) -> None:
    """The markers stand where the points belong, the line runs through them, the ticks fit."""
    from runner.checks.chart_words import named_marks
    from runner.checks.charts import pixels

    file = "calibration.svg"
    marks = pixels.dots(chart, case.parameters["colour"])
    if len(marks) > len(points):
        marks = named_marks.without_keys(chart, marks)
    message = f"{file} shows {len(marks)} markers, the query asks for {len(points)}."
    if case.expect("markers", len(marks) == len(points), len(points), len(marks), file, message):
        points = sorted(points)
        pixels.expect_linear(
            case, "markers across", [x for x, _ in marks], [x for x, _ in points], file
        )
        pixels.expect_linear(
            case, "markers up", [-y for _, y in marks], [y for _, y in points], file
        )
        named_marks.expect_tick_numbers(
            case, chart, [x for x, _ in marks], [x for x, _ in points], "reference masses below"
        )
        line = [(x, slope * x + offset) for x, _ in points]
        pixels.expect_path(case, chart, "#000000", points, marks, line, "fitted line in black")


REFERENCE = {
    "cells": [
        r"""
print(open("data/calibration.md", encoding="utf-8").read())
print(open("data/readings.csv").read()[:400])
""",
        r"""
import re

import numpy as np
import pandas as pd

factor = {"g": 1, "kg": 1000, "mg": 0.001}


def grams(text):
    value, unit = text.replace(",", "").split()
    return float(value) * factor[unit]


points = []
for line in open("data/calibration.md", encoding="utf-8"):
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) == 3 and cells[0].isdigit() and "~~" not in line:
        points.append((grams(cells[1]), grams(cells[2])))
x, y = np.array(sorted(points)).T
slope, offset = np.polyfit(x, y, 1)
print(len(points))
print(f"slope: {slope:.4f}")
print(f"offset: {offset:.2f}")
""",
        r"""
df = pd.read_csv("data/readings.csv")
value = pd.to_numeric(df["reading"], errors="coerce") * df["unit"].map(factor)
df["reading_g"] = value.round(2)
df["mass_g"] = ((value - offset) / slope).round(2)
df[["sample", "reading_g", "mass_g"]].to_csv("output/corrected.csv", index=False)
df.head(14)
""",
        r"""
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(9, 6))
ax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)
ax.plot(x, y, "o", color="«colour»", markersize=10, zorder=3)
ax.set_xlabel("reference mass, g")
ax.set_ylabel("reading, g")
fig.savefig("output/calibration.svg")
plt.close(fig)
""",
    ],
    "answer": "The fit gives slope «slope» and offset «offset» g; the corrected masses and the chart are saved.",
}
WRONG = {
    "void-rows-used": {
        "why": "uses the struck-through rows as well",
        "cells": [
            r"""
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

factor = {"g": 1, "kg": 1000, "mg": 0.001}

def grams(text):
    value, unit = text.replace(",", "").replace("~", "").split()
    return float(value) * factor[unit]

points = []
for line in open("data/calibration.md", encoding="utf-8"):
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) == 3 and cells[0].isdigit():
        points.append((grams(cells[1]), grams(cells[2])))
x, y = np.array(sorted(points)).T
slope, offset = np.polyfit(x, y, 1)
print(f"slope: {slope:.4f}")
print(f"offset: {offset:.2f}")
df = pd.read_csv("data/readings.csv")
value = pd.to_numeric(df["reading"], errors="coerce") * df["unit"].map(factor)
df["reading_g"] = value.round(2)
df["mass_g"] = ((value - offset) / slope).round(2)
df[["sample", "reading_g", "mass_g"]].to_csv("output/corrected.csv", index=False)
fig, ax = plt.subplots(figsize=(9, 6))
ax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)
ax.plot(x, y, "o", color="«colour»", markersize=10, zorder=3)
fig.savefig("output/calibration.svg")
"""
        ],
        "answer": "Slope «slope», offset «offset» g.",
    },
    "line-the-wrong-way": {
        "why": "fits mass against reading and reports that line",
        "cells": [
            r"""
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

factor = {"g": 1, "kg": 1000, "mg": 0.001}

def grams(text):
    value, unit = text.replace(",", "").split()
    return float(value) * factor[unit]

points = []
for line in open("data/calibration.md", encoding="utf-8"):
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) == 3 and cells[0].isdigit() and "~~" not in line:
        points.append((grams(cells[1]), grams(cells[2])))
x, y = np.array(sorted(points)).T
slope, offset = np.polyfit(y, x, 1)
print(f"slope: {slope:.4f}")
print(f"offset: {offset:.2f}")
df = pd.read_csv("data/readings.csv")
value = pd.to_numeric(df["reading"], errors="coerce") * df["unit"].map(factor)
df["reading_g"] = value.round(2)
df["mass_g"] = (value * slope + offset).round(2)
df[["sample", "reading_g", "mass_g"]].to_csv("output/corrected.csv", index=False)
fig, ax = plt.subplots(figsize=(9, 6))
ax.plot(x, y, "o", color="«colour»", markersize=10, zorder=3)
fig.savefig("output/calibration.svg")
"""
        ],
        "answer": "Slope «slope», offset «offset» g.",
    },
    "void-points-drawn": {
        "why": "everything right but the chart, which shows the void points as well",
        "cells": [
            r"""
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

factor = {"g": 1, "kg": 1000, "mg": 0.001}

def grams(text):
    value, unit = text.replace(",", "").split()
    return float(value) * factor[unit]

points, void = [], []
for line in open("data/calibration.md", encoding="utf-8"):
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) == 3 and cells[0].isdigit():
        (void if "~~" in line else points).append((grams(cells[1].strip("~")), grams(cells[2].strip("~"))))
x, y = np.array(sorted(points)).T
slope, offset = np.polyfit(x, y, 1)
print(f"slope: {slope:.4f}")
print(f"offset: {offset:.2f}")
df = pd.read_csv("data/readings.csv")
value = pd.to_numeric(df["reading"], errors="coerce") * df["unit"].map(factor)
df["reading_g"] = value.round(2)
df["mass_g"] = ((value - offset) / slope).round(2)
df[["sample", "reading_g", "mass_g"]].to_csv("output/corrected.csv", index=False)
fig, ax = plt.subplots(figsize=(9, 6))
ax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)
ax.plot(*np.array(points + void).T, "o", color="«colour»", markersize=10, zorder=3)
fig.savefig("output/calibration.svg")
"""
        ],
        "answer": "Slope «slope», offset «offset» g.",
    },
}
