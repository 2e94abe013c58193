"""The board's columns: what each says of a row, and which way it sorts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.board.rows import BoardRow
from leaderboard.rendering.numbers import (
    UNKNOWN,
    show_count,
    show_duration,
    show_mean,
    show_money,
    show_percent,
)
from leaderboard.scoring.repeats import Estimate

UNPRICED = "unpriced"
PART = "part"  # key of the column of the tasks that were asked for

Value = Callable[[BoardRow], float | str | None]


@dataclass(frozen=True)
class Column:
    """A column that can be sorted: where its value is, and which way is better."""

    key: str
    title: str
    value: Value
    show: Callable[[BoardRow], str]
    is_descending: bool = False
    hint: str = ""
    category: int = 0  # the category's position, for its colour
    is_default: bool = True  # shown unless the address says otherwise
    is_text: bool = False
    is_fixed: bool = False  # cannot be hidden
    tasks: int = 0  # that a category's column is over
    estimate: Callable[[BoardRow], Estimate | None] | None = None  # of a share with an interval


def columns_of(
    categories: Sequence[Mapping[str, str]],
    *,
    has_paper: bool = False,
    guessable: int = 0,
    has_cost: bool = False,
    least_k: int = 0,
    part: str = "",
    tasks: Sequence[int] = (),
) -> list[Column]:
    """Every column of a suite's board, in order.

    `has_paper`: some run has a UT (paper). `guessable`: how many tasks can be passed by guessing.
    `has_cost`: some run is priced. `least_k`: the fewest attempts per task of the
    runs that have several.
    `part`: the name of the tasks that were asked for. `tasks`: how many each category has.
    """
    counts = tasks or [0] * len(categories)
    return [
        Column("entry", "Model", show_entry, show_entry, is_text=True, is_fixed=True),
        Column(
            "size",
            "Size",
            lambda row: row.run.entry.parameters_b,
            lambda row: show_size_b(row.run.entry.parameters_b),
            True,
            "parameters, in billions",
            is_default=False,
        ),
        Column("weights", "Weights", show_weights, show_weights, is_default=False, is_text=True),
        *([part_column(part)] if part else []),
        Column(
            "rate",
            "Passed",
            lambda row: row.rate if row.is_rated else None,
            lambda row: show_percent(row.rate),
            True,
            "tasks passed, in % from 20 tasks on",
        ),
        *([unguessed_column(guessable)] if guessable else []),
        *(repeat_columns(least_k) if least_k else []),
        Column(
            "paper",
            "UT paper",
            lambda row: row.run.paper_rate,
            lambda row: show_percent(row.run.paper_rate),
            True,
            "share of the published tests passed, in %; never ranks, can be forged by an agent",
            is_default=has_paper,
        ),
        *(
            category_column(position, category, count)
            for position, (category, count) in enumerate(zip(categories, counts, strict=True), 1)
        ),
        *effort_columns(has_cost),
        Column(
            "attempts",
            "Attempts",
            lambda row: row.run.attempts_per_task,
            lambda row: str(row.run.attempts_per_task),
            True,
            "per task",
            is_default=False,
        ),
        Column(
            "provenance",
            "Provenance",
            lambda row: row.run.entry.provenance,
            lambda row: row.run.entry.provenance,
            is_default=False,
            is_text=True,
        ),
        Column("date", "Date", lambda row: row.moment.timestamp(), show_date, True),
    ]


def effort_columns(has_cost: bool) -> list[Column]:
    """Steps, tokens, money and time of a task."""
    return [
        Column(
            "steps",
            "Steps",
            lambda row: row.turns_solved,
            lambda row: show_mean(row.turns_solved),
            hint="mean per passed task",
        ),
        Column(
            "turns",
            "Steps of the paper",
            lambda row: row.turns,
            lambda row: show_mean(row.turns),
            hint="mean steps per task; a failed task counts as the maximum",
            is_default=False,
        ),
        Column(
            "tokens",
            "Tokens",
            lambda row: row.tokens,
            lambda row: show_count(row.tokens),
            hint="mean per task",
        ),
        *cost_columns(has_cost),
        Column(
            "time",
            "Time",
            lambda row: row.wall_s,
            lambda row: show_duration(row.wall_s),
            hint="mean wall time per task",
        ),
    ]


def part_column(title: str) -> Column:
    def rate(row: BoardRow) -> float | None:
        return row.part.rate if row.part and row.is_rated else None

    return Column(
        PART,
        title,
        rate,
        lambda row: show_percent(rate(row)),
        True,
        "these tasks passed, in % from 20 tasks on; ranks are those of the whole suite",
        is_fixed=True,
    )


def unguessed_column(guessable: int) -> Column:
    def rate(row: BoardRow) -> float | None:
        return row.unguessed.rate if row.unguessed and row.is_rated else None

    tasks = "1 task" if guessable == 1 else f"{guessable} tasks"
    return Column(
        "unguessed",
        "No guess",
        rate,
        lambda row: show_percent(rate(row)),
        True,
        f"pass rate without {tasks} that a guess can pass, in %; never ranks",
    )


def repeat_columns(k: int) -> list[Column]:
    """Chances that one, and that all, of k attempts pass, and that they differ: k is what every
    run with several attempts has, since each of them grows or falls with it."""

    def at(row: BoardRow) -> Estimate | None:
        return row.repeats.at_k[k - 1] if row.repeats else None

    def hat(row: BoardRow) -> Estimate | None:
        return row.repeats.hat_k[k - 1] if row.repeats else None

    def flips(row: BoardRow) -> float | None:
        some, every = at(row), hat(row)
        return some.rate - every.rate if some and every else None

    some = f"share of tasks that at least one of {k} attempts passes, in %; never ranks"
    every = f"share of tasks that all of {k} attempts pass, in %; never ranks"
    differing = f"tasks that only some of the attempts passed; in the order of {k} attempts"
    return [
        estimate_column("pass_at_k", f"pass@{k}", at, some),
        estimate_column("pass_hat_k", f"pass^{k}", hat, every),
        Column("flips", "Flips", flips, lambda row: show_percent(flips(row)), hint=differing),
    ]


def estimate_column(
    key: str, title: str, estimate: Callable[[BoardRow], Estimate | None], hint: str
) -> Column:
    def rate(row: BoardRow) -> float | None:
        found = estimate(row)
        return found.rate if found else None

    return Column(
        key, title, rate, lambda row: show_percent(rate(row)), True, hint, estimate=estimate
    )


def cost_columns(has_cost: bool) -> list[Column]:
    """Cost of a task, and of a solved one, which is shown where some run is priced."""
    return [
        Column(
            "cost",
            "$ per task",
            lambda row: row.cost.per_task if row.cost else None,
            lambda row: show_cost(row, row.cost.per_task if row.cost else None),
            hint="mean over priced attempts, at the price of the run's date; “≤”: the endpoint "
            "did not say how much came from its cheaper cache",
            is_default=False,
        ),
        Column(
            "cost_solved",
            "$ per passed task",
            lambda row: row.cost.per_solved if row.cost else None,
            lambda row: show_cost(row, row.cost.per_solved if row.cost else None),
            hint="cost of all priced attempts, divided by those that passed",
            is_default=has_cost,
        ),
    ]


def show_cost(row: BoardRow, dollars: float | None) -> str:
    """As in "$0.021", "≤ $0.021", "$0.021 (28 of 31)"; "unpriced" without a price, never 0."""
    cost = row.cost
    if cost is None:
        return UNPRICED if row.run.entry.is_model else UNKNOWN
    if dollars is None:
        return UNKNOWN
    bound = "≤ " if cost.is_at_most else ""
    coverage = f" ({cost.priced} of {cost.replied})" if cost.is_partial else ""
    return f"{bound}{show_money(dollars)}{coverage}"


def show_entry(row: BoardRow) -> str:
    return row.run.entry.name.casefold()


def show_weights(row: BoardRow) -> str:
    return row.run.entry.weights


def show_date(row: BoardRow) -> str:
    return f"{row.moment:%Y-%m-%d}"


def show_size_b(parameters_b: float | None) -> str:
    """As in "70B", "3.8B", "0.5B"."""
    return UNKNOWN if parameters_b is None else f"{parameters_b:.4g}B"


def category_column(position: int, category: Mapping[str, str], tasks: int) -> Column:
    def rate(row: BoardRow) -> float | None:
        return row.cells[position - 1].rate if row.is_rated else None

    short = category["key"].replace("_", " ").capitalize()
    return Column(
        category["key"],
        short,
        rate,
        lambda row: show_percent(rate(row)),
        True,
        category["title"],
        position,
        tasks=tasks,
    )


def sort_rows(rows: Sequence[BoardRow], column: Column, is_descending: bool) -> list[BoardRow]:
    """Rows in the order of `column`; unknown values stay last either way, ties by run."""
    valued = [(column.value(row), row) for row in rows]
    known = [(value, row) for value, row in valued if value is not None]
    known.sort(key=lambda pair: pair[1].run.pk)
    known.sort(key=lambda pair: pair[0], reverse=is_descending)
    return [row for _, row in known] + [row for value, row in valued if value is None]
