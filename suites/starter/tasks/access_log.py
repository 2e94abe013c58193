# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Errors by hour and busiest paths from a web server's log with mixed time zones."""

import random
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "Server errors by hour"
CATEGORY = "chart"
QUERY = """
./data/access.log is one day of our web server's log in the usual combined format. Please make a workbook ./output/report.xlsx with two sheets:

- `by_hour`: one row for each hour 0 to 23 in UTC, with the columns `hour`, `requests`, `errors` (status 500 to 599) and `error_rate` (errors divided by requests, as a fraction rounded to four decimals; 0 for an hour without requests).
- `top_paths`: the ten most requested paths with the columns `path` and `requests`, most requested first, ties in alphabetical order. A path ends before the “?”: /shop?page=2 counts as /shop.

Watch out: two servers wrote into this file with different time zone offsets, and some lines are broken or are not requests at all; those that do not fit the format are skipped. Monitoring probes (user agent starting with “probe/”) are not to be counted anywhere.

Tell me in the final answer which UTC hour had the highest error rate (a number from 0 to 23).
"""
INPUTS = ["access.log"]
OUTPUTS = ["report.xlsx"]

PATHS = ["/", "/shop", "/shop/cart", "/about", "/api/items", "/api/login", "/news", "/help",
         "/img/logo.png", "/search", "/contact", "/jobs", "/press", "/api/export"]  # fmt: skip
AGENTS = ["Mozilla/5.0 (X11; Linux x86_64)", "curl/8.5.0", "Mozilla/5.0 (iPhone)", "probe/1.4"]
LINE = re.compile(
    r'\S+ \S+ \S+ \[([^\]]+)\] "[A-Z]+ (\S+) HTTP/[\d.]+" (\d{3}) (?:\d+|-) "[^"]*" "([^"]*)"'
)
OTHER_FIGURE = re.compile(  # a clause on the most errors, or requests, and not on the rate
    r"(?:^|(?<=[;,.\n])|\b(?:but|while|although|though|whereas|and)\b)(?:(?!\brate)[^;,.\n])*?\b(?:most|highest number of) (?:\w+ )?(?:errors|requests)\b"
    r"(?:(?!\brate)[^;,.\n])*(?=[;,.\n]|$)"
)
OFFSET = re.compile(  # of a time zone, in an answer
    r"\b(?:UTC|GMT)[+−-]\d{1,2}(?::?[0-5]\d)?\b|\s?[+−-]\d{1,2}:?[0-5]\d\b"
)
OFFSETS = [timezone(timedelta(0)), timezone(timedelta(hours=5, minutes=30))]


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    day = datetime(2025, rng.randint(1, 12), rng.randint(2, 27), tzinfo=UTC)
    weights = [rng.uniform(0.2, 3) for _ in PATHS]
    entries = requests_of(rng, day, weights)
    while not is_telling(entries):
        entries = requests_of(rng, day, weights)
    lines = [log_line(rng, *entry) for entry in entries]
    for broken in (
        "-- log rotated --",
        '10.0.0.9 - - [bad] "GET',
        "",
        "# server restart",
        '"GET / HTTP/1.1" 500',
    ):
        for _ in range(3):
            lines.insert(rng.randrange(len(lines)), broken)
    (data / "access.log").write_text("\n".join(lines) + "\n")
    return {}


def requests_of(rng: random.Random, day: datetime, weights: list[float]) -> list[tuple]:
    """The day's requests: a quiet hour fails most often, a busy one has more errors in all."""
    shares = {rng.choice([3, 4, 5, 21, 22]): 0.6, 12: 0.3}
    entries = []
    for _ in range(2_400):
        hour = min(23, max(0, round(rng.gauss(13, 5.5))))
        moment = day + timedelta(hours=hour, seconds=rng.randrange(3600))
        path = rng.choices(PATHS, weights)[0]
        if rng.random() < 0.3:
            path += f"?page={rng.randint(1, 9)}"
        share = shares.get(hour, 0.05)
        status = (
            rng.choice([500, 502, 503])
            if rng.random() < share
            else rng.choice([200] * 8 + [301, 404])
        )
        agent = rng.choices(AGENTS, [6, 2, 4, 1.5])[0]
        if agent.startswith("probe/") and rng.random() < 0.5:
            status = 503
        entries.append((moment, path, status, agent))
    return sorted(entries)


