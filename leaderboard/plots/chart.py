"""One chart: a figure that Plotly draws, and the same numbers as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import Any

from leaderboard.figures import UNKNOWN, show_percent
from leaderboard.rendering.text import strip_invisible

Figure = dict[str, Any]  # {"data": traces, "layout": …, "narrow": layout on a phone}
Value = str | float | int | None

ROW_PX = 26  # of one run in charts that list runs downwards
PAGE_ROWS = 40  # of a chart's table; CSV and JSON have them all
NAME_CHARS = 28  # of a name beside an axis
NARROW_CHARS = 14
HEAD_CHARS = 4  # that are kept of names which differ further on
HOVER_CHARS = 60

INK, SOFT, FAINT, LINE = "var(--ink)", "var(--ink-soft)", "var(--ink-faint)", "var(--line)"
SHEET, TINT, ACCENT = "var(--sheet)", "var(--tint-strong)", "var(--accent)"
CLEAR = "rgba(0, 0, 0, 0)"
# Between an axis and its words: ticks that are not seen.
SPACED = {"ticks": "outside", "ticklen": 8, "tickcolor": CLEAR}


def show_text(value: Value) -> str:
    return UNKNOWN if value is None else str(value)


def show_share(value: Value) -> str:
    return show_percent(value) if isinstance(value, float | int) else UNKNOWN


@dataclass(frozen=True)
class Column:
    """A column of a chart's table: how a value of it is shown, raw in CSV and JSON."""

    key: str
    title: str
    show: Callable[[Value], str] = show_text
    is_number: bool = False
    is_on_page: bool = True  # False: in CSV and JSON alone


@dataclass(frozen=True)
class Row:
    url: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Chart:
    """`title` is the question the chart answers, `note` how to read it."""

    key: str  # stable: part of the address
    title: str
    note: str
    figure: Figure
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    page_limit: int = PAGE_ROWS

    @property
    def is_empty(self) -> bool:
        return not self.figure["data"]

    @property
    def height_px(self) -> int:
        return int(self.figure["layout"]["height"])

    @property
    def page_columns(self) -> list[Column]:
        return [column for column in self.columns if column.is_on_page]

    @property
    def page_rows(self) -> list[tuple[str, list[tuple[Column, str]]]]:
        """Per row its address and its cells as people read them."""
        return [
            (
                row.url,
                [
                    (column, column.show(value))
                    for column, value in zip(self.columns, row.values, strict=True)
                    if column.is_on_page
                ],
            )
            for row in self.rows[: self.page_limit]
        ]

    @property
    def is_table_cut(self) -> bool:
        return len(self.rows) > self.page_limit

    def as_json(self) -> dict[str, Any]:
        """What the address of the figure answers: the figure and the rows of its table."""
        return {
            "key": self.key,
            "title": self.title,
            "note": self.note,
            "figure": self.figure,
            "columns": [column.key for column in self.columns],
            "rows": [list(row.values) for row in self.rows],
        }

    def as_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([guard_cell(column.key) for column in self.columns])
        writer.writerows([guard_cell(value) for value in row.values] for row in self.rows)
        return out.getvalue()


def guard_cell(value: Value) -> Value:
    """A text that a spreadsheet would take for a formula, quoted."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def show_name(name: str, limit: int = NAME_CHARS) -> str:
    """A name for Plotly, which reads a little HTML: cut, without control characters, escaped."""
    plain = " ".join(strip_invisible(name).split()) or "?"
    return escape(plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…", quote=False)


def show_names(names: Sequence[str], limit: int) -> list[str]:
    """Names one below the other: where two would be cut to the same, what differs is kept."""
    shown = [show_name(name, limit) for name in names]
    alike: dict[str, set[str]] = {}
    for name, cut in zip(names, shown, strict=True):
        alike.setdefault(cut, set()).add(name)
    return [show_rest(name, alike[cut], limit) for name, cut in zip(names, shown, strict=True)]


def show_rest(name: str, alike: Collection[str], limit: int) -> str:
    """A name by its first characters and those from which it differs from others."""
    differing = (i for i, found in enumerate(zip(*alike, strict=False)) if len(set(found)) > 1)
    rest = name[next(differing, min(map(len, alike))) :] if len(alike) > 1 else ""
    return show_name(f"{name[:HEAD_CHARS].rstrip()}…{rest}" if rest else name, limit)


def percent(share: float) -> float:
    return round(100 * share, 2)


def make_figure(data: list[dict[str, Any]], height_px: int, **layout: Any) -> Figure:
    return {"data": data, "layout": {"height": height_px, **layout}, "narrow": {}}


def percent_axis(**more: Any) -> dict[str, Any]:
    """An axis of pass rates; it always begins at 0 and ends at 100."""
    marks = [0, 25, 50, 75, 100]
    names = [str(mark) for mark in marks[:-1]] + ["100 %"]
    return {"range": [-2, 102], "tickvals": marks, "ticktext": names, **SPACED, **more}


def name_axis(names: Sequence[str], limit: int = NAME_CHARS) -> dict[str, Any]:
    """An axis of rows from the top down. Rows are numbered: two runs may share a name."""
    return {
        "range": [len(names) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": show_names(names, limit),
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
        **SPACED,
    }


def distinguish(names: Sequence[str]) -> list[str]:
    """`names` with a number behind those that came before: "Foo", "Foo (2)"."""
    told: list[str] = []
    for name in names:
        numbered = (f"{name} ({number})" for number in count(2))
        told.append(name if name not in told else next(n for n in numbered if n not in told))
    return told


def rows_height_px(rows: int, room_px: int = 72) -> int:
    return room_px + ROW_PX * max(rows, 2)


def marker_of(is_baseline: bool, size: int = 9) -> dict[str, Any]:
    """A scripted baseline is a hollow dot: shape says it, not colour alone."""
    if is_baseline:
        return {"symbol": "circle-open", "size": size, "color": FAINT, "line": {"width": 1.5}}
    return {"symbol": "circle", "size": size, "color": INK, "line": {"width": 1, "color": SHEET}}
