# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The closing price of a share against the date, with a given title."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "44"
TITLE = "A share's closing price over time"
CATEGORY = "chart"
OUTPUTS = ["44.png"]
STRENGTH = "partial"
NOTE = "The table holds four shares; the asked title names the one to draw. Further lines, such as a moving average or a trend, may be drawn beside the closing price. What the answer says of the trend is not looked at."

HEADING = "Stock Price Trend of AAPL"


def check(case: Case) -> None:
    from runner.checks.charts import dates, figures, unnoted
    from runner.checks.data import datasets

    rows = datasets.rows_of(tables.source(case.data / "regress_stocks.csv"))
    own = [row for row in rows if row["Ticker"] == "AAPL"]
    closes = [float(row["Close"]) for row in own]
    days = [str(row["Date"])[:10] for row in own]
    figure = figures.read(case, "44.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 1, "the line of closing prices")
        return
    figures.expect_title_words(case, figure, [HEADING])
    dates.expect_dated_line(
        case, figure, days, closes, 0.002, words=["close", "price", "收盘", "aapl", "apple"]
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/regress_stocks.csv", parse_dates=["Date"])
print(df.shape, df["Ticker"].unique())
df = df[df["Ticker"] == "AAPL"]
print(df[["Date", "Close"]].iloc[[0, -1]])
""",
        """
import matplotlib.pyplot as plt

df = df.sort_values("Date")
fig, ax = plt.subplots(figsize=(12, 6))
ax.plot(df["Date"], df["Close"], label="Close")
ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
ax.set_title("Stock Price Trend of AAPL")
ax.set_xlabel("Date")
ax.set_ylabel("Close")
ax.legend()
fig.savefig("output/44.png")
""",
    ],
    "answer": "AAPL's closing price rose over the period, from about 155 to about 173; the chart is saved as ./output/44.png.",
}
WRONG = {
    "four-shares-in-one-line": {
        "why": "draws the whole column, four shares one after the other",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/regress_stocks.csv", parse_dates=["Date"])
plt.plot(df["Date"], df["Close"])
plt.title("Stock Price Trend of AAPL")
plt.savefig("output/44.png")
"""
        ],
        "answer": "The chart is saved as ./output/44.png.",
    },
    "opening-prices": {
        "why": "draws another column",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/regress_stocks.csv", parse_dates=["Date"])
df = df[df["Ticker"] == "AAPL"]
plt.plot(df["Date"], df["Open"])
plt.title("Stock Price Trend of AAPL")
plt.savefig("output/44.png")
"""
        ],
        "answer": "The chart is saved as ./output/44.png.",
    },
    "other-title": {
        "why": "draws the right line under a title of its own",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/regress_stocks.csv", parse_dates=["Date"])
df = df[df["Ticker"] == "AAPL"]
plt.plot(df["Date"], df["Close"])
plt.title("AAPL closing price")
plt.savefig("output/44.png")
"""
        ],
        "answer": "The chart is saved as ./output/44.png.",
    },
    "mean-only": {
        "why": "draws the moving average instead of the price",
        "cells": [
            """
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/regress_stocks.csv", parse_dates=["Date"])
df = df[df["Ticker"] == "AAPL"]
plt.plot(df["Date"], df["Close"].rolling(20).mean())
plt.title("Stock Price Trend of AAPL")
plt.savefig("output/44.png")
"""
        ],
        "answer": "The trend is saved as ./output/44.png.",
    },
}
