"""The board's rows: runs and their summaries in, ranked and other rows out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from leaderboard.figures import add_tokens, divide
from leaderboard.models import Entry, Run, RunSummary, Standing

SMALL_N = 20  # a category with fewer tasks is greyed and never ranked


@dataclass(frozen=True)
class Cell:
    """One category of one run."""

    position: int  # of the category in its suite, from 1: its colour
    title: str
    tasks: int
    rate: float | None
    low: float = 0.0
    high: float = 1.0

    @property
    def is_small(self) -> bool:
        return self.tasks < SMALL_N


@dataclass(frozen=True)
class Tally:
    """How many attempts of a run ended how."""

    passed: int = 0
    failed: int = 0
    void: int = 0
    total: int = 0

    @property
    def decided(self) -> int:
        return self.passed + self.failed

    @property
    def ended(self) -> int:
        return self.decided + self.void

    @property
    def is_complete(self) -> bool:
        return self.total > 0 and self.decided == self.total


@dataclass(frozen=True)
class BoardRow:
    """One run on the board."""

    run: Run
    tally: Tally
    cells: tuple[Cell, ...]
    rate: float | None = None
    low: float = 0.0
    high: float = 1.0
    tasks: int = 0
    turns: float | None = None
    tokens: float | None = None  # prompt and completion, per attempt
    wall_s: float | None = None  # per attempt
    standing: Standing | None = None  # its stored place, for a run that has one
    suite_tasks: int = 0  # how many the suite has; 0: not looked up
    is_superseded: bool = False  # a later run of the same entry has the place

    @property
    def moment(self) -> datetime:
        return self.run.finished_at or self.run.created_at

    @property
    def rank(self) -> int | None:
        return self.standing.rank if self.standing else None

    @property
    def rank_words(self) -> str:
        """The places that chance leaves open, as in "1–3"; "" without one."""
        if self.standing is None:
            return ""
        low, high = self.standing.rank_low, self.standing.rank_high
        return str(low) if low == high else f"{low}–{high}"

    @property
    def is_rated(self) -> bool:
        """Whether every attempt has a verdict, so that its rate may be shown."""
        return self.rate is not None and self.tally.is_complete

    @property
    def why_unranked(self) -> str:
        """In words, for the rows that have no place."""
        if not self.run.is_over:
            return str(self.run.status)
        if self.run.entry.provenance == Entry.Provenance.RECORDED:
            return "recorded, not judged"
        if not self.tally.is_complete:
            return "incomplete"
        if self.tasks < self.suite_tasks:
            return f"only {self.tasks} of {self.suite_tasks} tasks"
        if self.run.entry.provenance == Entry.Provenance.QUOTED:
            return "quoted, never ranked"
        return "superseded by a later run" if self.is_superseded else "its place is being computed"


@dataclass(frozen=True)
class Board:
    """The three groups of rows of one suite version."""

    ranked: list[BoardRow] = field(default_factory=list)
    scripted: list[BoardRow] = field(default_factory=list)
    unranked: list[BoardRow] = field(default_factory=list)
    is_cut: bool = False  # whether older rows without a place were left out
    version: tuple[object, ...] = ()  # another one whenever a run came, changed, went or was placed

    @property
    def is_empty(self) -> bool:
        return not (self.ranked or self.scripted or self.unranked)


def build_rows(
    runs: Sequence[Run],
    summaries: Iterable[RunSummary],
    tallies: Mapping[int, Tally],
    suite_tasks: int = 0,
) -> list[BoardRow]:
    """One row per run, in their order. The runs have their entry, suite and standing at hand."""
    by_run: dict[int, dict[str, RunSummary]] = {}
    for summary in summaries:
        by_run.setdefault(summary.run_id, {})[summary.category] = summary
    return [
        replace(
            build_row(run, by_run.get(run.pk, {}), tallies.get(run.pk, Tally())),
            standing=getattr(run, "standing", None),
            suite_tasks=suite_tasks,
        )
        for run in runs
    ]


def build_row(run: Run, summaries: Mapping[str, RunSummary], tally: Tally) -> BoardRow:
    overall = summaries.get("")
    cells = build_cells(run, summaries)
    if overall is None:
        return BoardRow(run, tally, cells)
    tally = Tally(overall.passed, overall.failed, overall.void, overall.attempts)
    tokens = add_tokens(overall.prompt_tokens, overall.completion_tokens)
    return BoardRow(
        run,
        tally,
        cells,
        rate=overall.rate,
        low=overall.low,
        high=overall.high,
        tasks=overall.tasks,
        turns=overall.turns,
        tokens=divide(tokens, tally.decided),
        wall_s=divide(overall.wall_s, tally.decided),
    )


def build_cells(run: Run, summaries: Mapping[str, RunSummary]) -> tuple[Cell, ...]:
    cells = []
    for position, category in enumerate(run.suite.categories, 1):
        found = summaries.get(category["key"])
        title = category["title"]
        cells.append(
            Cell(position, title, found.tasks, found.rate, found.low, found.high)
            if found
            else Cell(position, title, 0, None)
        )
    return tuple(cells)
