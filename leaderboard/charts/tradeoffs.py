"""Cost of accuracy: pass rate against money and tokens, with the Pareto frontier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

from plotly import graph_objects as go

from leaderboard.charts.chart import (
    HOVER_CHARS,
    Chart,
    Column,
    Row,
    Value,
    make_figure,
    marker_of,
    percent,
    percent_axis,
    show_name,
)
from leaderboard.charts.pass_rates import interval_of, rate_column, rate_value, sort_by_rate
from leaderboard.charts.points import RunPoint, count_few
from leaderboard.charts.template import ACCENT, FAINT, INK, LINE
from leaderboard.rendering.numbers import show_count, show_money, show_passed

HEIGHT_PX = 420
NUMBERED_RUNS = 30  # with more, the rest is named by the hover and the table alone
KEY_PX, KEY_LINE_PX = 11, 15  # of the key's letters, and from line to line
KEY_CHARS = 24
MARGIN = {"l": 64, "r": 200, "t": 24, "b": 48}


@dataclass(frozen=True)
class Price:
    """Quantity that a pass rate is plotted against: where its value is and how it is shown."""

    key: str
    title: str
    note: str
    axis: str
    value: Callable[[RunPoint], float | None]
    show: Callable[[float | None], str]
    missing: str = "the number is unknown"

    def known(self, point: RunPoint) -> float:
        """The value of a point that has one."""
        return self.value(point) or 0.0

    def show_value(self, value: Value) -> str:
        return self.show(None if isinstance(value, str) else value)


COST = Price(
    key="rate-against-cost",
    title="Which models pass most for the least money?",
    note="At the price of each run's date, from the price book. The scale is logarithmic.",
    axis="Dollars per task",
    value=lambda point: point.cost or None,
    show=show_money,
    missing="no price is known",
)
TOKENS = Price(
    key="rate-against-tokens",
    title="Which models pass most for the fewest tokens?",
    note="Prompt and completion together. The scale is logarithmic.",
    axis="Tokens per task",
    value=lambda point: point.tokens or None,
    show=show_count,
)


def draw_rate_against_cost(points: Sequence[RunPoint]) -> Chart:
    """Baselines have no price: they are left out without a word."""
    return draw_tradeoff([point for point in points if not point.is_baseline], COST)


def draw_rate_against_tokens(points: Sequence[RunPoint]) -> Chart:
    return draw_tradeoff(points, TOKENS)


def draw_tradeoff(points: Sequence[RunPoint], price: Price) -> Chart:
    known = [point for point in sort_by_rate(points) if price.value(point) is not None]
    frontier = find_frontier(known, price)
    baselines, entries = (
        [(number, point) for number, point in enumerate(known, 1) if point.is_baseline == kind]
        for kind in (True, False)
    )
    traces = [draw_frontier(frontier, price)] if frontier else []
    traces += [draw_points(kind, frontier, price) for kind in (baselines, entries) if kind]
    figure = make_figure(
        traces,
        narrow=lay_out_key_below(known),
        xaxis=axis_of(known, price),
        yaxis=percent_axis(count_few(points), title={"text": "Tasks passed"}),
        **lay_out_key_beside(known),
    )
    return Chart(
        key=price.key,
        title=price.title,
        note=f"{price.note} Dots on the line: no other model passes more for less."
        + say_missing(len(points) - len(known), price),
        figure=figure,
        columns=(
            Column("entry", "Model"),
            rate_column(points),
            Column("price", price.axis, price.show_value, is_number=True),
            Column("frontier", "On the frontier"),
        ),
        rows=tuple(row_of(point, point in frontier, price) for point in known),
    )


def row_of(point: RunPoint, is_on_frontier: bool, price: Price) -> Row:
    values = (point.name, rate_value(point), price.known(point), "yes" if is_on_frontier else "no")
    return Row(point.url, values)


def say_missing(missing: int, price: Price) -> str:
    return f" Not drawn, because {price.missing}: {missing}." if missing else ""


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


def draw_frontier(frontier: Sequence[RunPoint], price: Price) -> go.Scatter:
    return go.Scatter(
        mode="lines",
        x=[price.known(point) for point in frontier],
        y=[percent(point.rate) for point in frontier],
        line={"shape": "hv", "color": ACCENT, "width": 1.5},
        hoverinfo="skip",
    )


def draw_points(
    numbered: Sequence[tuple[int, RunPoint]], frontier: Sequence[RunPoint], price: Price
) -> go.Scatter:
    """Dots of one kind, all of them baselines or none, each with its number in the key."""
    points = [point for _, point in numbered]
    marker = marker_of(points[0].is_baseline)
    if any(point in frontier for point in points):
        marker["color"] = [ACCENT if point in frontier else INK for point in points]
    return go.Scatter(
        mode="markers+text",
        x=[price.known(point) for point in points],
        y=[percent(point.rate) for point in points],
        error_y=interval_of(points, color=LINE, width=0),
        marker=marker,
        text=number_dots(numbered, price),
        textposition="top right",
        textfont={"color": FAINT, "size": KEY_PX},
        cliponaxis=False,
        hovertext=[hover_of(point, price) for point in points],
        customdata=[point.url for point in points],
    )


def number_dots(numbered: Sequence[tuple[int, RunPoint]], price: Price) -> list[str]:
    """The number of each dot. Of dots on one another the first says how many there are: "7 +2"."""
    places = [(price.known(point), point.rate) for _, point in numbered]
    counts = Counter(places)
    numbers = []
    for (number, _), place in zip(numbered, places, strict=True):
        others = counts.pop(place, 0) - 1
        is_shown = others >= 0 and number <= NUMBERED_RUNS
        numbers.append((f"{number} +{others}" if others else str(number)) if is_shown else "")
    return numbers


def hover_of(point: RunPoint, price: Price) -> str:
    return (
        f"{show_name(point.name, HOVER_CHARS)}<br>"
        f"{show_passed(point.rate, point.tasks, ' %')} passed<br>"
        f"{price.axis}: {price.show(price.known(point))}"
    )


def lay_out_key_beside(points: Sequence[RunPoint]) -> dict[str, Any]:
    """The names of the numbers at the right of the drawing, which is as high as they need."""
    key = draw_key(points) | {"x": 1, "xshift": 16, "y": 1, "yshift": 8}
    room_px = KEY_LINE_PX * min(len(points), NUMBERED_RUNS) + MARGIN["t"]
    return {"height": max(HEIGHT_PX, room_px), "margin": MARGIN, "annotations": [key]}


def lay_out_key_below(points: Sequence[RunPoint]) -> dict[str, Any]:
    """The same below the drawing, for a phone."""
    key = draw_key(points) | {"x": 0, "xshift": 0, "y": 0, "yshift": -56}
    room_px = KEY_LINE_PX * min(len(points), NUMBERED_RUNS) + 16
    return {
        "height": HEIGHT_PX + room_px,
        "margin": MARGIN | {"l": 56, "r": 16, "b": MARGIN["b"] + room_px},
        "annotations": [key],
    }


def draw_key(points: Sequence[RunPoint]) -> dict[str, Any]:
    """Numbers and names, one below the other."""
    lines = [
        f"{number}  {show_name(point.name, KEY_CHARS)}"
        for number, point in enumerate(points[:NUMBERED_RUNS], 1)
    ]
    return {
        "text": "<br>".join(lines),
        "align": "left",
        "font": {"size": KEY_PX},
        "showarrow": False,
        "xref": "paper",
        "xanchor": "left",
        "yref": "paper",
        "yanchor": "top",
    }


def axis_of(points: Sequence[RunPoint], price: Price) -> dict[str, Any]:
    """The logarithmic axis of the price, with marks that can be read."""
    places = [log10(price.known(point)) for point in points] or [1.0]
    low, high = min(places), max(places)
    room = max(0.1 * (high - low), 0.1)
    marks = marks_between(low - room, high + room)
    return {
        "title": {"text": price.axis},
        "type": "log",
        "range": [low - room, high + room],
        "tickvals": marks,
        "ticktext": [show_round(mark) for mark in marks],
    }


def marks_between(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten between 10**low and 10**high; above two, powers alone."""
    digits = (1, 2, 5) if high - low < 2 else (1,)
    marks = [float(f"{digit}e{power}") for power in range(-8, 13) for digit in digits]
    return [mark for mark in marks if low <= log10(mark) <= high]


def show_round(mark: float) -> str:
    """As in "0.002", "500", "20k", "1M"."""
    if mark < 1000:
        return f"{mark:.8f}".rstrip("0").rstrip(".")
    return f"{mark / 1000:.0f}k" if mark < 1_000_000 else f"{mark / 1_000_000:.0f}M"
