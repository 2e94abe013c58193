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


def columns_of(
    categories: Sequence[Mapping[str, str]],
    *,
    has_paper: bool = False,
    guessable: int = 0,
    has_cost: bool = False,
    has_repeats: bool = False,
    part: str = "",
    tasks: Sequence[int] = (),
) -> list[Column]:
    """Every column of a suite's board, in order.

    `has_paper`: some run has a UT (paper). `guessable`: how many tasks can be passed by guessing.
    `has_cost`: some run is priced. `has_repeats`: some run has several attempts per task.
    `part`: the name of the tasks that were asked for. `tasks`: how many each category has.
    """
    counts = tasks or [0] * len(categories)
    return [
        Column("entry", "Entry", show_entry, show_entry, is_text=True, is_fixed=True),
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
            "UT strict",
            lambda row: row.rate if row.is_rated else None,
            lambda row: show_percent(row.rate),
            True,
            "share of tasks passed, in %",
        ),
        *([unguessed_column(guessable)] if guessable else []),
        *(repeat_columns() if has_repeats else []),
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
    """Turns, tokens, money and time of a task."""
    return [
        Column(
            "turns",
            "Turns",
            lambda row: row.turns,
            lambda row: show_mean(row.turns),
            hint="mean per task",
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
        "share of these tasks passed, in %; ranks are those of the whole suite",
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
        f"UT strict without {tasks} that a guess can pass, in %; never ranks",
    )


def repeat_columns() -> list[Column]:
    """Chances that one, and that all, of a task's attempts pass; and what differs between them."""

    def at(row: BoardRow) -> float | None:
        return row.repeats.pass_at_k.rate if row.repeats else None

    def hat(row: BoardRow) -> float | None:
        return row.repeats.pass_hat_k.rate if row.repeats else None

    def flips(row: BoardRow) -> float | None:
        return row.repeats.sometimes / row.repeats.tasks if row.repeats else None

    some = "share of tasks that at least one of k attempts passed, in %; never ranks"
    every = "share of tasks that all k attempts passed, in %; never ranks"
    differing = "tasks that only some of k attempts passed; ±: spread of the attempts' rates"
    return [
        Column("pass_at_k", "pass@k", at, lambda row: show_percent(at(row)), True, some),
        Column("pass_hat_k", "pass^k", hat, lambda row: show_percent(hat(row)), True, every),
        Column("flips", "Flips", flips, lambda row: show_percent(flips(row)), hint=differing),
    ]


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
            "$ per solved",
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
