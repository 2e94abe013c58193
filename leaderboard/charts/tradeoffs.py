"""Cost of accuracy: pass rate against money and tokens, with the Pareto frontier."""

from __future__ import annotations

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
    percent_place,
    show_name,
)
from leaderboard.charts.labels import MOST, ChartLabel, label_dots
from leaderboard.charts.pass_rates import interval_of, rate_column, rate_value, sort_by_rate
from leaderboard.charts.points import RunPoint, count_few
from leaderboard.charts.template import ACCENT, INK, LINE
from leaderboard.rendering.numbers import show_count, show_money, show_passed

HEIGHT_PX = 420
MARGIN = {"l": 64, "r": 24, "t": 24, "b": 48}
NARROW_MARGIN = {"l": 48, "r": 16, "t": 24, "b": 48}
WIDTH_PX, NARROW_WIDTH_PX = 500, 280  # the least of the drawing
LABEL_CHARS, NARROW_LABEL_CHARS = 22, 14


@dataclass(frozen=True)
class Price:
    """Quantity that a pass rate is plotted against: where its value is and how it is shown."""

    key: str
    title: str
    note: str
    axis: str
    value: Callable[[RunPoint], float | None]
    show: Callable[[float | None], str]
    missing: str = "no token count is known"
    empty: str = "No endpoint of these models counted its tokens: replies need a “usage”."

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
    empty="No price is known for these models. A maintainer adds prices to the price book:"
    " manage.py load_prices FILE, or “Model prices” in the admin pages.",
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
    baselines, models = ([p for p in known if p.is_baseline == kind] for kind in (True, False))
    traces = [draw_frontier(frontier, price)] if frontier else []
    traces += [draw_points(kind, frontier, price) for kind in (baselines, models) if kind]
    figure = make_figure(
        traces,
        narrow={
            "margin": NARROW_MARGIN,
            "annotations": label(known, frontier, price, NARROW_WIDTH_PX, NARROW_LABEL_CHARS),
        },
        height=HEIGHT_PX,
        margin=MARGIN,
        xaxis=axis_of(known, price),
        yaxis=percent_axis(count_few(points), title={"text": "Tasks passed"}),
        annotations=label(known, frontier, price, WIDTH_PX, LABEL_CHARS),
    )
    return Chart(
        key=price.key,
        title=price.title,
        note=f"{price.note} Dots on the line: no other model passes more for less."
        + say_labelled(len(known))
        + say_missing(len(points) - len(known), price),
        missing=price.empty,
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


def say_labelled(known: int) -> str:
    return "" if known <= MOST else f" {MOST} of {known} have their name beside them."


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
    points: Sequence[RunPoint], frontier: Sequence[RunPoint], price: Price
) -> go.Scatter:
    """Dots of one kind, all of them baselines or none."""
    marker = marker_of(points[0].is_baseline)
    if any(point in frontier for point in points):
        marker["color"] = [ACCENT if point in frontier else INK for point in points]
    return go.Scatter(
        mode="markers",
        x=[price.known(point) for point in points],
        y=[percent(point.rate) for point in points],
        error_y=interval_of(points, color=LINE, width=0),
        marker=marker,
        cliponaxis=False,
        hovertext=[hover_of(point, price) for point in points],
        customdata=[point.url for point in points],
    )


def label(
    points: Sequence[RunPoint],
    frontier: Sequence[RunPoint],
    price: Price,
    width_px: int,
    line_chars: int,
) -> list[dict[str, Any]]:
    """Names beside dots: of those on the frontier, then of the best models."""
    low, high = axis_of(points, price)["range"]
    dots = [
        ChartLabel(
            point.name,
            log10(price.known(point)),
            percent(point.rate),
            across=(log10(price.known(point)) - low) / (high - low),
            down=1 - percent_place(point.rate),
        )
        for point in points
    ]
    order = sorted(
        range(len(points)), key=lambda i: (points[i] not in frontier, points[i].is_baseline, i)
    )
    height_px = HEIGHT_PX - MARGIN["t"] - MARGIN["b"]
    stairs = [dots[points.index(point)] for point in frontier]
    named = [dots[i] for i in order[:MOST]]
    return label_dots(named, dots, stairs, (width_px, height_px), line_chars)


def hover_of(point: RunPoint, price: Price) -> str:
    return (
        f"{show_name(point.name, HOVER_CHARS)}<br>"
        f"{show_passed(point.rate, point.tasks, ' %')} passed<br>"
        f"{price.axis}: {price.show(price.known(point))}"
    )


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
