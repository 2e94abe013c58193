"""Figures quoted from a publication, each checked against the others of its row."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

FILE = "pybench/published.toml"
ROUNDING = 0.05 + 1e-9  # percentage points: the table gives one decimal
DISAGREES = 1.0  # percentage points between a row's total and its own cells


@dataclass(frozen=True)
class PublishedRate:
    """One rate in percent, and the whole number of tasks that it must stand for."""

    key: str
    rate: float
    tasks: int

    @property
    def passed(self) -> int:
        return round(self.rate * self.tasks / 100)

    @property
    def is_possible(self) -> bool:
        """True if some number of tasks gives this rate, as rounded to one decimal (or whole)."""
        return any(is_rounded(100 * k / self.tasks, self.rate) for k in range(self.tasks + 1))


@dataclass(frozen=True)
class PublishedRow:
    """One model's published figures with what follows from them."""

    model: str
    size: str
    group: str
    judge: float
    cells: tuple[PublishedRate, ...]
    overall: float
    turns: float
    most_turns: int

    @property
    def total(self) -> int:
        return sum(cell.tasks for cell in self.cells)

    @property
    def passed(self) -> int:
        return sum(cell.passed for cell in self.cells)

    @property
    def implied(self) -> float:
        """The overall rate that the categories give, in percent."""
        return 100 * self.passed / self.total

    @property
    def gap(self) -> float:
        """Published minus implied, in percentage points."""
        return self.overall - self.implied

    @property
    def adds_up(self) -> bool:
        return abs(self.gap) <= DISAGREES

    @property
    def judge_is_possible(self) -> bool:
        rates = (100 * k / self.total for k in range(self.total + 1))
        return any(abs(rate - self.judge) <= ROUNDING for rate in rates)

    @property
    def least_turns(self) -> float:
        """Each attempt has a reply, and each failed one counts the limit."""
        failed = self.total - self.passed
        return (self.passed + failed * self.most_turns) / self.total

    @property
    def turns_are_possible(self) -> bool:
        return self.least_turns - ROUNDING <= self.turns <= self.most_turns + ROUNDING

    @property
    def flags(self) -> list[str]:
        """Sentences on figures that are impossible."""
        found = []
        if not self.adds_up:
            found.append(
                f"The categories give {self.implied:.1f} % ({self.passed} of {self.total}), "
                f"the total says {self.overall:.1f} %."
            )
        found += [
            f"{cell.rate:g} % does not correspond to a whole number of "
            f"{cell.tasks} {cell.key} tasks."
            for cell in self.cells
            if not cell.is_possible
        ]
        if not self.judge_is_possible:
            found.append(
                f"{self.judge:g} % does not correspond to a whole number of {self.total} tasks."
            )
        if not self.turns_are_possible:
            found.append(
                f"{self.turns:g} steps are fewer than the {self.least_turns:.1f} that follow when "
                f"a failed task counts {self.most_turns}."
            )
        return found


@dataclass(frozen=True)
class Published:
    """A table of published results, with counts of its impossible figures."""

    title: str
    source: str
    address: str
    rows: tuple[PublishedRow, ...]

    @property
    def disagreeing(self) -> int:
        return sum(not row.adds_up for row in self.rows)

    @property
    def impossible_judges(self) -> int:
        return sum(not row.judge_is_possible for row in self.rows)

    @property
    def impossible_turns(self) -> int:
        return sum(not row.turns_are_possible for row in self.rows)


def is_rounded(exact: float, written: float) -> bool:
    """True if `written` is `exact` rounded to one decimal; 58.0 may stand for 58.06, and for 58."""
    if abs(exact - written) <= ROUNDING:
        return True
    return math.isclose(written, round(written)) and round(exact) == round(written)


@cache
def read_published() -> Published:
    facts = tomllib.loads((settings.SUITES / FILE).read_text("utf-8"))
    rows = tuple(read_row(row, facts["tasks"], facts["most_turns"]) for row in facts["row"])
    return Published(facts["title"], facts["source"], facts["address"], rows)


def read_row(row: Mapping[str, Any], tasks: Mapping[str, int], most_turns: int) -> PublishedRow:
    return PublishedRow(
        model=row["model"],
        size=row["size"],
        group=row["group"],
        judge=row["judge"],
        cells=tuple(PublishedRate(key, float(row[key]), count) for key, count in tasks.items()),
        overall=row["overall"],
        turns=row["turns"],
        most_turns=most_turns,
    )
