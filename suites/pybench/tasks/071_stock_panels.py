# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Closing prices over time and their yearly means, in two plots of one figure."""

from runner.checks import Case
from runner.checks.charts import dates, figures, series, unnoted
from runner.checks.charts.figure_note import Axes

INDEX = "71"
TITLE = "Closing prices over time and by year"
CATEGORY = "chart"
OUTPUTS = ["71.png"]
NOTE = "Cleaning changes nothing in the released table: no row has a blank or stands twice."


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "Google.csv").dropna().drop_duplicates()
    frame["Date"] = pd.to_datetime(frame["Date"])
    frame = frame.sort_values("Date")
    years = frame.groupby(frame["Date"].dt.year)["Close"].mean()
    figure = figures.read(case, "71.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 2, "the closing prices and volumes")
        return
    case.expect(
        "two plots",
        len(figure.panels) == 2,
        2,
        len(figure.panels),
        "71.png",
        f"71.png holds {len(figure.panels)} plots, two are asked for.",
    )
    days = list(frame["Date"].dt.strftime("%Y-%m-%d"))
    dates.expect_dated_line(
        case, figure, days, list(frame["Close"]), words=["clos", "price", "收盘"]
    )
    means = {str(year): float(mean) for year, mean in years.items()}
    bars = [one for axes in figure.panels for one in yearly_bars(axes)]
    series.expect_series(case, figure, "bars of each year's mean", bars, means, 0.01, exact=True)


def yearly_bars(axes: Axes) -> list[dict[str, float]]:
    """The bars of a plot by their years, which may stand at a day of theirs."""
    dated = [
        {str(day.year): value for day, value in zip(days, bars.values, strict=True) if day}
        for bars in axes.bars
        if (days := dates.days_along(axes, (axes.y if bars.lies else axes.x).units, bars))
    ]
    return [*dated, *series.bars_by_label(axes).values()]


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/Google.csv')\nprint(df.shape, df.isna().sum().sum(), df.duplicated().sum())\ndf = df.dropna().drop_duplicates()\ndf['Date'] = pd.to_datetime(df['Date'])\ndf = df.sort_values('Date')\nyearly = df.groupby(df['Date'].dt.year)['Close'].mean()\nprint(yearly)",
        """
import matplotlib.pyplot as plt

fig, (top, bottom) = plt.subplots(2, 1, figsize=(10, 9))
top.plot(df["Date"], df["Close"])
top.set_title("Closing price")
top.set_xlabel("Date")
top.set_ylabel("Price")
bottom.bar(yearly.index.astype(str), yearly.values)
bottom.set_title("Mean closing price by year")
bottom.tick_params(axis="x", rotation=45)
fig.tight_layout()
fig.savefig("output/71.png")
""",
    ],
    "answer": "Both plots are saved in ./output/71.png.",
}
WRONG = {
    "last-of-the-year": {
        "why": "draws the last price of each year, not the mean",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Google.csv', parse_dates=['Date'])\nfig, (a, b) = plt.subplots(1, 2)\na.plot(df['Date'], df['Close'])\n"
            "y = df.groupby(df['Date'].dt.year)['Close'].last()\nb.bar(y.index.astype(str), y.values)\nfig.savefig('output/71.png')"
        ],
        "answer": "Saved in ./output/71.png.",
    },
    "opening-prices": {
        "why": "takes the opening price",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Google.csv', parse_dates=['Date'])\nfig, (a, b) = plt.subplots(1, 2)\na.plot(df['Date'], df['Open'])\n"
            "y = df.groupby(df['Date'].dt.year)['Open'].mean()\nb.bar(y.index.astype(str), y.values)\nfig.savefig('output/71.png')"
        ],
        "answer": "Saved in ./output/71.png.",
    },
    "line-only": {
        "why": "leaves the second plot out",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Google.csv', parse_dates=['Date'])\nplt.plot(df['Date'], df['Close'])\nplt.savefig('output/71.png')"
        ],
        "answer": "Saved in ./output/71.png.",
    },
}
