"""The board's rows: runs and their summaries in, ranked and other rows out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from leaderboard.models import Entry, Run, RunReview, RunSummary, Standing
from leaderboard.money.cost import Cost, TokenPrice, cost_of_run, price_of
from leaderboard.rendering.numbers import add_tokens, count_passed, divide
from leaderboard.scoring.ranking import RATE_DECIMALS, name_model
from leaderboard.scoring.repeats import Repeats
from runner.contract import Status
from runner.run_figures import LEAST_TASKS

PASSED_DECIMALS = 3  # of a number of tasks that is a mean
NO_MODEL_ASKED = (
    Entry.Provenance.QUOTED,
    Entry.Provenance.RE_EXECUTED,
    Entry.Provenance.RE_SCORED,
    Entry.Provenance.FORKED,
    Entry.Provenance.HUMAN,
)


@dataclass(frozen=True)
class Cell:
    """Some tasks of one run, as those of a category."""

    position: int  # of the category in its suite, from 1: its colour
    title: str
    tasks: int
    rate: float | None
    low: float | None = None
    high: float | None = None

    @property
    def is_small(self) -> bool:
        """True if there are too few tasks for an interval: the count stands in its place."""
        return self.tasks < LEAST_TASKS

    @property
    def count_words(self) -> str:
        return count_passed(self.rate, self.tasks)

    @property
    def passed(self) -> float | None:
        """How many of the tasks passed, in the mean where attempts at a task differ."""
        return None if self.rate is None else round(self.rate * self.tasks, PASSED_DECIMALS)

    @property
    def told_rate(self) -> float | None:
        """The rate for programs: None of few tasks, of which `passed` is all there is to say."""
        return None if self.is_small else self.rate


@dataclass(frozen=True)
class TaskShare:
    """One task of a row with several attempts at it: the share that passed, as a mean of runs."""

    task: int
    category: str
    share: float
    attempts: int


@dataclass(frozen=True)
class Tally:
    """Count of a run's attempts by the way they ended."""

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
    low: float | None = None
    high: float | None = None
    tasks: int = 0
    turns: float | None = None
    turns_solved: float | None = None  # mean over passed attempts
    tokens: float | None = None  # prompt and completion, per attempt
    wall_s: float | None = None  # per attempt
    cost: Cost | None = None  # None: unpriced
    price: TokenPrice | None = None
    why_unpriced: str = ""
    standing: Standing | None = None  # its stored place, for a run that has one
    part: Cell | None = None  # on the tasks of the facet that was asked for
    part_standing: Standing | None = None  # its kept place on those tasks
    unguessed: Cell | None = None  # without tasks that can be guessed; None where all count
    repeats: Repeats | None = None  # with several attempts per task, each with a verdict
    suite_tasks: int = 0  # how many the suite has; 0: not looked up
    is_unkept: bool = False  # of a past day: without a place it will get none
    ranked_with: int = 0  # number of a later run of the entry that has the place
    runs: tuple[int, ...] = ()  # numbers of the entry's runs that the row is the mean of; () of one
    same_model: int = 1  # ranked entries of its owner with this model, itself among them
    shares: tuple[TaskShare, ...] = ()  # with several attempts per task, of one run or more

    @property
    def rated_runs(self) -> tuple[int, ...]:
        """Numbers of the runs whose mean its rates are."""
        return self.runs or (self.run.pk,)

    @property
    def moment(self) -> datetime:
        return self.run.finished_at or self.run.created_at

    @property
    def rank(self) -> int | None:
        return self.standing.rank if self.standing else None

    @property
    def rank_words(self) -> str:
        """The places that chance leaves open, as in "1–3"; "" without one."""
        return self.standing.words if self.standing else ""

    @property
    def is_small(self) -> bool:
        """True if there are too few tasks for an interval and a rank."""
        return self.tasks < LEAST_TASKS

    @property
    def count_words(self) -> str:
        return count_passed(self.rate, self.tasks)

    @property
    def is_part_of_mean(self) -> bool:
        """True if its rates are the run's own and its place that of the mean of several runs."""
        return self.standing is not None and len(self.standing.runs) > 1 and not self.runs

    @property
    def runs_words(self) -> str:
        """Number of runs its place is the mean of, of those not shown, and of ranked entries with
        the same model, as at several temperatures; "" for the only run of a model."""
        said = [self.standing.runs_words] if self.standing and self.standing.runs_words else []
        if self.same_model > 1:
            said.append(f"one of {self.same_model} settings of this model")
        return ", ".join(said)

    @property
    def part_rank_words(self) -> str:
        """As in " · rank 1–3", on the tasks of the facet that was asked for; "" without one."""
        words = self.part_standing.words if self.part_standing else ""
        return f" · rank {words}" if words else ""

    @property
    def is_rated(self) -> bool:
        """True if every attempt has a verdict, so that its rate can be shown."""
        return self.rate is not None and self.tally.is_complete

    @property
    def is_withheld(self) -> bool:
        """True if evidence that its replies are no model's work keeps it from a rank."""
        review = getattr(self.run, "review", None)
        return review is not None and review.is_withheld and not self.standing

    @property
    def why_unranked(self) -> str:
        """In words, for the rows that have no rank; "" for those that have one."""
        if self.standing:
            return "" if self.rank_words else f"fewer than {LEAST_TASKS} tasks: counts alone"
        if self.run.stopped_for and self.run.is_over:
            return "ceiling reached"
        if not self.run.is_over or self.run.status == Status.CANCELLED:
            return str(self.run.status)
        if self.run.entry.provenance == Entry.Provenance.RECORDED:
            return "recorded, not judged"
        if not self.tally.is_complete:
            return "incomplete"
        if self.run.entry.is_scripted:
            return "scripted baselines are never ranked"
        if not self.run.is_public:
            return "private"
        if self.tasks < self.suite_tasks:
            return f"only {self.tasks} of {self.suite_tasks} tasks"
        if self.run.entry.provenance in NO_MODEL_ASKED:
            return f"{self.run.entry.provenance}, never ranked"
        if not self.run.suite.has_season_of(self.run.seed):
            return "a seed of its own, on no board"
        if reasons := self.run.why_not_comparable:
            return f"not comparable: {'; '.join(reasons)}"
        if getattr(self.run, "withdrawn_since", False):
            return "another run of this model was withdrawn since"
        if self.is_withheld:
            is_open = self.run.review.ruling == RunReview.Ruling.OPEN
            return "withheld, under review" if is_open else "withheld after review"
        if self.ranked_with:
            return f"counted with run {self.ranked_with}"
        return "no rank stored" if self.is_unkept else "its rank is being computed"