def is_telling(entries: list[tuple]) -> bool:
    """True if the hour with the highest error rate is not the one with the most errors."""
    counted_in, failed = [0] * 24, [0] * 24
    for moment, _, status, agent in entries:
        if not agent.startswith("probe/"):
            counted_in[moment.hour] += 1
            failed[moment.hour] += status >= 500
    rates = [f / n if n else 0 for f, n in zip(failed, counted_in, strict=True)]
    worst = rates.index(max(rates))
    return failed[worst] < max(failed) and rates.count(rates[worst]) == 1


def log_line(rng: random.Random, moment: datetime, path: str, status: int, agent: str) -> str:
    stamp = moment.astimezone(rng.choice(OFFSETS)).strftime("%d/%b/%Y:%H:%M:%S %z")
    size = "-" if status == 301 else rng.randrange(200, 90_000)
    address = f"10.{rng.randrange(4)}.{rng.randrange(256)}.{rng.randrange(256)}"
    return f'{address} - - [{stamp}] "GET {path} HTTP/1.1" {status} {size} "-" "{agent}"'


def counted(path: Path) -> tuple[list[int], list[int], dict[str, int]]:
    requests, errors, paths = [0] * 24, [0] * 24, {}
    for line in path.read_text().splitlines():
        match = LINE.fullmatch(line)
        if match is None or match[4].startswith("probe/"):
            continue
        hour = datetime.strptime(match[1], "%d/%b/%Y:%H:%M:%S %z").astimezone(UTC).hour
        requests[hour] += 1
        errors[hour] += match[3].startswith("5")
        name = match[2].partition("?")[0]
        paths[name] = paths.get(name, 0) + 1
    return requests, errors, paths


def check(case: Case) -> None:
    from runner.checks.text import answers

    requests, errors, paths = counted(case.data / "access.log")
    rates = [e / r if r else 0 for r, e in zip(requests, errors, strict=True)]
    by_hour = [
        {"hour": h, "requests": requests[h], "errors": errors[h], "error_rate": rates[h]}
        for h in range(24)
    ]
    table = tables.read(case, "report.xlsx", "by_hour")
    tables.match(case, table, by_hour, tolerance={"error_rate": 0.000051})
    busiest = sorted(paths, key=lambda path: (-paths[path], path))[:10]
    top = [{"path": path, "requests": paths[path]} for path in busiest]
    tables.match(case, tables.read(case, "report.xlsx", "top_paths"), top)
    worst = rates.index(max(rates))
    told = OTHER_FIGURE.sub("", OFFSET.sub("", case.answer))
    case = replace(case, answer=told if re.search(r"\d", told) else case.answer)
    words = ["hour", "error rate", "utc"]
    answers.number_near(case, words, worst, 0, "answer: worst hour", concludes=True)


