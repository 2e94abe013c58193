"""Success within k turns: which share of attempts had passed after so many replies."""

from __future__ import annotations

from collections.abc import Sequence

from plotly import graph_objects as go

from leaderboard.charts.chart import (
    HOVER_CHARS,
    Chart,
    Column,
    Row,
    make_figure,
    percent,
    percent_axis,
    show_name,
    show_share,
    show_text,
)
from leaderboard.charts.pass_rates import say_cut
from leaderboard.charts.points import TurnsPoint
from leaderboard.charts.template import ACCENT, FAINT, SHEET, SOFT
from leaderboard.rendering.numbers import count_passed, show_percent
from runner.run_figures import LEAST_TASKS

HEIGHT_PX = 420
DRAWN_RUNS = 8  # as many shapes as a reader can distinguish
LEGEND_CHARS = 22
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "triangle-down")


def draw_success_within_turns(points: Sequence[TurnsPoint], max_turns: int) -> Chart:
    ordered = sorted(points, key=lambda p: (-shares_within(p, max_turns)[-1], p.name))
    drawn = ordered[:DRAWN_RUNS]
    is_few = all(point.tasks < LEAST_TASKS for point in points)
    figure = make_figure(
        [
            draw_curve(point, max_turns, symbol, colour)
            for point, symbol, colour in zip(drawn, SYMBOLS, colours_of(drawn), strict=False)
        ],
        narrow={
            "margin": {"l": 56, "r": 16, "t": 16, "b": 48},
            "legend": {"orientation": "h", "y": -0.2},
        },
        height=HEIGHT_PX,
        xaxis={"title": {"text": "Steps"}, "dtick": 1, "range": [0.8, max_turns + 0.2]},
        yaxis=percent_axis("all" if is_few else "", title={"text": "Attempts passed"}),
        showlegend=len(drawn) > 0,  # also of a single curve, which Plotly would leave out
        margin={"l": 64, "r": 16, "t": 16, "b": 48},
    )
    return Chart(
        key="success-within-turns",
        title="How many steps does success take?",
        note="The attempts that passed within that many model replies. A curve that still"
        " rises at its right end would gain from more steps." + say_cut(len(drawn), len(ordered)),
        figure=figure,
        columns=(
            Column("entry", "Model"),
            *(
                Column(f"within_{k}", f"≤ {k}", show_text if is_few else show_share, is_number=True)
                for k in range(1, max_turns + 1)
            ),
            Column("attempts", "n", is_number=True),
        ),
        rows=tuple(
            Row(point.url, (point.name, *values_within(point, max_turns), point.attempts))
            for point in ordered
        ),
    )


def shares_within(point: TurnsPoint, max_turns: int) -> list[float]:
    """Per k from 1 to `max_turns` the share of all attempts that passed in at most k turns."""
    return [
        sum(turns <= k for turns in point.solved_turns) / point.attempts if point.attempts else 0.0
        for k in range(1, max_turns + 1)
    ]


def values_within(point: TurnsPoint, max_turns: int) -> list[float]:
    """The same for a table: of few tasks how many attempts."""
    shares = shares_within(point, max_turns)
    is_few = point.tasks < LEAST_TASKS
    return [round(share * point.attempts) for share in shares] if is_few else shares


def say_within(point: TurnsPoint, share: float) -> str:
    if point.tasks < LEAST_TASKS:
        return count_passed(share, point.attempts)
    return f"{show_percent(share)} %"


def colours_of(points: Sequence[TurnsPoint]) -> list[str]:
    """The best entry in the accent, the rest in greys: shapes and names tell them apart."""
    colours = [FAINT if point.is_baseline else SOFT for point in points]
    if SOFT in colours:
        colours[colours.index(SOFT)] = ACCENT
    return colours


def draw_curve(point: TurnsPoint, max_turns: int, symbol: str, colour: str) -> go.Scatter:
    shares = shares_within(point, max_turns)
    name = show_name(point.name, HOVER_CHARS)
    return go.Scatter(
        mode="lines+markers",
        name=show_name(point.name, LEGEND_CHARS),
        x=list(range(1, max_turns + 1)),
        y=[percent(share) for share in shares],
        line={"color": colour, "width": 1.5, "dash": "dot" if point.is_baseline else "solid"},
        marker={
            "symbol": symbol,
            "size": 8,
            "color": colour,
            "line": {"width": 1, "color": SHEET},
        },
        hovertext=[
            f"{name}<br>{say_within(point, share)} within {k}" for k, share in enumerate(shares, 1)
        ],
        meta=point.url,
    )