@dataclass(frozen=True)
class SplitTask:
    """A task that some of the best runs pass and others fail."""

    key: str
    title: str


@dataclass(frozen=True)
class Board:
    """The groups of rows of one suite version."""

    ranked: list[BoardRow] = field(default_factory=list)
    scripted: list[BoardRow] = field(default_factory=list)
    unranked: list[BoardRow] = field(default_factory=list)
    is_cut: bool = False  # whether older rows without a place were left out
    cancelled: int = 0  # scripted baselines of which only cancelled runs are there
    split: tuple[SplitTask, ...] = ()  # what splits those that may be the best most
    placed: int = 0  # runs with a place, of which `ranked` are the best
    version: tuple[object, ...] = ()  # another one whenever a run came, changed, went or was placed
    people: list[BoardRow] = field(default_factory=list)  # who played by hand
    # The same rows in other orders, by column and direction: a board is kept for many who look.
    orders: dict[Hashable, Board] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def has_paper(self) -> bool:
        return any(row.run.paper for row in (*self.ranked, *self.scripted, *self.unranked))

    @cached_property
    def has_cost(self) -> bool:
        return any(row.cost for row in (*self.ranked, *self.unranked))

    @cached_property
    def least_k(self) -> int:
        """The fewest attempts per task of rows that have several; 0 without one."""
        rows = (*self.ranked, *self.unranked, *self.scripted)
        return min((row.repeats.k for row in rows if row.repeats), default=0)

    @cached_property
    def category_tasks(self) -> list[int]:
        """Tasks of each category, the most that a rated row has; [] without such a row."""
        rated = [row for row in (*self.ranked, *self.unranked, *self.scripted) if row.is_rated]
        counted = ([cell.tasks for cell in row.cells] for row in rated)
        return [max(counts) for counts in zip(*counted, strict=True)]

    @cached_property
    def by_rank(self) -> list[BoardRow]:
        """The ranked rows, the best first, however they are listed."""
        return sorted(self.ranked, key=place_key)

    @cached_property
    def possibly_best(self) -> list[BoardRow]:
        """The runs above which none is beyond chance, the best first."""
        return possibly_best(self.by_rank)

    @property
    def notes(self) -> list[str]:
        """Sentence on the runs with a place that the table leaves out."""
        if self.placed <= len(self.ranked):
            return []
        return [
            f"{self.placed:,} models are ranked. "
            f"The table, its order and its filters take the best {len(self.ranked):,}."
        ]

    @property
    def is_empty(self) -> bool:
        groups = (self.ranked, self.scripted, self.unranked, self.people)
        return not (any(groups) or self.cancelled)


def place_key(row: BoardRow) -> tuple[int, float, int]:
    """The best first. A kept row without a rank, because it is of few tasks, goes by its rate."""
    return row.rank or 0, -round(row.rate or 0.0, RATE_DECIMALS), row.run.pk


def count_same_models(rows: Sequence[BoardRow]) -> list[BoardRow]:
    """The rows, each with how many of them are of its model by its owner."""
    models = [name_model(row.run.entry.owner_id, row.run.entry.model_name) for row in rows]
    counts = Counter(model for model in models if model is not None)
    return [
        replace(row, same_model=counts.get(model, 1))
        for row, model in zip(rows, models, strict=True)
    ]


def possibly_best(placed: Sequence[BoardRow]) -> list[BoardRow]:
    """Of rows those above which none is beyond chance, in their order."""
    return [row for row in placed if row.standing and row.standing.may_be_best]


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
    cost, why_unpriced = cost_of_run(run, overall)
    return BoardRow(
        run,
        tally,
        cells,
        rate=overall.rate,
        low=overall.low,
        high=overall.high,
        tasks=overall.tasks,
        turns=overall.turns,
        turns_solved=overall.turns_solved,
        tokens=divide(tokens, tally.decided),
        wall_s=divide(overall.wall_s, tally.decided),
        cost=cost,
        price=price_of(run),
        why_unpriced=why_unpriced,
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


def choose_current(rows: Sequence[BoardRow]) -> BoardRow:
    """The run whose figures stand for the entry: with a place, else complete, else the newest."""
    ranked = (row for row in rows if row.standing)
    rated = (row for row in rows if row.is_rated)
    return next(ranked, None) or next(rated, None) or rows[0]
