# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The commonest end of bicycle rides in one month."""

from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

INDEX = "34"
TITLE = "共享单车最热门的终点站"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Rides without an end station do not count; a ride belongs to the month in which it began or ended, and stations that come first by either reading are accepted."

MONTH = "2021-02"


def make_inputs(seed: int, data: Path) -> dict:
    import random

    from runner.checks.inputs import build

    rng = random.Random(seed)
    names = [
        f"{a} & {b}"
        for a in ("Oak St", "Elm Ave", "Lake Rd", "Mill Ln", "Fort St")
        for b in ("1st St", "2nd St", "3rd St")
    ]
    rng.shuffle(names)
    ends = [6, 9, *[2] * (len(names) - 2)]
    head = [
        "ride_id",
        "rideable_type",
        "started_at",
        "ended_at",
        "start_station_name",
        "start_station_id",
        "end_station_name",
        "end_station_id",
        "start_lat",
        "start_lng",
        "end_lat",
        "end_lng",
        "member_casual",
    ]
    rows = []
    for n in range(900):
        start = rng.choices(names, [14, 3, *[2] * (len(names) - 2)])[0]
        end = "" if rng.random() < 0.25 else rng.choices(names, ends)[0]
        day, hour = rng.randint(1, 28), rng.randint(5, 22)
        rows.append(
            [
                f"{n:016X}",
                rng.choice(["classic_bike", "electric_bike"]),
                f"2021-02-{day:02d} {hour:02d}:10:00",
                f"2021-02-{day:02d} {hour:02d}:{rng.randint(12, 59)}:00",
                start,
                names.index(start),
                end,
                names.index(end) if end else "",
                41.9,
                -87.6,
                41.9,
                -87.6,
                rng.choice(["member", "casual"]),
            ]
        )
    build.write_csv(data / "202102-divvy-tripdata.csv", [head, *rows])
    return {}


def check(case: Case) -> None:
    from collections import Counter

    from runner.checks.text import labelled_values

    source = tables.source(case.data / "202102-divvy-tripdata.csv")
    ends = source.column("end_station_name")
    right = []
    for column in ("started_at", "ended_at"):
        counts = Counter(
            end
            for end, moment in zip(ends, source.column(column), strict=True)
            if end and str(moment).startswith(MONTH)
        )
        most = max(counts.values())
        right += [name for name, number in counts.items() if number == most and name not in right]
    rivals = [name for name in dict.fromkeys(ends) if name and name not in right]
    labelled_values.expect_settled(
        case,
        "end station",
        [str(name) for name in right],
        [str(name) for name in rivals],
        most_rivals=10,
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/202102-divvy-tripdata.csv", parse_dates=["started_at", "ended_at"])
print(df.shape)
print(df["started_at"].min(), df["started_at"].max(), df["end_station_name"].isna().sum())
""",
        """
february = df[df["started_at"].dt.strftime("%Y-%m") == "2021-02"]
counts = february["end_station_name"].value_counts()
print(counts.head())
print("station:", counts.idxmax())
print("rides:", counts.max())
""",
    ],
    "answer": "2021 年 2 月最受欢迎的旅行终点是 «station»，共有 «rides» 次骑行在此结束。",
}
WRONG = {
    "start-station": {
        "why": "counts where rides began",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/202102-divvy-tripdata.csv")
print("station:", df["start_station_name"].value_counts().idxmax())
"""
        ],
        "answer": "最受欢迎的旅行终点是 «station»。",
    },
    "blank-counted": {
        "why": "counts missing stations as one station",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/202102-divvy-tripdata.csv")
print("station:", df["end_station_name"].fillna("Unknown").value_counts().idxmax())
"""
        ],
        "answer": "最受欢迎的旅行终点是 «station»。",
    },
    "rarest": {
        "why": "sorts upwards and takes the first",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/202102-divvy-tripdata.csv")
print("station:", df.groupby("end_station_name").size().sort_values().index[0])
"""
        ],
        "answer": "最受欢迎的旅行终点是 «station»。",
    },
}
