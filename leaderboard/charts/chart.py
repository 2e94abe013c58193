"""One chart: a figure that Plotly draws, and the same numbers as a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString
from plotly import graph_objects as go

from leaderboard.charts.template import CLEAR, FAINT, INK, SHEET
from leaderboard.rendering.csv_response import write_csv
from leaderboard.rendering.numbers import UNKNOWN, show_percent
from leaderboard.rendering.text import isolate, strip_invisible

if TYPE_CHECKING:
    from plotly.basedatatypes import BaseTraceType

Figure = dict[str, Any]  # {"data": traces, "layout": …, "narrow": layout on a phone}
Value = str | float | int | None

ROW_PX = 26  # of one run in charts that list runs downwards
PAGE_ROWS = 40  # of a chart's table; CSV and JSON have them all
NAME_CHARS = 28  # of a name beside an axis
NARROW_CHARS = 14
HEAD_CHARS = 4  # that are kept of names which differ further on
HOVER_CHARS = 60

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
    """One row of a chart's table: the values, and the address that its first cell links to."""

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
    plain: SafeString = SafeString("")  # noqa: RUF009 - the same as SVG, until Plotly draws it
    is_wide: bool = False  # on a line of its own

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
        """Answer at the figure's address: the figure and the rows of its table."""
        return {
            "key": self.key,
            "title": self.title,
            "note": self.note,
            "figure": self.figure,
            "columns": [column.key for column in self.columns],
            "rows": [list(row.values) for row in self.rows],
        }

    def as_csv(self) -> str:
        heading = [column.key for column in self.columns]
        return write_csv([heading, *(row.values for row in self.rows)], line_end="\n")


def show_name(name: str, limit: int = NAME_CHARS) -> str:
    """A name for Plotly, which reads a little HTML: cut, without control characters, escaped."""
    plain = " ".join(strip_invisible(name).split()) or "?"
    cut = plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"
    return escape(isolate(cut), quote=False)


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


def make_figure(
    traces: Sequence[BaseTraceType], narrow: Mapping[str, Any] | None = None, **layout: Any
) -> Figure:
    """Traces and layouts, checked by Plotly as they are made, as plain JSON.

    Without a `go.Figure` around them: it checks no more, would copy the template into each
    figure, and its class takes 6 MB of every web process.
    """
    return {
        "data": [trace.to_plotly_json() for trace in traces],
        "layout": go.Layout(**layout).to_plotly_json(),
        "narrow": go.Layout(**(narrow or {})).to_plotly_json(),
    }


def percent_axis(counted: str = "", **more: Any) -> dict[str, Any]:
    """An axis of pass rates; it always begins at 0 and ends at 100.

    `counted` is what stands at the end in place of per cents, as in "9 tasks".
    """
    marks = [0, 100] if counted else [0, 25, 50, 75, 100]
    names = [*map(str, marks[:-1]), counted or "100 %"]
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
