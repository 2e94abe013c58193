# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Hold or sell: one of two words, and what the prices say."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "37"
TITLE = "谷歌股票：持有还是出售"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
STRENGTH = "partial"
NOTE = "One of the two words is asked for, so a bare word passes, and either advice does; the answer must end on one of the two. Where it gives figures, one at least must be one of the latest prices, or their mean, high, low or change. Whether the advice follows from them is not judged."
GUESSABLE = "One of two words is asked for, and nothing else: a coin's toss passes."

SHARES = 10_000
STATES = r"(目前|现在|当前|手中|您|你|我|用户|已经|已|所|共)\s*持有|持有\s*的?\s*(这)?\s*1?0?,?000|持有\s*(google|谷歌|股票|的股)"
NEGATED = r"(不建议|不推荐|不宜|不应该?|不要|不必|无需|无须|没有必要|而非|而不是|不是|暂不|勿|避免|不急于|rather than|not|instead of)\s*(立即|急于|马上|现在|继续|to\s)?\s*(持有|出售|卖出|hold|sell)"


def check(case: Case) -> None:
    import re

    from runner.checks.text import answers, labelled_values

    text = answers.folded(case.answer)
    labelled_values.require_answer(case)
    stance = stance_of(text)
    case.expect(
        "one advice",
        stance,
        "持有 or 出售",
        stance or "none, or both",
        "",
        "The answer does not end on one of “持有” and “出售”.",
    )
    facts = recent_facts(case)
    said = [f.value for f in answers.numbers_in(text)]
    told = [
        name
        for name, (value, off) in facts.items()
        if any(abs(abs(n) - abs(value)) <= off for n in said)
    ]
    asked = {f.value for f in answers.numbers_in(answers.folded(case.query))}
    windows = {  # a number of days, as of a moving average, is no price
        f.value
        for f in answers.numbers_in(text)
        if re.match(r"\s*-?(?:个?交易)?(?:日|天|days?\b)", text[f.end :])
    }
    said = [n for n in said if n not in asked | windows]
    case.expect(
        "figures of the latest prices",
        told or not said,
        "none, or such as the last price " + f"{facts['last close'][0]:.2f}",
        ", ".join(told[:4]) or "others",
        "",
        "The answer gives figures, and none that the latest prices of the table bear out.",
    )


def stance_of(text: str) -> str:
    """The advice that the last telling sentence gives; "" when it gives none or both."""
    import re

    text = re.sub(NEGATED, "", re.sub(STATES, "", text))
    words = {"持有": "持有", "hold": "持有", "出售": "出售", "卖出": "出售", "sell": "出售"}
    for part in reversed(re.split(r"[\n。;；!！?？]+", text)):
        found = {words[w] for w in words if w in part}
        if found:
            return found.pop() if len(found) == 1 else ""
    return ""


def recent_facts(case: Case) -> dict:
    """Figures of the last year and a bit, with how far off each may be."""
    from statistics import fmean

    from runner.checks.data import datasets

    rows = datasets.rows_of(tables.source(case.data / "Google.csv"))
    closes, adjusted, lows, highs = (
        [float(row[name]) for row in rows] for name in ("Close", "Adj Close", "Low", "High")
    )
    last = closes[-1]
    facts = {
        "last close": last,
        "last adjusted close": adjusted[-1],
        "last low": lows[-1],
        "last high": highs[-1],
        "highest close": max(closes),
        "highest price": max(highs),
        "value": last * SHARES,
        "value in ten thousands": last * SHARES / 1e4,
        "close before": closes[-2],
    }
    for days in (
        5,
        7,
        10,
        14,
        15,
        20,
        21,
        22,
        30,
        50,
        60,
        63,
        90,
        100,
        120,
        126,
        150,
        180,
        200,
        250,
        252,
        365,
        500,
    ):
        recent = closes[-days:]
        facts |= {
            f"mean of {days}": fmean(recent),
            f"highest of {days}": max(recent),
            f"lowest of {days}": min(recent),
        }
        facts |= {
            f"high of {days}": max(highs[-days:]),
            f"low of {days}": min(lows[-days:]),
            f"close {days} ago": closes[-days],
            f"close {days} days ago": closes[-days - 1],
        }
    near = {name: (value, 0.0006 * value) for name, value in facts.items()}
    changes = {
        f"change since the close of {days} ago": 100 * (last / closes[-back] - 1)
        for days in (5, 20, 21, 22, 30, 60, 63, 90, 120, 126, 180, 200, 250, 252, 365)
        for back in (days, days + 1)
    }
    changes |= {
        "off the high": 100 * (last / max(highs) - 1),
        "off the highest close": 100 * (last / max(closes) - 1),
    }
    return near | {name: (value, 0.0501) for name, value in changes.items() if abs(value) >= 1}


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Google.csv", parse_dates=["Date"])
print(df.shape)
print(df.tail())
""",
        """
close = df["Close"]
print(f"last: {close.iloc[-1]:.2f}")
print(f"ma50: {close.tail(50).mean():.2f}")
print(f"ma200: {close.tail(200).mean():.2f}")
print(f"high: {close.max():.2f}")
print(f"fall: {100 * (1 - close.iloc[-1] / close.max()):.1f}")
print(f"value: {close.iloc[-1] * 10000:,.0f}")
""",
    ],
    "answer": "最新收盘价为 «last» 美元，10000 股约值 «value» 美元；50 日均线 «ma50»、200 日均线 «ma200»，股价低于两条均线，较最高收盘价 «high» 回落 «fall»%，但长期趋势仍然向上，建议不在低位卖出。\n\n最终答案：持有",
}
WRONG = {
    "neither-word": {
        "why": "gives an advice that is neither of the two words",
        "cells": [],
        "answer": "建议逢低加仓，再买入一些。",
    },
    "undecided": {
        "why": "looks at the prices and gives both words",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Google.csv")
print(f"last: {df['Close'].iloc[-1]:.2f}")
"""
        ],
        "answer": "最新收盘价为 «last» 美元。长期投资者可以选择持有，短期投资者可以选择出售。",
    },
    "first-prices": {
        "why": "takes the first rows, of 2004, for the latest",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Google.csv")
print(f"last: {df['Close'].iloc[0]:.2f}")
print(f"value: {df['Close'].iloc[0] * 10000:.0f}")
"""
        ],
        "answer": "当前股价为 «last» 美元，10000 股价值 «value» 美元。最终答案：出售",
    },
}
