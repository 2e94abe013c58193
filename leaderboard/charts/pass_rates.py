"""Pass rates with their intervals, one run per line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString
from plotly import graph_objects as go

from leaderboard.charts.chart import (
    HOVER_CHARS,
    NARROW_CHARS,
    Chart,
    Column,
    Row,
    make_figure,
    marker_of,
    name_axis,
    percent,
    percent_axis,
    rows_height_px,
    show_name,
    show_share,
)
from leaderboard.charts.plain_svg import draw_plain_rates
from leaderboard.charts.points import RunPoint, count_few
from leaderboard.charts.template import FAINT, SOFT
from leaderboard.rendering.numbers import say_interval, show_passed
from runner.run_figures import LEAST_TASKS

DRAWN_RUNS = 40
MARGIN = {"l": 8, "r": 48, "t": 32, "b": 8}

TITLE = "How many of the tasks does each model pass?"
INTERVALS = (
    "Dots are pass rates, lines their 95 % intervals. Overlapping intervals do not mean that"
    " two models are equal: they played the same tasks, so compare them."
)
FEW = "Dots are counts of tasks passed."
HOLLOW = " Hollow dots are scripted baselines, which are not ranked."


def draw_pass_rates(points: Sequence[RunPoint]) -> Chart:
    ordered = sort_by_rate(points)
    drawn = ordered[:DRAWN_RUNS]
    names = [point.name for point in drawn]
    traces = [trace_of(drawn, is_baseline) for is_baseline in (False, True)]
    figure = make_figure(
        [trace for trace in traces if trace.x],
        narrow={"yaxis": name_axis(names, NARROW_CHARS)},
        height=rows_height_px(names),
        xaxis=percent_axis(count_few(points), side="top"),
        yaxis=name_axis(names),
        annotations=[label_rate(row, point) for row, point in enumerate(drawn)],
        margin=MARGIN,
    )
    return Chart(
        key="pass-rates",
        title=TITLE,
        note=say_note(points) + say_cut(len(drawn), len(ordered)),
        figure=figure,
        columns=(
            Column("entry", "Model"),
            rate_column(points),
            Column("low", "Low", show_share, is_number=True),
            Column("high", "High", show_share, is_number=True),
            Column("tasks", "n", is_number=True),
            Column("kind", "Kind"),
        ),
        rows=tuple(row_of(point) for point in ordered),
        plain=draw_plain(points),
    )


def say_note(points: Sequence[RunPoint]) -> str:
    said = INTERVALS if any(point.low is not None for point in points) else FEW
    return said + HOLLOW if any(point.is_baseline for point in points) else said


def draw_plain(points: Sequence[RunPoint]) -> SafeString:
    """The same as inline SVG."""
    drawn = sort_by_rate(points)[:DRAWN_RUNS]
    height_px = rows_height_px([point.name for point in drawn])
    return draw_plain_rates(drawn, height_px, MARGIN["t"], MARGIN["b"], count_few(points))


def rate_column(points: Sequence[RunPoint]) -> Column:
    """Pass rates in a chart's table; of few tasks counts."""
    if count_few(points):
        return Column("passed", "Passed", is_number=True)
    return Column("rate", "Pass rate, %", show_share, is_number=True)


def rate_value(point: RunPoint) -> float:
    """The value in that column."""
    return round(point.rate * point.tasks, 1) if point.tasks < LEAST_TASKS else point.rate


def sort_by_rate(points: Sequence[RunPoint]) -> list[RunPoint]:
    return sorted(points, key=lambda point: (-point.rate, point.is_baseline, point.name))


def say_cut(drawn: int, known: int) -> str:
    """The sentence for a chart that leaves runs out, or nothing."""
    return f" The best {drawn} of {known} are drawn." if drawn < known else ""


def trace_of(points: Sequence[RunPoint], is_baseline: bool) -> go.Scatter:
    chosen = [(i, point) for i, point in enumerate(points) if point.is_baseline == is_baseline]
    return go.Scatter(
        mode="markers",
        x=[percent(point.rate) for _, point in chosen],
        y=[i for i, _ in chosen],
        error_x=interval_of([point for _, point in chosen]),
        marker=marker_of(is_baseline),
        hovertext=[hover_of(point) for _, point in chosen],
        customdata=[point.url for _, point in chosen],
    )


def interval_of(points: Sequence[RunPoint], **more: Any) -> dict[str, Any]:
    """The whiskers from low to high, which points of few tasks lack."""
    ends = [(point.low, point.rate, point.high) for point in points]
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if high is None else percent(high - rate) for _, rate, high in ends],
        "arrayminus": [0 if low is None else percent(rate - low) for low, rate, _ in ends],
        "color": SOFT,
        "thickness": 1.5,
        "width": 4,
        **more,
    }


def hover_of(point: RunPoint) -> str:
    return (
        f"{show_name(point.name, HOVER_CHARS)}<br>{show_passed(point.rate, point.tasks, ' %')}"
        f"{say_interval(point.low, point.high)}, n {point.tasks}"
    )


def label_rate(row: int, point: RunPoint) -> dict[str, Any]:
    """The number at the right end of a run's line; the axis says of how many tasks."""
    return {
        "x": 1,
        "xref": "paper",
        "xanchor": "left",
        "xshift": 8,
        "y": row,
        "yref": "y",
        "text": point.label,
        "showarrow": False,
        "font": {"color": FAINT if point.is_baseline else SOFT},
    }


def row_of(point: RunPoint) -> Row:
    kind = "scripted baseline" if point.is_baseline else "model"
    return Row(point.url, (point.name, rate_value(point), point.low, point.high, point.tasks, kind))
