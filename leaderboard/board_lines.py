"""Rows of the board as the lines of its table: cells by kind, and the bracket of a tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.board import BoardRow, Cell
from leaderboard.board_columns import Column


@dataclass(frozen=True)
class Said:
    """A cell of the table; the template draws it by its kind."""

    kind: str  # "rate", "category", "progress", "date", "text" or "number"
    text: str = ""
    category: Cell | None = None
    span: int = 1


@dataclass(frozen=True)
class Line:
    row: BoardRow
    cells: tuple[Said, ...]
    bracket: str = ""  # "top", "middle" or "bottom" of a tie group's bracket


def make_lines(
    rows: Sequence[BoardRow], columns: Sequence[Column], *, has_brackets: bool = False
) -> list[Line]:
    brackets = draw_brackets(rows) if has_brackets else [""] * len(rows)
    return [
        Line(row, tuple(say_cells(row, columns)), bracket)
        for row, bracket in zip(rows, brackets, strict=True)
    ]


def say_cells(row: BoardRow, columns: Sequence[Column]) -> list[Said]:
    """The row's cells but for its name; a run without a rate has its progress in their place."""
    rates = [column for column in columns if is_rate(column)]
    if row.is_rated or not rates:
        return [say_cell(row, column) for column in columns if not column.is_fixed]
    cells = []
    for column in columns:
        if column is rates[0]:
            cells.append(Said("progress", span=len(rates)))
        elif column not in rates and not column.is_fixed:
            cells.append(say_cell(row, column))
    return cells


def is_rate(column: Column) -> bool:
    return column.key in ("rate", "paper") or bool(column.category)


def say_cell(row: BoardRow, column: Column) -> Said:
    if column.category:
        return Said("category", category=row.cells[column.category - 1])
    if column.key in ("rate", "date"):
        return Said(column.key)
    return Said("text" if column.is_text else "number", column.show(row))


def draw_brackets(rows: Sequence[BoardRow]) -> list[str]:
    """Where each row stands in the bracket of its tie group; "" for who stands alone."""
    groups = [row.standing.group if row.standing else -i for i, row in enumerate(rows, 1)]
    brackets = []
    for i, group in enumerate(groups):
        is_first = i == 0 or groups[i - 1] != group
        is_last = i == len(groups) - 1 or groups[i + 1] != group
        brackets.append(
            "" if is_first and is_last else "top" if is_first else "bottom" if is_last else "middle"
        )
    return brackets
