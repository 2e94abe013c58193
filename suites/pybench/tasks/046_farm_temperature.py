# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A forecast of a farm's temperature, drawn with what was measured."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "46"
TITLE = "农场气温预测图"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["46.png"]
STRENGTH = "partial"
NOTE = "What was measured (highest, lowest or mean of the day, or of weeks, months or years) must be drawn, days not further apart than a month, and at least three values beyond the last day that are possible temperatures and begin within a year. The quality of the forecast is not judged."

MOST_APART = 32  # days between two measured ones that are drawn
MOST_AHEAD = 370  # days from the last measured one to the first of a forecast
COLUMNS = ["MaxT", "MinT"]
AHEAD = (
    "forecast|predict|future|预测|预报|预计|未来|arima|prophet|regress|holt|model|trend|模型|趋势"
)
PAST = "max|min|mean|avg|temp|温|历史|实|观测|actual|observ|measur|hist|train|test|real|data|数据|past|rolling|month|year|平均|最高|最低"


def check(case: Case) -> None:
    from runner.checks.charts import figures, unnoted

    figure = figures.read(case, "46.png")
    days, measured = readings(case)
    if figure.note is None:
        unnoted.expect_marks(case, figure, 1, "the measured temperatures")
        return
    lines = [(name, line) for name, line in drawn_series(figure, days)]
    past = [line for name, line in lines if is_measured(line, days, measured) and tells(name, PAST)]
    case.expect(
        "measured temperatures",
        past,
        "a line of what was measured",
        f"{len(past)} of {len(lines)} lines",
        "46.png",
        "46.png draws no line of the temperatures that were measured.",
    )
    low, high = min(measured["MinT"]) - 8, max(measured["MaxT"]) + 8
    beyond = []
    for name, line in lines:
        if not tells(name, AHEAD):
            continue
        ahead = [y for x, y in zip(line.x, line.y, strict=True) if x > days[-1] and y == y]
        first = min((x for x in line.x if x > days[-1]), default=days[-1])
        is_next = first - days[-1] <= MOST_AHEAD
        if len(ahead) >= 3 and is_next and all(low <= y <= high for y in ahead):
            beyond.append(len(ahead))
    case.expect(
        "a forecast",
        beyond,
        "at least three possible temperatures after the last day",
        f"{max(beyond, default=0)} values",
        "46.png",
        "46.png draws no possible temperatures after the last day that was measured.",
    )


def drawn_series(figure: object, days: list) -> list:
    """(name that a reader sees, line) of each; days counted from nought or one become dates."""
    from dataclasses import replace

    from runner.checks.charts import shown_names
    from runner.checks.charts.figure_note import Line, Points

    found = []
    for axes in figure.panels:
        names = shown_names.names_of(figure, axes)
        artists = shown_names.artists_of(axes)
        kept = [
            (names.get(n, ""), one)
            for n, one in enumerate(artists)
            if isinstance(one, Line | Points)
        ]
        first = min((x for _, one in kept for x in one.x if x == x), default=0)
        shift = days[0] - first if first in (0, 1) and not axes.x.units else 0
        for name, one in kept:
            places = tuple(x + shift for x in one.x)
            if "Period" in axes.x.units:
                days_at = [shown_names.period(x, axes.x.units.partition(" ")[2]) for x in one.x]
                places = tuple((day - shown_names.EPOCH).days if day else -1 for day in days_at)
            found.append((name, replace(one, x=places)))
    return found


def tells(name: str, words: str) -> bool:
    """True if a line has no name, or one that says what it is rather than the other."""
    import re

    if not name:
        return True
    ahead, past = (bool(re.search(one, name)) for one in (AHEAD, PAST))
    return (
        ahead
        if words is AHEAD
        else past and (not ahead or bool(re.search("实|actual|measur|observ|历史|hist", name)))
    )


def readings(case: Case) -> tuple:
    """Days since 1970 and {series: values}."""
    import datetime

    source = tables.source(case.data / "Farm_Weather_Data.xlsx")
    days = [(moment.date() - datetime.date(1970, 1, 1)).days for moment in source.column("Date")]
    values = {name: [float(v) for v in source.column(name)] for name in COLUMNS}
    values["mean"] = [(a + b) / 2 for a, b in zip(values["MaxT"], values["MinT"], strict=True)]
    return days, values


