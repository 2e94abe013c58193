"""Rows of the board as the lines of its table: cells by kind, and the bracket of the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.board.columns import PART, Column
from leaderboard.board.rows import BoardRow, Cell
from leaderboard.scoring.repeats import Estimate

POSITIONS = {  # in a bracket, by whether it goes on above and below
    (False, True): "top",
    (True, True): "middle",
    (True, False): "bottom",
    (False, False): "whole",
}


@dataclass(frozen=True)
class TableCell:
    """A cell of the table; the template draws it by its kind."""

    # "rate", "category", "part", "estimate", "flips", "progress", "date", "text" or "number"
    kind: str
    text: str = ""
    category: Cell | None = None
    span: int = 1
    estimate: Estimate | None = None
    has_count: bool = True  # of its tasks, which its column's head does not say


@dataclass(frozen=True)
class BoardLine:
    """One line of the table: a row, its cells, and its part of a bracket."""

    row: BoardRow
    cells: tuple[TableCell, ...]
    bracket: str = ""  # "top", "middle", "bottom" or "whole" of those that may be the best


def make_lines(
    rows: Sequence[BoardRow],
    columns: Sequence[Column],
    *,
    has_brackets: bool = False,
    shown: slice = slice(None),
) -> list[BoardLine]:
    """The lines of those rows that are `shown`; what is beside them is seen in their brackets."""
    brackets = draw_brackets(rows) if has_brackets else [""] * len(rows)
    return [
        BoardLine(row, tuple(say_cells(row, columns)), bracket)
        for row, bracket in zip(rows[shown], brackets[shown], strict=True)
    ]


def say_cells(row: BoardRow, columns: Sequence[Column]) -> list[TableCell]:
    """The row's cells but for its name; a run without a rate has its progress in their place."""
    rates = [column for column in columns if is_rate(column)]
    if row.is_rated or not rates:
        return [say_cell(row, column) for column in columns if not is_name(column)]
    cells = []
    for column in columns:
        if column is rates[0]:
            cells.append(TableCell("progress", span=len(rates)))
        elif column not in rates and not is_name(column):
            cells.append(say_cell(row, column))
    return cells


def is_name(column: Column) -> bool:
    return column.is_fixed and column.is_text


def is_rate(column: Column) -> bool:
    return column.key in ("rate", "paper", "unguessed", PART) or bool(column.category)


def say_cell(row: BoardRow, column: Column) -> TableCell:
    if column.category:
        cell = row.cells[column.category - 1]
        return TableCell("category", category=cell, has_count=cell.tasks != column.tasks)
    if column.key == PART:
        return TableCell("part", category=row.part)
    if column.key == "unguessed":
        return TableCell("category", category=row.unguessed)
    if row.repeats and column.estimate:
        return TableCell("estimate", estimate=column.estimate(row))
    if row.repeats and column.key == "flips":
        return TableCell("flips")
    if column.key in ("rate", "date"):
        return TableCell(column.key)
    return TableCell("text" if column.is_text else "number", column.show(row))


def draw_brackets(rows: Sequence[BoardRow]) -> list[str]:
    """Position of each row in the brackets of those that may be the best; "" outside of them.

    There are several where others stand between, and none where one row alone may be the best.
    """
    found = [bool(row.standing and row.standing.may_be_best) for row in rows]
    if sum(found) < 2:
        return [""] * len(rows)
    around = zip([False, *found], found, [*found[1:], False], strict=False)
    return [POSITIONS[above, below] if best else "" for above, best, below in around]
