"""Data of runs that the charts need: plain values, filled from stored rows by the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leaderboard.rendering.numbers import show_number_passed, show_percent
from runner.run_figures import LEAST_TASKS


@dataclass(frozen=True)
class CategoryPoint:
    """One category of one run."""

    key: str
    title: str
    position: int  # in the suite, from 1: its colour
    tasks: int
    rate: float | None  # share of tasks passed; None: not known

    @property
    def is_small(self) -> bool:
        """True if there are too few tasks for a rate."""
        return self.tasks < LEAST_TASKS


@dataclass(frozen=True)
class RunPoint:
    """One run as a point: shares of 1, means per task."""

    name: str
    url: str
    rate: float
    low: float | None  # 95 % interval; None of few tasks
    high: float | None
    tasks: int
    tokens: float | None = None
    cost: float | None = None  # dollars; None: unpriced
    is_baseline: bool = False  # scripted: drawn hollow, never on a frontier
    categories: tuple[CategoryPoint, ...] = ()

    @property
    def label(self) -> str:
        """Its per cents, or of few tasks the number that passed, beside an axis."""
        if self.tasks < LEAST_TASKS:
            return show_number_passed(self.rate, self.tasks)
        return show_percent(self.rate)


def count_few(points: Sequence[RunPoint]) -> str:
    """As in "9 tasks" where all of the runs have few; "" where one has enough for a rate."""
    most = max((point.tasks for point in points), default=LEAST_TASKS)
    return "" if most >= LEAST_TASKS else "1 task" if most == 1 else f"{most} tasks"


@dataclass(frozen=True)
class TurnsPoint:
    """Turns at which a run's attempts succeeded."""

    name: str
    url: str
    attempts: int
    tasks: int
    solved_turns: Sequence[int]  # per passed attempt, the turns it took
    is_baseline: bool = False


@dataclass(frozen=True)
class MatrixTask:
    """A column of the matrix."""

    key: str
    title: str
    category: str
    url: str = ""


@dataclass(frozen=True)
class MatrixRun:
    """A row of the matrix: per task key the share of attempts that passed; absent: no verdict."""

    name: str
    url: str
    rate: float
    shares: Mapping[str, float] = field(default_factory=dict)
    is_baseline: bool = False