def is_measured(line: object, days: list, measured: dict) -> bool:
    """True if a line goes through a series' values, day by day or averaged over longer times."""
    import numpy as np

    x, y = np.asarray(line.x), np.asarray(line.y)
    x, y = x[np.isfinite(y)], y[np.isfinite(y)]
    inside = (x >= days[0] - 31) & (x <= days[-1] + 31)
    x, y = x[inside], y[inside]
    if len(x) < 8:
        return False
    at, is_daily = np.asarray(days), float(np.median(np.diff(np.sort(x)))) <= MOST_APART
    for values in measured.values():
        values = np.asarray(values)
        by_day = dict(zip(days, values.tolist(), strict=True))
        hits = [
            abs(by_day.get(int(place), 1e9) - shown) < 0.02
            for place, shown in zip(x, y, strict=True)
        ]
        if is_daily and np.mean(hits) > 0.9:
            return True
        if len(x) <= len(days) / 5 and np.ptp(values) and is_averaged(x, y, at, values):
            return True
    return False


def is_averaged(x: object, y: object, days: object, values: object) -> bool:
    """True if each point is a mean over one of the times (weeks, months, years) around it."""
    import numpy as np

    step = float(np.median(np.diff(np.sort(x)))) if len(x) > 1 else 0.0
    if not 5 <= step <= 400:
        return False
    middle = []
    for place in x:
        offered = []
        for start in (place, place - step + 1, place - step / 2):
            window = values[(days >= start - 0.5) & (days < start + step - 0.5)]
            if len(window):
                offered.append(float(window.mean()))
        middle.append(offered)
    close = [
        any(abs(o - shown) < 0.35 for o in offered)
        for offered, shown in zip(middle, y, strict=True)
    ]
    return float(np.mean(close)) > 0.9 and float(np.std(y)) > 0.05


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
df.columns = df.columns.str.strip()
print(df.describe())
print(df["Date"].min(), df["Date"].max())
""",
        """
import numpy as np
import matplotlib.pyplot as plt
from sklearn.linear_model import LinearRegression

def features(dates):
    day = dates.dayofyear.to_numpy()
    years = (dates - pd.Timestamp("2006-01-01")).days.to_numpy() / 365.25
    waves = [f(2 * np.pi * k * day / 365.25) for k in (1, 2) for f in (np.sin, np.cos)]
    return np.column_stack([years, *waves])

dates = pd.DatetimeIndex(df["Date"])
future = pd.date_range(dates[-1] + pd.Timedelta(days=1), periods=365)
forecast = LinearRegression().fit(features(dates), df["MaxT"]).predict(features(future))
print(pd.Series(forecast, future).resample("MS").mean())
fig, ax = plt.subplots(figsize=(13, 6))
ax.plot(dates, df["MaxT"], lw=0.6, label="measured MaxT")
ax.plot(future, forecast, color="red", label="forecast")
ax.set_title("MaxT with a forecast of one year")
ax.legend()
fig.savefig("output/46.png")
""",
    ],
    "answer": "用季节项加趋势的回归预测了未来一年的最高气温，历史与预测一起画在 ./output/46.png。",
}
WRONG = {
    "no-forecast": {
        "why": "draws what was measured and predicts nothing",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
plt.plot(df["Date"], df["MaxT"])
plt.plot(df["Date"], df["MaxT"].rolling(30).mean())
plt.savefig("output/46.png")
"""
        ],
        "answer": "气温预测图保存在 ./output/46.png。",
    },
    "test-set-only": {
        "why": "predicts days that were measured instead of future ones",
        "cells": [
            """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from sklearn.linear_model import LinearRegression

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
x = np.arange(len(df)).reshape(-1, 1)
model = LinearRegression().fit(x[:5000], df["MaxT"][:5000])
plt.plot(df["Date"], df["MaxT"])
plt.plot(df["Date"][5000:], model.predict(x[5000:]))
plt.savefig("output/46.png")
"""
        ],
        "answer": "气温预测图保存在 ./output/46.png。",
    },
    "runaway": {
        "why": "extends the curve by a polynomial that leaves the earth",
        "cells": [
            """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
x = np.arange(len(df)) / 1000
fit = np.polyfit(x, df["MaxT"], 9)
ahead = pd.date_range(df["Date"].iloc[-1], periods=1500)[1:]
plt.plot(df["Date"], df["MaxT"])
plt.plot(ahead, np.polyval(fit, (len(df) + np.arange(1, 1500)) / 1000))
plt.savefig("output/46.png")
"""
        ],
        "answer": "气温预测图保存在 ./output/46.png。",
    },
    "wind-instead": {
        "why": "draws and extends the speed of the wind",
        "cells": [
            """
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_excel("data/Farm_Weather_Data.xlsx")
ahead = pd.date_range(df["Date"].iloc[-1], periods=100)
plt.plot(df["Date"], df["WindSpeed"])
plt.plot(ahead, df["WindSpeed"].tail(100))
plt.savefig("output/46.png")
"""
        ],
        "answer": "气温预测图保存在 ./output/46.png。",
    },
}
