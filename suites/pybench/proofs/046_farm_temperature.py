# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: measured temperatures with a forecast."""

STYLES = {
    "pandas-monthly-plot": {
        "why": "monthly means plotted by pandas, seasonal means as forecast",
        "cells": [
            """
import pandas as pd, matplotlib.pyplot as plt
d = pd.read_excel("data/Farm_Weather_Data.xlsx").set_index("Date"); m = ((d.MaxT + d.MinT)/2).resample("MS").mean(); f = pd.Series({m.index[-1] + pd.DateOffset(months=k): m[m.index.month == (m.index[-1] + pd.DateOffset(months=k)).month].tail(5).mean() for k in range(1, 13)}); f.index.freq = "MS"
ax = m.plot(figsize=(12, 5), label="monthly mean"); f.plot(ax=ax, color="red", ls="--", label="forecast"); ax.legend(); ax.figure.savefig("output/46.png"); print(f.round(1)); print(f"lo: {f.min():.1f}"); print(f"hi: {f.max():.1f}")
"""
        ],
        "answer": "用近五年同月平均值预测未来 12 个月的月均气温：最低 «lo»℃，最高 «hi»℃。图：./output/46.png",
    },
    "holt-winters-weekly": {
        "why": "weekly means of the highest temperature, exponential smoothing, last years shown only",
        "cells": [
            """
import pandas as pd, matplotlib.pyplot as plt, warnings; warnings.filterwarnings("ignore")
from statsmodels.tsa.holtwinters import ExponentialSmoothing
d = pd.read_excel("data/Farm_Weather_Data.xlsx").set_index("Date").sort_index()
w = d["MaxT"].resample("W").mean().interpolate()
h = ExponentialSmoothing(w, seasonal="add", seasonal_periods=52, initialization_method="estimated").fit()
f = h.forecast(52)
fig, ax = plt.subplots(figsize=(13, 5)); w["2019":].plot(ax=ax, label="observed"); f.plot(ax=ax, style="r--", label="forecast")
ax.legend(); ax.set_title("Weekly mean of daily maximum temperature and one-year forecast"); ax.set_ylabel("°C"); fig.savefig("output/46.png")
print(w.index[-1], f.describe())
"""
        ],
        "answer": "已用 Holt-Winters（周数据，52 周季节）预测未来一年的最高气温，图片保存到 ./output/46.png。",
    },
    "by-month": {
        "why": "means of the months and of the months to come",
        "edits": {
            'ax.plot(dates, df["MaxT"], lw=0.6, label="measured MaxT")': 'months = df.set_index("Date")["MaxT"].resample("MS").mean()\nax.plot(months.index, months, label="历史")',
            'ax.plot(future, forecast, color="red", label="forecast")': 'ahead = pd.Series(forecast, future).resample("MS").mean()\nax.plot(ahead.index, ahead, "--", label="预测")',
        },
    },
    "both-temperatures": {
        "why": "highest and lowest temperature, one below the other",
        "edits": {
            "fig, ax = plt.subplots(figsize=(13, 6))": 'fig, (ax, low) = plt.subplots(2, 1, figsize=(12, 9), sharex=True)\nlow.plot(dates, df["MinT"], color="teal", lw=0.6, label="actual MinT")\nlow.plot(future, LinearRegression().fit(features(dates), df["MinT"]).predict(features(future)), color="black", label="predicted MinT")\nlow.legend()',
        },
    },
    "saved-by-opencv": {
        "why": "saved again by OpenCV, thin lines and all",
        "edits": {
            'fig.savefig("output/46.png")': 'fig.savefig("output/46.png", dpi=130)\nimport cv2\ncv2.imwrite("output/46.png", cv2.imread("output/46.png"))',
        },
    },
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "what was measured is called the forecast, and the other way round",
        "edits": {
            'label="measured MaxT"': 'label="@"',
            'label="forecast"': 'label="measured"',
            'label="@"': 'label="forecast"',
        },
    },
    "in-fahrenheit": {
        "why": "a forecast in Fahrenheit beside measures in Celsius",
        "edits": {"ax.plot(future, forecast,": "ax.plot(future, forecast * 1.8 + 32,"},
    },
    "latest-first": {
        "why": "the measures against the days in reverse",
        "edits": {
            'ax.plot(dates, df["MaxT"],': 'ax.plot(dates, df["MaxT"].to_numpy()[::-1],',
        },
    },
}
