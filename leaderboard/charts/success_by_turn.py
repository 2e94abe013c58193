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
    percent_place,
    show_name,
    show_share,
    show_text,
)
from leaderboard.charts.labels import MOST, ChartLabel, label_ends
from leaderboard.charts.pass_rates import say_cut
from leaderboard.charts.points import TurnsPoint
from leaderboard.charts.template import ACCENT, FAINT, SHEET, SOFT
from leaderboard.rendering.numbers import count_passed, show_percent
from runner.run_figures import LEAST_TASKS

HEIGHT_PX = 420
LABEL_CHARS, NARROW_LABEL_CHARS = 22, 13
MARGIN = {"l": 64, "r": 176, "t": 16, "b": 48}
NARROW_MARGIN = {"l": 48, "r": 108, "t": 16, "b": 48}
DRAWN_RUNS = MOST  # as many shapes as a reader can distinguish
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "triangle-down")


def draw_success_within_turns(points: Sequence[TurnsPoint], max_turns: int) -> Chart:
    ordered = sorted(points, key=lambda p: (-shares_within(p, max_turns)[-1], p.name))
    drawn = ordered[:DRAWN_RUNS]
    is_few = all(point.tasks < LEAST_TASKS for point in points)
    colours = colours_of(drawn)
    ends = [label_of(*each, max_turns) for each in zip(drawn, colours, strict=True)]
    plot_px = HEIGHT_PX - MARGIN["t"] - MARGIN["b"]
    figure = make_figure(
        [
            draw_curve(point, max_turns, symbol, colour)
            for point, symbol, colour in zip(drawn, SYMBOLS, colours, strict=False)
        ],
        narrow={
            "margin": NARROW_MARGIN,
            "annotations": label_ends(ends, plot_px, NARROW_LABEL_CHARS),
        },
        height=HEIGHT_PX,
        xaxis={"title": {"text": "Steps"}, "dtick": 1, "range": [0.8, max_turns + 0.2]},
        yaxis=percent_axis("all" if is_few else "", title={"text": "Attempts passed"}),
        margin=MARGIN,
        annotations=label_ends(ends, plot_px, LABEL_CHARS),
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


def label_of(point: TurnsPoint, colour: str, max_turns: int) -> ChartLabel:
    """The name of a curve, where it ends."""
    share = shares_within(point, max_turns)[-1]
    down = 1 - percent_place(share)
    return ChartLabel(point.name, max_turns, percent(share), across=1, down=down, colour=colour)


def draw_curve(point: TurnsPoint, max_turns: int, symbol: str, colour: str) -> go.Scatter:
    shares = shares_within(point, max_turns)
    name = show_name(point.name, HOVER_CHARS)
    return go.Scatter(
        mode="lines+markers",
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
