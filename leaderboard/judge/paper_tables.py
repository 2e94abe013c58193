"""Tables 2, 4, 5 and 6 of the paper, quoted with what follows from them by our own calculation."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

from leaderboard.scoring.agreement import IntervalEstimate, share

FILE = "pybench/paper_tables.toml"


@dataclass(frozen=True)
class QuotedTable:
    """A small table of the paper: its cells as they were published, and our notes below it."""

    number: int
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class HumanCheck:
    """Table 6: trajectories on which a person decided between the judge and the tests."""

    judge_right: int
    same: int
    test_right: int

    @property
    def count(self) -> int:
        return self.judge_right + self.same + self.test_right

    @property
    def agreement(self) -> IntervalEstimate:
        found = share(self.same, self.count)
        assert found is not None
        return found


@cache
def read_facts() -> dict[str, Any]:
    return tomllib.loads((settings.SUITES / FILE).read_text("utf-8"))


def quoted_tables() -> list[QuotedTable]:
    """The tables. Raises FileNotFoundError where the site has none."""
    return [read_table(table) for table in read_facts()["table"]]


def read_table(table: Mapping[str, Any]) -> QuotedTable:
    rows = tuple(tuple(str(cell) for cell in row) for row in table["rows"])
    notes = tuple(table["notes"])
    return QuotedTable(table["number"], table["title"], tuple(table["columns"]), rows, notes)


def human_check() -> HumanCheck | None:
    """Table 6; None where the site quotes nothing."""
    try:
        return HumanCheck(**read_facts()["human_check"])
    except FileNotFoundError:
        return None
