# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "with-a-preface": {
        "why": "says first how it was found",
        "answer": "I removed the holidays and used the corrected prices.\n\nMaximum drawdown: «fall» %\nPeak: «peak»\nTrough: «trough»",
    },
    "code-block": {
        "why": "the three lines in a code block",
        "answer": "```\nMaximum drawdown: «fall» %\nPeak: «peak»\nTrough: «trough»\n```",
    },
    "loop": {
        "why": "a plain loop over sorted prices",
        "cells": [
            """
import csv
from datetime import datetime
days = {}
for r in csv.DictReader(open('data/kurse.csv', encoding='cp1252', newline=''), delimiter=';'):
    if r['Bemerkung'] == 'Feiertag':
        continue
    d = datetime.strptime(r['Datum'], '%d.%m.%Y').date()
    if d in days and r['Bemerkung'] != 'korr.':
        continue
    days[d] = float(r['Schlusskurs'].replace('.', '').replace(',', '.'))
best = (0, None, None)
top = None
for d in sorted(days):
    if top is None or days[d] > days[top]:
        top = d
    fall = (days[top] - days[d]) / days[top] * 100
    best = max(best, (fall, top, d), key=lambda t: t[0])
print(f'fall: {best[0]:.2f}')
print('peak:', best[1])
print('trough:', best[2])
"""
        ],
        "answer": "Maximum drawdown: «fall» %  \nPeak: «peak»  \nTrough: «trough»",
    },
    "crlf": {
        "why": "a sentence before, blank lines between",
        "answer": "Here is the result:\n\nMaximum drawdown: «fall» %\n\nPeak: «peak»\n\nTrough: «trough»",
    },
    "no-blank": {
        "why": "no blank before the sign",
        "answer": "Maximum drawdown: «fall»%\nPeak: «peak»\nTrough: «trough»",
    },
    "trailing-blank-lines": {
        "why": "with blank lines around",
        "answer": "\n\nMaximum drawdown: «fall» %\nPeak: «peak»\nTrough: «trough»\n\n",
    },
}
NEAR_MISSES = {
    "dates-exchanged": {
        "why": "peak and trough exchanged",
        "answer": "Maximum drawdown: «fall» %\nPeak: «trough»\nTrough: «peak»",
    },
    "fraction": {
        "why": "a fraction, not a percentage",
        "edits": {"{100 * fall.max():.2f}": "{fall.max():.4f}"},
    },
    "of-the-trough": {
        "why": "in per cent of the trough's price",
        "edits": {
            "{100 * fall.max():.2f}": "{100 * (price[peak] / price[trough] - 1):.2f}",
            'print(f"fall:': 'peak = price[:trough].idxmax()\nprint(f"fall:',
        },
    },
    "german-dates": {
        "why": "dates as day.month.year",
        "edits": {"{peak:%Y-%m-%d}": "{peak:%d.%m.%Y}", "{trough:%Y-%m-%d}": "{trough:%d.%m.%Y}"},
    },
    "day-and-month-exchanged": {
        "why": "day and month exchanged in the answer",
        "edits": {"{peak:%Y-%m-%d}": "{peak:%Y-%d-%m}", "{trough:%Y-%m-%d}": "{trough:%Y-%d-%m}"},
    },
    "file-order": {
        "why": "takes the prices in the order of the file",
        "edits": {
            'df.sort_values(["day", "fixed"]).groupby("day")': 'df.sort_values("fixed", kind="stable").groupby("day", sort=False)'
        },
    },
    "one-decimal": {
        "why": "the percentage without decimals",
        "edits": {"{100 * fall.max():.2f}": "{100 * fall.max():.0f}"},
    },
    "a-day-late": {
        "why": "both dates a day late",
        "edits": {
            "{peak:%Y-%m-%d}": "{peak + pd.Timedelta(days=1):%Y-%m-%d}",
            "{trough:%Y-%m-%d}": "{trough + pd.Timedelta(days=1):%Y-%m-%d}",
        },
    },
    "year-wrong": {
        "why": "the years exchanged for the year before",
        "edits": {
            "{peak:%Y-%m-%d}": "{peak - pd.DateOffset(years=1):%Y-%m-%d}",
            "{trough:%Y-%m-%d}": "{trough - pd.DateOffset(years=1):%Y-%m-%d}",
        },
    },
    "in-euros": {
        "why": "the fall in euros",
        "edits": {"{100 * fall.max():.2f}": "{(price.cummax() - price).max():.2f}"},
    },
    "rebound": {
        "why": "the largest rise instead of the largest fall",
        "edits": {"fall = 1 - price / price.cummax()": "fall = price / price.cummin() - 1"},
    },
}
