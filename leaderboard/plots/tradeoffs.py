"""What accuracy costs: pass rate against turns and tokens, with the Pareto frontier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

from leaderboard.figures import show_count, show_mean, show_percent
from leaderboard.plots.chart import (
    ACCENT,
    FAINT,
    HOVER_CHARS,
    INK,
    LINE,
    Chart,
    Column,
    Row,
    Value,
    make_figure,
    marker_of,
    percent,
    percent_axis,
    show_name,
    show_share,
)
from leaderboard.plots.labels import Dot, Label, place_labels
from leaderboard.plots.points import RunPoint
from leaderboard.plots.rates import interval_of, sort_by_rate

HEIGHT_PX = 420
LABELLED_RUNS = 16  # with more, only the frontier has names


@dataclass(frozen=True)
class Area:
    """The drawing at its least, for which names are placed."""

    width_px: int
    height_px: int
    name_chars: int


WIDE, NARROW = Area(760, 356, 22), Area(260, 356, 12)


@dataclass(frozen=True)
class Price:
    """What a pass rate is set against: where its value is and how it is shown."""

    key: str
    title: str
    note: str
    axis: str
    value: Callable[[RunPoint], float | None]
    show: Callable[[float | None], str]
    is_log: bool = False

    def known(self, point: RunPoint) -> float:
        """The value of a point that has one."""
        return self.value(point) or 0.0

    def show_value(self, value: Value) -> str:
        return self.show(None if isinstance(value, str) else value)


TURNS = Price(
    key="rate-against-turns",
    title="Which entries pass most with the fewest turns?",
    note="A task that was not passed counts the turn limit.",
    axis="Turns per task",
    value=lambda point: point.turns,
    show=show_mean,
)
TOKENS = Price(
    key="rate-against-tokens",
    title="Which entries pass most for the fewest tokens?",
    note="Prompt and completion together. The scale is logarithmic.",
    axis="Tokens per task",
    value=lambda point: point.tokens or None,
    show=show_count,
    is_log=True,
)


def draw_rate_against_turns(points: Sequence[RunPoint]) -> Chart:
    return draw_tradeoff(points, TURNS)


def draw_rate_against_tokens(points: Sequence[RunPoint]) -> Chart:
    return draw_tradeoff(points, TOKENS)


def draw_tradeoff(points: Sequence[RunPoint], price: Price) -> Chart:
    known = [point for point in sort_by_rate(points) if price.value(point) is not None]
    frontier = find_frontier(known, price)
    traces = [
        draw_frontier(frontier, price),
        draw_points([point for point in known if point.is_baseline], frontier, price),
        draw_points([point for point in known if not point.is_baseline], frontier, price),
    ]
    figure = make_figure(
        [trace for trace in traces if trace["x"]],
        HEIGHT_PX,
        xaxis=axis_of(known, price),
        yaxis=percent_axis(title={"text": "Tasks passed"}),
        annotations=label_points(known, frontier, price, WIDE),
        margin={"l": 64, "r": 24, "t": 16, "b": 48},
        showlegend=False,
    )
    figure["narrow"] = {"annotations": label_points(known, frontier, price, NARROW)}
    return Chart(
        key=price.key,
        title=price.title,
        note=f"{price.note} Dots on the line: no other entry passes more for less."
        + say_missing(len(points) - len(known)),
        figure=figure,
        columns=(
            Column("entry", "Entry"),
            Column("rate", "Pass rate, %", show_share, is_number=True),
            Column("price", price.axis, price.show_value, is_number=True),
            Column("frontier", "On the frontier"),
        ),
        rows=tuple(row_of(point, point in frontier, price) for point in known),
    )


def row_of(point: RunPoint, is_on_frontier: bool, price: Price) -> Row:
    values = (point.name, point.rate, price.known(point), "yes" if is_on_frontier else "no")
    return Row(point.url, values)


def say_missing(missing: int) -> str:
    if not missing:
        return ""
    return f" Not drawn, because the number is unknown: {missing}."


def find_frontier(points: Sequence[RunPoint], price: Price) -> list[RunPoint]:
    """The points that none beats: no other is at least as good both ways and better in one.

    Cheapest first. Baselines are neither on it nor able to keep others off it.
    """
    rivals = [point for point in points if not point.is_baseline]
    frontier: list[RunPoint] = []
    best: tuple[float, float] | None = None  # price and rate of the last one taken
    for point in sorted(rivals, key=lambda point: (price.known(point), -point.rate)):
        here = price.known(point), point.rate
        if best is None or point.rate > best[1] or here == best:
            best = here
            frontier.append(point)
    return frontier


def draw_frontier(frontier: Sequence[RunPoint], price: Price) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [price.known(point) for point in frontier],
        "y": [percent(point.rate) for point in frontier],
        "line": {"shape": "hv", "color": ACCENT, "width": 1.5},
        "hoverinfo": "skip",
    }


def draw_points(
    points: Sequence[RunPoint], frontier: Sequence[RunPoint], price: Price
) -> dict[str, Any]:
    """Dots of one kind: all of them baselines, or none."""
    marker = marker_of(any(point.is_baseline for point in points))
    if any(point in frontier for point in points):
        marker["color"] = [ACCENT if point in frontier else INK for point in points]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [price.known(point) for point in points],
        "y": [percent(point.rate) for point in points],
        "error_y": interval_of(points, color=LINE, width=0),
        "marker": marker,
        "text": [hover_of(point, price) for point in points],
        "hovertemplate": "%{text}<extra></extra>",
    }


def hover_of(point: RunPoint, price: Price) -> str:
    return (
        f"<b>{show_name(point.name, HOVER_CHARS)}</b><br>{show_percent(point.rate)} % passed<br>"
        f"{price.axis}: {price.show(price.known(point))}"
    )


def axis_of(points: Sequence[RunPoint], price: Price) -> dict[str, Any]:
    """The axis of the price, its ends stated so that names can be placed."""
    title = {"text": price.axis}
    places = [place_of(point, price) for point in points] or [1.0]
    if not price.is_log:
        return {"title": title, "range": [0, 1.08 * max(places)]}
    low, high = min(places), max(places)
    room = max(0.1 * (high - low), 0.1)
    marks = marks_between(low - room, high + room)
    return {
        "title": title,
        "type": "log",
        "range": [low - room, high + room],
        "tickvals": marks,
        "ticktext": [show_round(mark) for mark in marks],
    }


def marks_between(low: float, high: float) -> list[int]:
    """1, 2 and 5 times the powers of ten between 10**low and 10**high; above two, powers alone."""
    digits = (1, 2, 5) if high - low < 2 else (1,)
    marks = [digit * 10**power for power in range(13) for digit in digits]
    return [mark for mark in marks if low <= log10(mark) <= high]


def show_round(mark: int) -> str:
    """As in "500", "20k", "1M"."""
    if mark < 1000:
        return str(mark)
    return f"{mark // 1000}k" if mark < 1_000_000 else f"{mark // 1_000_000}M"


def place_of(point: RunPoint, price: Price) -> float:
    """Where the point is along the axis, as Plotly counts it."""
    return log10(price.known(point)) if price.is_log else price.known(point)


def label_points(
    points: Sequence[RunPoint],
    frontier: Sequence[RunPoint],
    price: Price,
    area: Area,
) -> list[dict[str, Any]]:
    """Names beside the points, those on the frontier first."""
    start, end = axis_of(points, price)["range"]
    places = [place_of(point, price) for point in points]
    dots = [
        Dot(
            area.width_px * (x - start) / (end - start),
            area.height_px * (102 - percent(point.rate)) / 104,
            show_name(point.name, area.name_chars),
        )
        for x, point in zip(places, points, strict=True)
    ]
    wanted = [i for i, point in enumerate(points) if point in frontier]
    if len(points) <= LABELLED_RUNS:
        wanted += [i for i, point in enumerate(points) if point not in frontier]
    labels = place_labels(dots, wanted, area.width_px, area.height_px)
    return [draw_label(label, points[label.dot], places[label.dot]) for label in labels]


def draw_label(label: Label, point: RunPoint, x: float) -> dict[str, Any]:
    return {
        "x": x,
        "y": percent(point.rate),
        "text": label.text,
        "showarrow": False,
        "xanchor": label.xanchor,
        "yanchor": label.yanchor,
        "xshift": label.xshift,
        "yshift": label.yshift,
        "borderpad": 0,
        "font": {"color": FAINT if point.is_baseline else INK, "size": 12},
    }
