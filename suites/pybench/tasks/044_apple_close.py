"""The closing price of a share against the date, with a given title."""

from runner.checks import Case, tables

INDEX = "44"
TITLE = "A share's closing price over time"
CATEGORY = "chart"
OUTPUTS = ["44.png"]
NOTE = "The table holds four shares; the asked title names the one to draw. Further lines, such as a moving average or a trend, may be drawn beside the closing price."

HEADING = "Stock Price Trend of AAPL"


def check(case: Case) -> None:
    from runner.checks import figures, frames, marks

    rows = frames.rows_of(tables.source(case.data / "regress_stocks.csv"))
    closes = [float(row["Close"]) for row in rows if row["Ticker"] == "AAPL"]
    figure = figures.read(case, "44.png")
    figures.require_note(case, figure)
    marks.expect_line(case, figure, closes, tolerance=0.002, name="closing prices")
    figures.expect_title_words(case, figure, [HEADING])
    lines = [line for axes in figure.panels for line in axes.lines if line.n == len(closes)]
    forward = any(all(a < b for a, b in zip(line.x, line.x[1:], strict=False)) for line in lines)
    case.expect(
        "in order of date",
        forward,
        "dates from left to right",
        "so" if forward else "not so",
        "44.png",
        "44.png has no line whose dates go from left to right.",
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
