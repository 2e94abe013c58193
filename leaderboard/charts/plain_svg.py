"""Charts as inline SVG: seen before Plotly draws them, and where no script runs.

Names stand in a column of fixed width, marks beside it in percent of what is left, so that a
drawing fits any page (`static/css/charts.css`).
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from leaderboard.charts.chart import percent_place
from leaderboard.charts.points import RunPoint
from leaderboard.rendering.text import isolate, strip_invisible

CELL = 0.94  # of a cell's place, so that cells stand apart

DRAWING = (
    '<div class="chart-plain" aria-hidden="true">'
    '<svg class="plain-names" width="100%" height="{0}">{1}</svg>'
    '<svg class="plain-marks" width="100%" height="{0}">{2}</svg>'
    '<svg class="plain-numbers" width="100%" height="{0}">{3}</svg></div>'
)
GRID_OF_CELLS = (
    '<svg y="{}" width="100%" height="{}" viewBox="0 0 {} {}" preserveAspectRatio="none">{}</svg>'
)
NAME = (
    '<foreignObject y="{}" width="100%" height="{}">'
    '<div class="plain-name"><span>{}</span></div></foreignObject>'
)
NUMBER = '<text x="100%" y="{}">{}</text>'
GRID = '<line class="w-axis" x1="{0}%" x2="{0}%" y1="{1}" y2="{2}"/>'
TICK = '<text class="plain-tick" x="{}%" y="{}">{}</text>'
RATE = (
    '<line class="w-range" x1="{0}%" x2="{1}%" y1="{3}" y2="{3}"/>'
    '<circle class="w-dot{4}" cx="{2}%" cy="{3}" r="4"/>'
)
HEAD = '<text class="plain-head" x="{}%" y="{}">{}</text>'
COLUMN = '<text class="plain-head plain-column" x="{}%" y="{}">{}</text>'
HEAT = '<rect class="plain-heat" x="{}%" y="{}" width="{}%" height="{}" fill-opacity="{}"/>'
CELLS = '<path class="{}" d="{}"/>'


def draw_plain_rates(
    points: Sequence[RunPoint], height_px: int, top_px: int, bottom_px: int, counted: str = ""
) -> SafeString:
    """Rates with their intervals, a run on each line; `counted` as for `percent_axis`."""
    ticks = {0: "0", 100: counted} if counted else {mark: str(mark) for mark in range(0, 101, 25)}
    step = (height_px - top_px - bottom_px) / max(1, len(points))
    lines = [round(top_px + step * (i + 0.5), 1) for i in range(len(points))]
    ends = (top_px, height_px - bottom_px)
    marks = [
        format_html_join("", GRID, ((place(mark / 100), *ends) for mark in ticks)),
        format_html_join(
            "", TICK, ((place(mark / 100), top_px - 8, words) for mark, words in ticks.items())
        ),
        format_html_join("", RATE, (rate_of(p, y) for p, y in zip(points, lines, strict=True))),
    ]
    numbers = format_html_join(
        "", NUMBER, ((y, p.label) for p, y in zip(points, lines, strict=True))
    )
    return format_html(
        DRAWING,
        height_px,
        draw_names([point.name for point in points], top_px, step),
        join_marks(marks),
        numbers,
    )


def rate_of(point: RunPoint, y: float) -> tuple[float, float, float, float, str]:
    hollow = " is-hollow" if point.is_baseline else ""
    low, high = (point.rate if end is None else end for end in (point.low, point.high))
    return place(low), place(high), place(point.rate), y, hollow


def place(share: float) -> float:
    """Per cent of the marks' width at which a share of 1 stands."""
    return round(100 * percent_place(share), 2)


def draw_plain_cells(
    names: Sequence[str],
    rows: Sequence[Sequence[float | None]],
    height_px: int,
    top_px: int,
    bottom_px: int,
) -> SafeString:
    """A row of cells for each name: passed, in part, failed; nothing without a verdict."""
    room = height_px - top_px - bottom_px
    step = room / max(1, len(rows))
    paths = {"cell-failed": "", "cell-part": "", "cell-passed": ""}
    for y, row in enumerate(rows):
        for x, share in enumerate(row):
            if share is not None:
                kind = "passed" if share == 1 else "part" if share else "failed"
                paths[f"cell-{kind}"] += f"M{x} {y}h{CELL}v{CELL}h-{CELL}z"
    columns = max((len(row) for row in rows), default=1)
    cells = format_html_join("", CELLS, ((name, path) for name, path in paths.items() if path))
    box = format_html(GRID_OF_CELLS, top_px, room, columns, max(1, len(rows)), cells)
    return format_html(DRAWING, height_px, draw_names(names, top_px, step), box, "")


def draw_plain_heat(
    names: Sequence[str],
    heads: Sequence[str],
    rows: Sequence[Sequence[tuple[float, str]]],
    height_px: int,
    top_px: int,
    bottom_px: int,
) -> SafeString:
    """A cell for each name and head, the deeper the greater its share, with its words in it."""
    step = (height_px - top_px - bottom_px) / max(1, len(names))
    width = 100 / max(1, len(heads))
    cells = [
        (round(width * x, 2), round(top_px + step * y, 1), round(width, 2), round(step, 1), *cell)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
    ]
    marks = [
        format_html_join(
            "",
            COLUMN,
            ((round(width * (x + 0.5), 2), top_px - 16, head) for x, head in enumerate(heads)),
        ),
        format_html_join("", HEAT, ((*cell[:4], round(cell[4], 3)) for cell in cells)),
        format_html_join(
            "",
            HEAD,
            ((round(x + w / 2, 2), round(y + h / 2, 1), words) for x, y, w, h, _, words in cells),
        ),
    ]
    return format_html(DRAWING, height_px, draw_names(names, top_px, step), join_marks(marks), "")


def join_marks(marks: Sequence[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((mark,) for mark in marks))


def draw_names(names: Sequence[str], top_px: float, step_px: float) -> SafeString:
    """One below the other; the style sheet wraps them into two lines."""
    shown = (isolate(" ".join(strip_invisible(name).split()) or "?") for name in names)
    places = ((round(top_px + step_px * i, 1), round(step_px, 1)) for i in range(len(names)))
    return format_html_join(
        "", NAME, ((*place, name) for place, name in zip(places, shown, strict=True))
    )
