"""The board's columns: what each says of a row, and which way it sorts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.board import BoardRow
from leaderboard.figures import UNKNOWN, show_count, show_duration, show_mean, show_percent

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


def columns_of(categories: Sequence[Mapping[str, str]], *, has_paper: bool = False) -> list[Column]:
    """Every column of a suite's board, in order; `has_paper`: some run has a UT (paper)."""
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
        Column(
            "rate",
            "UT strict",
            lambda row: row.rate if row.is_rated else None,
            lambda row: show_percent(row.rate),
            True,
            "share of tasks passed, in %",
        ),
        Column(
            "paper",
            "UT paper",
            lambda row: row.run.paper_rate,
            lambda row: show_percent(row.run.paper_rate),
            True,
            "share of the published tests passed, in %; never ranks",
            is_default=has_paper,
        ),
        *(category_column(position, c) for position, c in enumerate(categories, 1)),
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
        Column(
            "time",
            "Time",
            lambda row: row.wall_s,
            lambda row: show_duration(row.wall_s),
            hint="mean wall time per task",
        ),
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


def show_entry(row: BoardRow) -> str:
    return row.run.entry.name.casefold()


def show_weights(row: BoardRow) -> str:
    return row.run.entry.weights


def show_date(row: BoardRow) -> str:
    return f"{row.moment:%Y-%m-%d}"


def show_size_b(parameters_b: float | None) -> str:
    """As in "70B", "3.8B", "0.5B"."""
    return UNKNOWN if parameters_b is None else f"{parameters_b:.4g}B"


def category_column(position: int, category: Mapping[str, str]) -> Column:
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
    )


def sort_rows(rows: Sequence[BoardRow], column: Column, is_descending: bool) -> list[BoardRow]:
    """Rows in the order of `column`; unknown values stay last either way, ties by run."""
    known = [row for row in rows if column.value(row) is not None]
    unknown = [row for row in rows if column.value(row) is None]
    known.sort(key=lambda row: row.run.pk)
    known.sort(key=lambda row: column.value(row) or 0, reverse=is_descending)
    return known + unknown
