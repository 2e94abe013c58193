"""Columns that a model of a series in time may have been trained on: dates, lags, moving means.

table = timed.features(days, {"Close": closes, "Volume": volumes}, "Close")
table["lag_3"], table["Close_lag3"], table["MA_20"], table["month"], ...
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping, Sequence

LAGS = (*range(1, 15), 20, 21, 30, 60)
WINDOWS = (3, 5, 7, 10, 14, 15, 20, 21, 30, 50, 60, 90, 100, 200)
YEAR_DAYS = 365.25

Series = Sequence[float]


def features(
    days: Sequence[datetime.date], columns: Mapping[str, Series], target: str
) -> dict[str, list[float]]:
    """{name: values} of everything that is usual; what is missing at the start is filled."""
    found = {name: list(values) for name, values in columns.items()}
    found |= dict(date_parts(days))
    for name, values in columns.items():
        found |= dict(past_of(name, values))
    found |= dict(past_of("", columns[target]))
    return found


def date_parts(days: Sequence[datetime.date]) -> Iterator[tuple[str, list[float]]]:
    ordinals = [float(day.toordinal()) for day in days]
    moments = [(o - datetime.date(1970, 1, 1).toordinal()) * 86400.0 for o in ordinals]
    yearly = [float(day.timetuple().tm_yday) for day in days]
    monthly = [float(day.month) for day in days]
    yield from ((name, ordinals) for name in ("date", "date ordinal", "ordinal", "ordinal date"))
    yield from ((name, moments) for name in ("timestamp", "unix", "date timestamp", "date numeric"))
    since = [o - ordinals[0] for o in ordinals]
    yield from ((name, since) for name in ("days", "days since start", "day number", "time days"))
    steps = [float(n) for n in range(len(days))]
    yield from (
        (name, steps) for name in ("index", "time", "t", "time index", "day index", "trend")
    )
    yield "year", [float(day.year) for day in days]
    yield "month", monthly
    yield from ((name, [float(day.day) for day in days]) for name in ("day", "day of month"))
    yield from ((name, yearly) for name in ("day of year", "doy", "dayyear", "yearday"))
    week_days = [float(day.weekday()) for day in days]
    yield from ((name, week_days) for name in ("weekday", "day of week", "dow"))
    weeks = [float(day.isocalendar().week) for day in days]
    yield from ((name, weeks) for name in ("week", "week of year"))
    yield "quarter", [float((day.month - 1) // 3 + 1) for day in days]
    for name, values, length in (("doy", yearly, YEAR_DAYS), ("month", monthly, 12.0)):
        for wave, function in (("sin", math.sin), ("cos", math.cos)):
            turned = [function(2 * math.pi * v / length) for v in values]
            yield from ((label, turned) for label in (f"{name} {wave}", f"{wave} {name}"))
            if name == "doy":
                more = (wave, f"{wave} day", f"day {wave}", f"day of year {wave}", f"{wave}1")
                yield from ((label, turned) for label in (*more, f"{wave} day of year"))


def past_of(name: str, values: Series) -> Iterator[tuple[str, list[float]]]:
    """Values of earlier days and means of the last ones, under their usual names."""
    for lag in LAGS:
        before = [values[0]] * lag + list(values[:-lag])
        for form in ("{n} lag {k}", "lag {k} {n}", "{n} t-{k}", "{n} minus {k}", "{n} prev {k}"):
            yield form.format(n=name, k=lag).strip(), before
    before = [values[0], *values[:-1]]
    for form in ("{n} lag", "prev {n}", "previous {n}", "{n} prev", "yesterday {n}"):
        yield form.format(n=name).strip(), before
    sums = [0.0]
    for value in values:
        sums.append(sums[-1] + value)
    for size in WINDOWS:
        means = [(sums[n] - sums[max(0, n - size)]) / min(n, size) for n in range(1, len(sums))]
        forms = ("{n} ma {k}", "ma {k} {n}", "{n} sma {k}", "sma {k} {n}", "{n} rolling mean {k}")
        for form in (*forms, "{n} roll {k}", "{n} rolling {k}", "{n} {k} day ma", "{n} mean {k}"):
            yield form.format(n=name, k=size).strip(), means


def windows(values: Series, width: int) -> list[list[float]]:
    """Rows of `width` values one after the other, oldest first; as many as `values`."""
    padded = [values[0]] * width + list(values)
    return [padded[n : n + width] for n in range(len(values))]
