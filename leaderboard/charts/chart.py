"""One chart: a figure that Plotly draws, and the same numbers as a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, count
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

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

ROW_PX, WRAPPED_ROW_PX = 26, 36  # of one run in charts that list runs downwards
PAGE_ROWS = 40  # of a chart's table; CSV and JSON have them all
NAME_CHARS = 28  # of a name beside an axis
NARROW_CHARS = 16
NAME_LINES = 2
HEAD_CHARS = 4  # that are kept of names which differ further on
HOVER_CHARS = 60
AXIS_LOW, AXIS_HIGH = -2, 102  # of the percent axis

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
    missing: str = "No model has a verdict on every task yet."  # why it is empty, where it is

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
    return escape_for_plotly(cut_text(plain_of(name), limit))


def plain_of(name: str) -> str:
    return " ".join(strip_invisible(name).split()) or "?"


def cut_text(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def escape_for_plotly(text: str) -> str:
    return escape(isolate(text), quote=False)


def wrap_name(name: str, line_chars: int, lines: int = NAME_LINES) -> list[str]:
    """A name for Plotly in at most so many lines; Chinese counts two characters for each."""
    rest = plain_of(name)
    found: list[str] = []
    while len(found) < lines - 1 and width_of(rest) > line_chars:
        at = find_break(rest, count_fitting(rest, line_chars))
        found.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    fitting = count_fitting(rest, line_chars)
    found.append(rest if fitting == len(rest) else f"{rest[: max(1, fitting - 1)].rstrip()}…")
    return [escape_for_plotly(line) for line in found]


def width_of(text: str) -> int:
    return sum(map(char_width, text))


def char_width(char: str) -> int:
    return 2 if east_asian_width(char) in "WF" else 1


def count_fitting(text: str, chars: int) -> int:
    """Number of characters at the beginning that fit into a line."""
    widths = accumulate(map(char_width, text))
    return max(1, sum(width <= chars for width in widths))


def find_break(text: str, most: int) -> int:
    """Where the first line ends: behind a mark or beside a wide character, else at its limit."""
    places = range(most, most // 2, -1)
    wide = (at for at in places if text[at - 1] in " -_/.:" or char_width(text[at]) == 2)
    return next(wide, most)


def show_names(names: Sequence[str], limit: int) -> list[str]:
    """Names one below the other, in lines of `limit` characters.

    Where two would be cut to the same, what differs is kept.
    """
    shown = ["<br>".join(wrap_name(name, limit)) for name in names]
    alike: dict[str, set[str]] = {}
    for name, cut in zip(names, shown, strict=True):
        alike.setdefault(cut, set()).add(name)
    return [show_rest(name, alike[cut], limit) for name, cut in zip(names, shown, strict=True)]


def show_rest(name: str, alike: Collection[str], limit: int) -> str:
    """A name by its first characters and those from which it differs from others."""
    differing = (i for i, found in enumerate(zip(*alike, strict=False)) if len(set(found)) > 1)
    rest = name[next(differing, min(map(len, alike))) :] if len(alike) > 1 else ""
    told = f"{name[:HEAD_CHARS].rstrip()}…{rest}" if rest else name
    return "<br>".join(wrap_name(told, limit))


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


def percent_place(share: float) -> float:
    """The place of a share of 1 on an axis of pass rates, as a share of its length."""
    return (100 * share - AXIS_LOW) / (AXIS_HIGH - AXIS_LOW)


def percent_axis(counted: str = "", **more: Any) -> dict[str, Any]:
    """An axis of pass rates; it always begins at 0 and ends at 100.

    `counted` is what stands at the end in place of per cents, as in "9 tasks".
    """
    marks = [0, 100] if counted else [0, 25, 50, 75, 100]
    names = [*map(str, marks[:-1]), counted or "100 %"]
    return {"range": [AXIS_LOW, AXIS_HIGH], "tickvals": marks, "ticktext": names, **SPACED, **more}


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


def rows_height_px(names: Sequence[str], room_px: int = 72, row_px: int = ROW_PX) -> int:
    """Height of a chart with a row for each name: rows are higher where a phone wraps one."""
    is_wrapped = any(width_of(name) > NARROW_CHARS for name in names)
    return room_px + max(len(names), 2) * (WRAPPED_ROW_PX if is_wrapped else row_px)


def marker_of(is_baseline: bool, size: int = 9) -> dict[str, Any]:
    """A scripted baseline is a hollow dot: shape says it, not colour alone."""
    if is_baseline:
        return {"symbol": "circle-open", "size": size, "color": FAINT, "line": {"width": 1.5}}
    return {"symbol": "circle", "size": size, "color": INK, "line": {"width": 1, "color": SHEET}}
