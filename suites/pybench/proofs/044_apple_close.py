# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: the closing price of a share against the date, with a given title."""

STYLES = {
    "thinned-text-labels": {
        "why": "text dates, every tenth labelled",
        "cells": [
            """
import pandas as pd, matplotlib.pyplot as plt
d = pd.read_csv("data/regress_stocks.csv").query("Ticker == 'AAPL'").reset_index(drop=True)
plt.figure(figsize=(10, 5)); plt.plot(d.index, d.Close); plt.xticks(range(0, len(d), 10), d.Date[::10], rotation=30); plt.title("Stock Price Trend of AAPL"); plt.ylabel("Close"); plt.tight_layout(); plt.savefig("output/44.png")
"""
        ],
        "answer": "The price falls until early March 2023 and then rises to 173.57. ./output/44.png",
    },
    "pandas-plot-text-dates": {
        "why": "pandas plot with the dates as text along the bottom",
        "cells": [
            """
import pandas as pd
d = pd.read_csv("data/regress_stocks.csv")
ax = d[d["Ticker"] == "AAPL"].plot(x="Date", y="Close", figsize=(10, 6), rot=45, grid=True, legend=False, title="Stock Price Trend of AAPL", color="black", drawstyle="steps-post")
ax.set_ylabel("Close"); ax.figure.tight_layout(); ax.figure.savefig("output/44.png", dpi=100)
"""
        ],
        "answer": "从图中看，苹果股价 2—3 月初小幅回落，随后持续上升。图片：./output/44.png",
    },
    "two-lines-cropped": {
        "why": "a black line with dots and its mean, a title, cropped",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
d=pd.read_csv('data/regress_stocks.csv')
a=d[d.Ticker=='AAPL'].copy(); a['Date']=pd.to_datetime(a.Date); a=a.set_index('Date')
ax=a['Close'].plot(figsize=(12,6),color='k',lw=1.2,marker='.',label='Close')
a['Close'].rolling(7).mean().plot(ax=ax,ls='--',label='MA7')
ax.legend(); ax.set_title('Stock Price Trend of AAPL',fontsize=18); ax.set_ylabel('Close (USD)')
plt.savefig('output/44.png',bbox_inches='tight',dpi=150)"""
        ],
        "answer": "AAPL rose over the period.",
    },
    "pandas": {
        "why": "one line by pandas, cropped",
        "edits": {
            """ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
""": "",
            'ax.plot(df["Date"], df["Close"], label="Close")': 'df.set_index("Date")["Close"].plot(ax=ax, color="black")',
            'fig.savefig("output/44.png")': 'fig.savefig("output/44.png", bbox_inches="tight", dpi=150)',
        },
    },
    "dates-as-text": {
        "why": "dates given as text, few of them shown",
        "edits": {
            """ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
""": "",
            'ax.plot(df["Date"], df["Close"], label="Close")': """ax.plot(df["Date"].dt.strftime("%Y-%m-%d"), df["Close"], label="Close")
ax.set_xticks(range(0, len(df), 15))""",
        },
    },
}
NEAR_MISSES = {
    "row-numbers": {
        "why": "against row numbers",
        "edits": {
            'ax.plot(df["Date"], df["Close"], label="Close")': 'ax.plot(df["Close"].to_numpy(), label="Close")',
            """ax.plot(df["Date"], df["Close"].rolling(10).mean(), label="10-day mean")
""": "",
        },
    },
    "names-exchanged": {
        "why": "the two lines under each other's names",
        "edits": {
            'label="Close"': 'label="10-day average"',
            'label="10-day mean"': 'label="Close"',
        },
    },
}
LEFT_OUT = {
    "drop-row": "it hides the moving average, which nobody asked for",
}
