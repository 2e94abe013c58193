# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Closing prices over time and their yearly means, in two plots of one figure."""

from runner.checks import Case
from runner.checks.charts import dates, figures, series, unnoted

INDEX = "71"
TITLE = "Closing prices over time and by year"
CATEGORY = "chart"
OUTPUTS = ["71.png"]
STRENGTH = "partial"
NOTE = "Cleaning changes nothing in the released table: no row has a blank or stands twice. Whether the yearly means are bars, as asked, or a line is not looked at."


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
    expect_years(case, figure, {str(y): float(v) for y, v in years.items()})


def expect_years(case: Case, figure: figures.Figure, means: dict) -> None:
    """Bars, or a line, with each year's mean at that year or at a day of it."""
    found = []
    for _, days, values in dates.dated_series(figure):
        if len(values) == len(means) and all(days):
            found.append({str(day.year): v for day, v in zip(days, values, strict=True)})
    found += [one for axes in figure.panels for one in series.bars_by_label(axes).values()]
    series.expect_series(case, figure, "mean of each year", found, means, 0.01, exact=True)


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