REFERENCE = {
    "cells": [
        r"""
lines = open("data/access.log").read().splitlines()
print(len(lines), *lines[:6], sep="\n")
""",
        r"""
import re

import pandas as pd

pattern = re.compile(r'\S+ \S+ \S+ \[([^\]]+)\] "[A-Z]+ (\S+) HTTP/[\d.]+" (\d{3}) (?:\d+|-) "[^"]*" "([^"]*)"')
matches = [pattern.fullmatch(line) for line in lines]
print([line for line, match in zip(lines, matches) if not match])
df = pd.DataFrame([m.groups() for m in matches if m], columns=["time", "path", "status", "agent"])
print(df["time"].str[-5:].value_counts())
""",
        r"""
df = df[~df["agent"].str.startswith("probe/")].copy()
df["hour"] = pd.to_datetime(df["time"], format="%d/%b/%Y:%H:%M:%S %z", utc=True).dt.hour
df["error"] = df["status"].str.startswith("5")
hours = df.groupby("hour")["error"].agg(requests="size", errors="sum").reindex(range(24), fill_value=0)
hours["error_rate"] = (hours["errors"] / hours["requests"].where(hours["requests"] > 0)).fillna(0).round(4)
paths = df["path"].str.split("?").str[0].value_counts().rename_axis("path").reset_index(name="requests")
paths = paths.sort_values(["requests", "path"], ascending=[False, True]).head(10)
with pd.ExcelWriter("output/report.xlsx") as book:
    hours.rename_axis("hour").reset_index().to_excel(book, sheet_name="by_hour", index=False)
    paths.to_excel(book, sheet_name="top_paths", index=False)
print(hours, paths)
print(f"worst: {hours['error_rate'].idxmax()}")
""",
    ],
    "answer": "The hour with the highest error rate was hour «worst» (UTC).",
}
WRONG = {
    "offset-ignored": {
        "why": "takes the written hour and ignores the time zone offset",
        "cells": [
            r"""
import re
import pandas as pd

pattern = re.compile(r'\S+ \S+ \S+ \[([^\]]+)\] "[A-Z]+ (\S+) HTTP/[\d.]+" (\d{3}) (?:\d+|-) "[^"]*" "([^"]*)"')
rows = [m.groups() for m in map(pattern.fullmatch, open("data/access.log").read().splitlines()) if m]
df = pd.DataFrame(rows, columns=["time", "path", "status", "agent"])
df = df[~df["agent"].str.startswith("probe/")].copy()
df["hour"] = df["time"].str[12:14].astype(int)
df["error"] = df["status"].str.startswith("5")
hours = df.groupby("hour")["error"].agg(requests="size", errors="sum").reindex(range(24), fill_value=0)
hours["error_rate"] = (hours["errors"] / hours["requests"].clip(lower=1)).round(4)
paths = df["path"].str.split("?").str[0].value_counts().rename_axis("path").reset_index(name="requests")
paths = paths.sort_values(["requests", "path"], ascending=[False, True]).head(10)
with pd.ExcelWriter("output/report.xlsx") as book:
    hours.reset_index().to_excel(book, sheet_name="by_hour", index=False)
    paths.to_excel(book, sheet_name="top_paths", index=False)
print(f"worst: {hours['error_rate'].idxmax()}")
"""
        ],
        "answer": "The hour with the highest error rate was hour «worst» (UTC).",
    },
    "probes-counted": {
        "why": "counts the monitoring probes",
        "cells": [
            r"""
import re
import pandas as pd

pattern = re.compile(r'\S+ \S+ \S+ \[([^\]]+)\] "[A-Z]+ (\S+) HTTP/[\d.]+" (\d{3}) (?:\d+|-) "[^"]*" "([^"]*)"')
rows = [m.groups() for m in map(pattern.fullmatch, open("data/access.log").read().splitlines()) if m]
df = pd.DataFrame(rows, columns=["time", "path", "status", "agent"])
df["hour"] = pd.to_datetime(df["time"], format="%d/%b/%Y:%H:%M:%S %z", utc=True).dt.hour
df["error"] = df["status"].str.startswith("5")
hours = df.groupby("hour")["error"].agg(requests="size", errors="sum").reindex(range(24), fill_value=0)
hours["error_rate"] = (hours["errors"] / hours["requests"].clip(lower=1)).round(4)
paths = df["path"].str.split("?").str[0].value_counts().rename_axis("path").reset_index(name="requests")
paths = paths.sort_values(["requests", "path"], ascending=[False, True]).head(10)
with pd.ExcelWriter("output/report.xlsx") as book:
    hours.reset_index().to_excel(book, sheet_name="by_hour", index=False)
    paths.to_excel(book, sheet_name="top_paths", index=False)
print(f"worst: {hours['error_rate'].idxmax()}")
"""
        ],
        "answer": "The hour with the highest error rate was hour «worst» (UTC).",
    },
    "query-strings-kept": {
        "why": "counts /shop?page=2 and /shop apart",
        "cells": [
            r"""
import re
import pandas as pd

pattern = re.compile(r'\S+ \S+ \S+ \[([^\]]+)\] "[A-Z]+ (\S+) HTTP/[\d.]+" (\d{3}) (?:\d+|-) "[^"]*" "([^"]*)"')
rows = [m.groups() for m in map(pattern.fullmatch, open("data/access.log").read().splitlines()) if m]
df = pd.DataFrame(rows, columns=["time", "path", "status", "agent"])
df = df[~df["agent"].str.startswith("probe/")].copy()
df["hour"] = pd.to_datetime(df["time"], format="%d/%b/%Y:%H:%M:%S %z", utc=True).dt.hour
df["error"] = df["status"].str.startswith("5")
hours = df.groupby("hour")["error"].agg(requests="size", errors="sum").reindex(range(24), fill_value=0)
hours["error_rate"] = (hours["errors"] / hours["requests"].clip(lower=1)).round(4)
paths = df["path"].value_counts().rename_axis("path").reset_index(name="requests")
paths = paths.sort_values(["requests", "path"], ascending=[False, True]).head(10)
with pd.ExcelWriter("output/report.xlsx") as book:
    hours.reset_index().to_excel(book, sheet_name="by_hour", index=False)
    paths.to_excel(book, sheet_name="top_paths", index=False)
print(f"worst: {hours['error_rate'].idxmax()}")
"""
        ],
        "answer": "The hour with the highest error rate was hour «worst» (UTC).",
    },
}
