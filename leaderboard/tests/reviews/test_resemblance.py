"""Likeness of code: whatever names and layout, and not beyond what two authors share."""

from __future__ import annotations

import json
import re

import pytest

from leaderboard.reviews.evidence import ALIKE
from leaderboard.reviews.resemblance import (
    LEAST_GRAMS,
    MAX_CODE_CHARS,
    grams_of,
    resemblance,
)
from leaderboard.tests.support.recorded import recorded
from runner.suite.reader import ROOT
from runner.suite.task_file import read_module

CELL = re.compile(r"```python\n(.*?)```", re.DOTALL)

SOLUTION = """
import pandas as pd

sales = pd.read_csv("data/sales.csv", parse_dates=["date"])
sales["amount"] = pd.to_numeric(sales["amount"].str.replace(",", ""))
sales["quarter"] = sales["date"].dt.to_period("Q").astype(str)
totals = sales.groupby("quarter", as_index=False)["amount"].sum()
totals = totals[totals["amount"] > 0].sort_values("quarter")
totals.to_csv("output/quarters.csv", index=False)
print(totals["amount"].max())
"""
RENAMED = """
# My own work.
import pandas as pandas_library

d = pandas_library.read_csv( 'data/s.csv', parse_dates=['when'] )
d['a'] = pandas_library.to_numeric(d['a'].str.replace(';', ' '))
d['q'] = d['when'].dt.to_period('Q').astype(str)

t = d.groupby('q', as_index=True)['a'].sum()
t = t[t['a'] > 5].sort_values('q')
t.to_csv('output/q.csv', index=True)
print(t['a'].max())
"""
OTHER = """
import csv
from collections import defaultdict
from datetime import date

totals = defaultdict(float)
with open("data/sales.csv", newline="") as stream:
    for row in csv.DictReader(stream):
        day = date.fromisoformat(row["date"])
        totals[f"{day.year}Q{(day.month + 2) // 3}"] += float(row["amount"].replace(",", ""))
with open("output/quarters.csv", "w", newline="") as stream:
    csv.writer(stream).writerows([["quarter", "amount"], *sorted(totals.items())])
"""


def likeness(*codes: str) -> float:
    found = resemblance(codes, [grams_of([SOLUTION])])
    assert found is not None
    return found


def test_code_is_told_to_be_like_a_solution(subtests: pytest.Subtests) -> None:
    for codes, is_alike in [
        ([SOLUTION], True),
        ([RENAMED], True),
        (SOLUTION.split("\n\n"), True),
        (["import os\nprint(os.listdir('data'))", SOLUTION, "print('done')"], True),
        ([OTHER], False),
        ([SOLUTION[: len(SOLUTION) // 2].rpartition("\n")[0]], False),
        ([f'"""{SOLUTION}"""'], False),
        (["not python ("], False),
        ([""], False),
        ([], False),
    ]:
        with subtests.test(codes=codes, is_alike=is_alike):
            assert (likeness(*codes) >= ALIKE) is is_alike


def test_short_solutions_are_written_alike_by_many() -> None:
    short = grams_of(["print(sum(range(10)))"])
    assert len(short) < LEAST_GRAMS
    assert resemblance(["print(sum(range(10)))"], [short]) is None
    assert resemblance([SOLUTION], []) is None


def test_hostile_code_has_no_grams_or_few(subtests: pytest.Subtests) -> None:
    for code in [
        "(" * 5000 + ")" * 5000,
        "-" * 30_000 + "1",
        "x = " + "a." * 9000 + "b",
        "\0",
        "f(" * 900,
    ]:
        with subtests.test(code=code):
            assert len(grams_of([code])) < LEAST_GRAMS


def test_what_is_beyond_the_bound_is_not_read() -> None:
    assert grams_of(["x = 1\n" * MAX_CODE_CHARS, SOLUTION]) == frozenset()


@pytest.mark.upstream
def test_no_recorded_conversation_is_like_our_solutions() -> None:
    """Both are of the same tasks, by authors that did not know of each other."""
    published = {}
    for path in (ROOT / "pybench" / "tasks").glob("[!_]*.py"):
        constants, _ = read_module(path)
        published[constants["INDEX"]] = [grams_of(constants["REFERENCE"]["cells"])]
    found = []
    for line in recorded().decode().splitlines():
        row = json.loads(line)
        said = "\n".join(str(m["content"]) for m in row["messages"] if m["role"] == "assistant")
        codes = CELL.findall(said)
        alike = resemblance(codes, published.get(str(row["index"]), []))
        if alike is not None:
            found.append(alike)
    assert len(found) > 50
    assert 0 < max(found) < ALIKE / 2
