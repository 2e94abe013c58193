"""Cells of a spreadsheet that somebody who opens it can see: what is hidden is not there."""

from __future__ import annotations

from typing import Any

LEAST_POINTS = 3.0  # of letters that can be seen
WHITE = ("FFFFFF", "FFFFFFFF", "00FFFFFF")
SHOWS_NOTHING = ";;;"  # a number format that draws no cell


def first_shown(book: Any) -> Any:
    """The first sheet that is not hidden; ValueError without any."""
    pages = [page for page in book.worksheets if page.sheet_state == "visible"]
    if not pages:
        raise ValueError("all its sheets are hidden")
    return pages[0]


def shown_rows(page: Any) -> list[tuple[object, ...]]:
    """The values of a sheet's rows, without hidden rows and columns; a cell unseen is blank."""
    if page.sheet_state != "visible":
        raise ValueError(f"its sheet “{page.title}” is hidden")
    columns, may_be_styled = hidden_columns(page), bool(page.tables or page.conditional_formatting)
    return [
        tuple(
            None if is_unseen(cell, may_be_styled) else cell.value
            for cell in row
            if cell.column not in columns
        )
        for row in page.iter_rows()
        if not is_hidden(page.row_dimensions.get(row[0].row), "height")
    ]


def hidden_columns(page: Any) -> set[int]:
    """The numbers of the columns that are hidden; one entry may stand for many."""
    found: set[int] = set()
    last = page.max_column
    for one in page.column_dimensions.values():
        if is_hidden(one, "width"):
            found |= set(range(one.min or 1, min(one.max or last, last) + 1))
    return found


def is_hidden(line: Any, size: str) -> bool:
    """True for a row or column that is hidden or has no `size`."""
    return line is not None and bool(line.hidden or getattr(line, size) == 0)


def is_unseen(cell: Any, may_be_styled: bool) -> bool:
    """True if the cell's own format shows nothing: by its form, its size or white on white.

    A table or a rule for the sheet may fill cells that have no filling of their own.
    """
    if not cell.has_style or cell.value is None:
        return False
    if cell.number_format == SHOWS_NOTHING or (cell.font.sz or 11) < LEAST_POINTS:
        return True
    colour = cell.font.color
    is_white = colour is not None and colour.type == "rgb" and colour.rgb in WHITE
    return is_white and not may_be_styled and cell.fill.fill_type is None
