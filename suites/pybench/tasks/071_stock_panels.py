"""Closing prices over time and their yearly means, in two plots of one figure."""

from runner.checks import Case, figures, marks, series

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
    figures.require_note(case, figure)
    case.expect(
        "two plots",
        len(figure.panels) == 2,
        2,
        len(figure.panels),
        "71.png",
        f"71.png holds {len(figure.panels)} plots, two are asked for.",
    )
    marks.expect_line(case, figure, list(frame["Close"]), 0.005, "closing prices over time")
    series.expect_bar_values(
        case, figure, {str(y): v for y, v in years.items()}, 0.01, "mean of each year"
    )


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
