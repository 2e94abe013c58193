# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Largest drawdown of a fund from a European price file with corrections; the answer is all."""

import random
from datetime import date, timedelta
from pathlib import Path

from runner.checks import Case

TITLE = "The worst fall of a fund"
CATEGORY = "chart"
QUERY = """
./data/kurse.csv holds the daily closing prices of the fund «fund» (German export: semicolons, decimal commas, dates as day.month.year, not sorted). Where a day occurs more than once, the line marked “korr.” replaces the other; days marked “Feiertag” have no price.

What was the maximum drawdown, that is the largest fall in percent from a closing price to a later closing price? I need no file. Please end with an answer of exactly these three lines:

Maximum drawdown: <percentage with two decimals> %
Peak: <YYYY-MM-DD>
Trough: <YYYY-MM-DD>
"""
INPUTS = ["kurse.csv"]
OUTPUTS = []

FUNDS = ["Nordlicht", "Alpenrose", "Seewind", "Kompass"]


def written(value: float) -> str:
    return f"{value:,.2f}".replace(",", "\0").replace(".", ",").replace("\0", ".")


def make_prices(rng: random.Random) -> dict[date, float]:
    day, price = date(2024, 10, 1), rng.uniform(900, 1_150)
    fall_starts = rng.randrange(110, 180)
    prices = {}
    for number in range(260):
        day += timedelta(days=3 if day.weekday() == 4 else 1)
        drift = 0.004 if number < fall_starts else -0.009 if number < fall_starts + 22 else 0.0005
        price *= 1 + drift + rng.gauss(0, 0.006)
        prices[day] = round(price, 2)
    return prices


def drawdown(prices: dict[date, float]) -> tuple[float, date, date]:
    """Fall in percent, day of the peak, day of the trough."""
    peak, worst = min(prices), (0.0, min(prices), min(prices))
    for day in sorted(prices):
        if prices[day] > prices[peak]:
            peak = day
        fall = 100 * (1 - prices[day] / prices[peak])
        worst = max(worst, (fall, peak, day), key=lambda found: found[0])
    return worst


def is_telling(prices: dict[date, float], fall: float, peak: date, trough: date) -> bool:
    """True if the fall is no whole number, and its days have one reading and one price each."""
    values = list(prices.values())
    once = values.count(prices[peak]) == values.count(prices[trough]) == 1
    return (
        once
        and abs(fall - round(fall)) > 0.05
        and peak.day != peak.month != trough.day != trough.month
    )


def put_in_order(lines: list[str], day: date, *, is_corrected_last: bool) -> None:
    """Exchange the two lines of `day` where they are in the other order."""
    one, other = (i for i, line in enumerate(lines) if line.startswith(f"{day:%d.%m.%Y};"))
    if lines[other].endswith("korr.") is not is_corrected_last:
        lines[one], lines[other] = lines[other], lines[one]


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    while True:
        prices = make_prices(rng)
        fall, peak, trough = drawdown(prices)
        if is_telling(prices, fall, peak, trough):
            break
    days = sorted(prices)
    lines = [f"{day:%d.%m.%Y};{written(price)};" for day, price in prices.items()]
    corrected = {trough: 0.82, peak: 1.13, **dict.fromkeys(rng.sample(days[5:-5], 4), 0.7)}
    for day, factor in corrected.items():
        lines.remove(f"{day:%d.%m.%Y};{written(prices[day])};")
        lines.append(f"{day:%d.%m.%Y};{written(prices[day] * factor)};")
        lines.append(f"{day:%d.%m.%Y};{written(prices[day])};korr.")
    for day in (date(2024, 12, 25), date(2025, 1, 1)):
        lines = [line for line in lines if not line.startswith(f"{day:%d.%m.%Y}")]
        lines.append(f"{day:%d.%m.%Y};0,00;Feiertag")
    rng.shuffle(lines)
    # Whoever keeps the first line of a day errs at the peak, whoever keeps the last at the trough.
    put_in_order(lines, peak, is_corrected_last=True)
    put_in_order(lines, trough, is_corrected_last=False)
    text = "\r\n".join(["Datum;Schlusskurs;Bemerkung", *lines]) + "\r\n"
    (data / "kurse.csv").write_bytes(text.encode("cp1252"))
    return {"fund": rng.choice(FUNDS)}


def read_prices(path: Path) -> dict[date, float]:
    plain, corrected = {}, {}
    for line in path.read_bytes().decode("cp1252").splitlines()[1:]:
        text, price, remark = line.split(";")
        day, month, year = map(int, text.split("."))
        if remark != "Feiertag":
            target = corrected if remark == "korr." else plain
            target[date(year, month, day)] = float(price.replace(".", "").replace(",", "."))
    return {**plain, **corrected}


