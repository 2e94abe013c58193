# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A time series out of a table of bicycle rides by month."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "45"
TITLE = "Rides by month as a time series"
CATEGORY = "chart"
OUTPUTS = ["45.png"]
STRENGTH = "partial"
NOTE = "Any column of the table will do, by kind of rider or put together, in any unit, over at least twelve months in order. What else is drawn (trend, seasons, forecast) is not judged."


def check(case: Case) -> None:
    from runner.checks.charts import dates, figures, unnoted

    figure = figures.read(case, "45.png")
    wanted, months = series_of(case)
    if figure.note is None:
        unnoted.expect_marks(case, figure, 1, "a series by month")
        return
    names, strange = [], []
    for name, days, shown in dates.dated_series(figure):
        if len(shown) < 12:
            continue
        hits = [n for n, values in wanted if is_proportional(shown, values, days, months)]
        fits = [n for n in hits if dates.may_be_named(name, n, KINDS)]
        names += fits
        if hits and not fits:
            strange.append(name)
    case.expect(
        "a series by month",
        names and not strange,
        "a column of the table over its months, under its kind of rider",
        strange[:3] or names[:3] or "other series",
        "45.png",
        "45.png draws no column of the table over its months, or one under another kind's name.",
    )


KINDS = {"casual": ["casual", "临时", "散客"], "member": ["member", "会员"]}


def series_of(case: Case) -> tuple:
    """(name, values by month) for every column: of each kind of rider, of both, of all rows."""
    from statistics import fmean

    from runner.checks.data import datasets

    rows = datasets.rows_of(tables.source(case.data / "2022-year-tripdata-pivot.xlsx"))
    columns = [name for name in rows[0] if "Average" in name or "Count" in name]
    daily = {
        kind: [name for name in columns if kind in name and not name.startswith("Monthly")]
        for kind in ("Average", "Count")
    }
    measures = {name: [name] for name in columns} | {
        f"days' {kind}": names for kind, names in daily.items()
    }
    kinds = sorted({row["Type_Member"] for row in rows})
    found = []
    for measure, names in measures.items():
        by_kind = {
            kind: [
                fmean(seconds(row[name]) for name in names)
                for row in rows
                if row["Type_Member"] == kind
            ]
            for kind in kinds
        }
        found += [(f"{measure} of {kind}", values) for kind, values in by_kind.items()]
        found.append(
            (f"{measure} of both", [sum(pair) for pair in zip(*by_kind.values(), strict=True)])
        )
        found.append(
            (f"{measure}, all rows", [fmean(seconds(row[name]) for name in names) for row in rows])
        )
    months = sorted({str(row["year_by_month"])[:6] for row in rows})
    return found, months


def seconds(value: object) -> float:
    """A length of time in seconds, or a number as it is."""
    import datetime

    from runner.checks.values import number

    if isinstance(value, datetime.time):
        return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    parts = str(value).split(":")
    if len(parts) == 3:
        return int(parts[0]) * 3600 + int(parts[1]) * 60 + float(parts[2])
    return number(value) or 0.0


def is_proportional(shown: tuple, values: list, days: list, months: list) -> bool:
    """True if `shown` is `values`, or twelve months or more of them in a row, in another unit."""
    import math

    found = [v for v in shown if math.isfinite(v)]
    when = [f"{day.year}{day.month:02}" if day else "" for day in days]
    for start in range(max(1, len(values) - len(found) + 1)):
        part = values[start : start + len(found)]
        if len(found) < 12 or len(part) != len(found) or not sum(part):
            continue
        factor = sum(found) / sum(part)
        own = months[start : start + len(found)]
        if not is_told(when, own) or not is_unit(factor):
            continue
        if max(part) < 1.02 * min(part) or factor <= 0:
            continue
        if all(
            abs(f - factor * p) <= 0.006 * factor * max(part)
            for f, p in zip(found, part, strict=True)
        ):
            return True
    return False


def is_told(when: list, months: list) -> bool:
    """True if the places are the months, counted from nought or one, or named without a year."""
    return not any(when) or when == months


def is_unit(factor: float) -> bool:
    """Seconds as minutes, hours or as they are; shares as percentages."""
    units = (1, 100, 1e-3, 1 / 60, 1 / 3600, 1e9, 1 / 86400, 0.5, 0.01, 2, 1 / 7, 1000)
    return any(abs(factor / unit - 1) < 0.02 for unit in units)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_excel("data/2022-year-tripdata-pivot.xlsx")
print(df.shape)
print(df.iloc[:4, :6])
print(df["year_by_month"].unique())
""",
        """
import matplotlib.pyplot as plt

df["month"] = pd.to_datetime(df["year_by_month"].astype(str), format="%Y%m")
df["minutes"] = pd.to_timedelta(df["Monthly_Total Average of ride_length"].astype(str)).dt.total_seconds() / 60
fig, (top, bottom) = plt.subplots(2, 1, figsize=(11, 9), sharex=True)
for kind, rows in df.groupby("Type_Member"):
    top.plot(rows["month"], rows["minutes"], marker="o", label=kind)
    bottom.plot(rows["month"], rows["Monthly_Total Count of ride_id"], marker="o", label=kind)
top.set_ylabel("average ride, minutes")
bottom.set_ylabel("share of rides")
top.set_title("Rides by month")
top.legend()
fig.savefig("output/45.png")
""",
    ],
    "answer": "Casual riders ride longest in March and June, members about 14 minutes at most, also in June; the casual share of rides peaks in July. The chart is ./output/45.png.",
}
WRONG = {
    "by-weekday": {
        "why": "averages over the year by day of the week, which is no series in time",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/2022-year-tripdata-pivot.xlsx")
columns = [c for c in df.columns if c.endswith("Count of ride_id")]
df[columns].mean().plot.bar()
plt.savefig("output/45.png")
"""
        ],
        "answer": "The time series analysis is saved as ./output/45.png.",
    },
    "month-numbers": {
        "why": "draws the column of months itself",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/2022-year-tripdata-pivot.xlsx")
df[["year_by_month", "Month"]].plot()
plt.savefig("output/45.png")
"""
        ],
        "answer": "The time series analysis is saved as ./output/45.png.",
    },
    "first-months": {
        "why": "draws what the head of the table shows, two months",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/2022-year-tripdata-pivot.xlsx").head()
plt.plot(df["year_by_month"], df["Monthly_Total Count of ride_id"])
plt.savefig("output/45.png")
"""
        ],
        "answer": "The time series analysis is saved as ./output/45.png.",
    },
}
