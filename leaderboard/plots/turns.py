"""Success within k turns: which share of attempts had passed after so many replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from leaderboard.figures import show_percent
from leaderboard.plots.chart import (
    ACCENT,
    FAINT,
    HOVER_CHARS,
    SHEET,
    SOFT,
    Chart,
    Column,
    Row,
    make_figure,
    percent,
    percent_axis,
    show_name,
    show_share,
)
from leaderboard.plots.points import TurnsPoint
from leaderboard.plots.rates import say_cut

HEIGHT_PX = 420
DRAWN_RUNS = 8  # as many shapes as can be told apart
TOP = 101.0  # percent: the highest a name stands
LABEL_GAP = 5.5  # percentage points between two names at the right edge
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "triangle-down")
GLYPHS = "●■◆▲✚✖★▼"  # the same shapes, before the names


def draw_success_within_turns(points: Sequence[TurnsPoint], max_turns: int) -> Chart:
    ordered = sorted(points, key=lambda p: (-shares_within(p, max_turns)[-1], p.name))
    drawn = ordered[:DRAWN_RUNS]
    figure = make_figure(
        [
            draw_curve(point, max_turns, symbol, colour)
            for point, symbol, colour in zip(drawn, SYMBOLS, colours_of(drawn), strict=False)
        ],
        HEIGHT_PX,
        xaxis={"title": {"text": "Turns"}, "dtick": 1, "range": [0.8, max_turns + 0.2]},
        yaxis=percent_axis(title={"text": "Attempts passed"}),
        annotations=label_curves(drawn, max_turns),
        margin={"l": 64, "r": 168, "t": 16, "b": 48},
        showlegend=False,
    )
    figure["narrow"] = {
        "margin": {"l": 56, "r": 104, "t": 16, "b": 48},
        "annotations": label_curves(drawn, max_turns, limit=11),
    }
    return Chart(
        key="success-within-turns",
        title="How many turns does success take?",
        note="The share of attempts that had passed within so many replies of the model. A curve"
        " that still climbs at the right would gain from more turns."
        + say_cut(len(drawn), len(ordered)),
        figure=figure,
        columns=(
            Column("entry", "Entry"),
            *(
                Column(f"within_{k}", f"≤ {k}", show_share, is_number=True)
                for k in range(1, max_turns + 1)
            ),
            Column("attempts", "n", is_number=True),
        ),
        rows=tuple(
            Row(point.url, (point.name, *shares_within(point, max_turns), point.attempts))
            for point in ordered
        ),
    )


def shares_within(point: TurnsPoint, max_turns: int) -> list[float]:
    """Per k from 1 to `max_turns` the share of all attempts that passed in at most k turns."""
    return [
        sum(turns <= k for turns in point.solved_turns) / point.attempts if point.attempts else 0.0
        for k in range(1, max_turns + 1)
    ]


def colours_of(points: Sequence[TurnsPoint]) -> list[str]:
    """The best entry in the accent, the rest in greys: shapes and names tell them apart."""
    colours = [FAINT if point.is_baseline else SOFT for point in points]
    if SOFT in colours:
        colours[colours.index(SOFT)] = ACCENT
    return colours


def draw_curve(point: TurnsPoint, max_turns: int, symbol: str, colour: str) -> dict[str, Any]:
    shares = shares_within(point, max_turns)
    name = show_name(point.name, HOVER_CHARS)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": list(range(1, max_turns + 1)),
        "y": [percent(share) for share in shares],
        "line": {"color": colour, "width": 1.5, "dash": "dot" if point.is_baseline else "solid"},
        "marker": {
            "symbol": symbol,
            "size": 8,
            "color": colour,
            "line": {"width": 1, "color": SHEET},
        },
        "text": [
            f"<b>{name}</b><br>{show_percent(share)} % within {k}"
            for k, share in enumerate(shares, 1)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def label_curves(
    points: Sequence[TurnsPoint], max_turns: int, limit: int = 20
) -> list[dict[str, Any]]:
    """A name at the end of each curve, with room between them."""
    ends = [percent(shares_within(point, max_turns)[-1]) for point in points]
    return [
        {
            "x": 1,
            "xref": "paper",
            "xanchor": "left",
            "xshift": 8,
            "y": y,
            "text": f"{glyph} {show_name(point.name, limit)}",
            "showarrow": False,
            "font": {"size": 12, "color": colour},
        }
        for point, y, colour, glyph in zip(
            points, spread(ends, LABEL_GAP), colours_of(points), GLYPHS, strict=False
        )
    ]


def spread(ends: Sequence[float], gap: float) -> list[float]:
    """`ends`, which fall, moved apart to `gap` at least, each group staying about its middle."""
    groups: list[list[float]] = []  # each: the ends that stand together
    for end in ends:
        groups.append([end])
        while len(groups) > 1 and lowest(groups[-2], gap) - highest(groups[-1], gap) < gap:
            last = groups.pop()
            groups[-1] += last
    return [highest(group, gap) - i * gap for group in groups for i in range(len(group))]


def highest(group: Sequence[float], gap: float) -> float:
    """Where the first of a group stands: its middle is theirs, and none leaves the drawing."""
    room = gap * (len(group) - 1)
    return max(min(sum(group) / len(group) + room / 2, TOP), room)


def lowest(group: Sequence[float], gap: float) -> float:
    return highest(group, gap) - gap * (len(group) - 1)