def check(case: Case) -> None:
    from runner.checks.text import answers

    fall, peak, trough = drawdown(read_prices(case.data / "kurse.csv"))
    answers.number_near(case, ["drawdown"], fall, 0.0101, either_sign=True)
    answers.date_near(case, ["peak"], peak.isoformat())
    answers.date_near(case, ["trough"], trough.isoformat())


REFERENCE = {
    "cells": [
        r"""
import pandas as pd

df = pd.read_csv("data/kurse.csv", sep=";", decimal=",", thousands=".", encoding="cp1252", dtype={"Datum": str})
print(df.head(10), df.shape)
print(df["Bemerkung"].value_counts(dropna=False))
print(df[df["Datum"].duplicated(keep=False)].sort_values("Datum"))
""",
        r"""
df["day"] = pd.to_datetime(df["Datum"], format="%d.%m.%Y")
df = df[df["Bemerkung"] != "Feiertag"].copy()
df["fixed"] = (df["Bemerkung"] == "korr.").astype(int)
price = df.sort_values(["day", "fixed"]).groupby("day")["Schlusskurs"].last()
fall = 1 - price / price.cummax()
trough = fall.idxmax()
peak = price[:trough].idxmax()
print(f"fall: {100 * fall.max():.2f}")
print(f"peak: {peak:%Y-%m-%d}")
print(f"trough: {trough:%Y-%m-%d}")
""",
    ],
    "answer": "Maximum drawdown: «fall» %\nPeak: «peak»\nTrough: «trough»",
}
WRONG = {
    "corrections-ignored": {
        "why": "keeps the first line of a day, corrected or not",
        "cells": [
            r"""
import pandas as pd

df = pd.read_csv("data/kurse.csv", sep=";", decimal=",", thousands=".", encoding="cp1252", dtype={"Datum": str})
df["day"] = pd.to_datetime(df["Datum"], format="%d.%m.%Y")
df = df[df["Bemerkung"] != "Feiertag"].drop_duplicates("day")
price = df.groupby("day")["Schlusskurs"].first().sort_index()
fall = 1 - price / price.cummax()
trough = fall.idxmax()
peak = price[:trough].idxmax()
print(f"fall: {100 * fall.max():.2f}")
print(f"peak: {peak:%Y-%m-%d}")
print(f"trough: {trough:%Y-%m-%d}")
"""
        ],
        "answer": "Maximum drawdown: «fall» %\nPeak: «peak»\nTrough: «trough»",
    },
    "holidays-as-zero": {
        "why": "takes the 0,00 of a holiday for a price",
        "cells": [
            r"""
import pandas as pd

df = pd.read_csv("data/kurse.csv", sep=";", decimal=",", thousands=".", encoding="cp1252", dtype={"Datum": str})
df["day"] = pd.to_datetime(df["Datum"], format="%d.%m.%Y")
df["fixed"] = (df["Bemerkung"] == "korr.").astype(int)
price = df.sort_values(["day", "fixed"]).groupby("day")["Schlusskurs"].last()
fall = 1 - price / price.cummax()
trough = fall.idxmax()
peak = price[:trough].idxmax()
print(f"fall: {100 * fall.max():.2f}")
print(f"peak: {peak:%Y-%m-%d}")
print(f"trough: {trough:%Y-%m-%d}")
"""
        ],
        "answer": "Maximum drawdown: «fall» %\nPeak: «peak»\nTrough: «trough»",
    },
    "highest-to-lowest": {
        "why": "compares the year's highest with its lowest price, whatever their order",
        "cells": [
            r"""
import pandas as pd

df = pd.read_csv("data/kurse.csv", sep=";", decimal=",", thousands=".", encoding="cp1252", dtype={"Datum": str})
df["day"] = pd.to_datetime(df["Datum"], format="%d.%m.%Y")
df = df[df["Bemerkung"] != "Feiertag"].copy()
df["fixed"] = (df["Bemerkung"] == "korr.").astype(int)
price = df.sort_values(["day", "fixed"]).groupby("day")["Schlusskurs"].last()
peak, trough = price.idxmax(), price.idxmin()
print(f"fall: {100 * (1 - price.min() / price.max()):.2f}")
print(f"peak: {peak:%Y-%m-%d}")
print(f"trough: {trough:%Y-%m-%d}")
"""
        ],
        "answer": "Maximum drawdown: «fall» %\nPeak: «peak»\nTrough: «trough»",
    },
}
