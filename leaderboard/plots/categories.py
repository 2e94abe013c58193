"""Pass rates per category: grouped bars, radars and a heatmap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from leaderboard.figures import show_percent
from leaderboard.plots.chart import (
    ACCENT,
    HOVER_CHARS,
    INK,
    NARROW_CHARS,
    SHEET,
    SPACED,
    Chart,
    Column,
    Figure,
    Row,
    make_figure,
    name_axis,
    percent,
    percent_axis,
    rows_height_px,
    show_name,
    show_share,
)
from leaderboard.plots.points import CategoryPoint, RunPoint
from leaderboard.plots.rates import say_cut, sort_by_rate

SMALL_N = 20  # tasks: with fewer a category is greyed and never ranked
PALETTE = 7  # tokens --cat-1 … --cat-7
BAR_RUNS, RADAR_RUNS, HEATMAP_RUNS = 8, 6, 40
BAR_PX = 9
RADAR_PX, NARROW_RADAR_PX = 236, 158
DEEP = f"color-mix(in srgb, {ACCENT} 45%, {SHEET})"  # the ink is read on it as on the sheet


def draw_category_bars(points: Sequence[RunPoint]) -> Chart:
    ordered = sort_by_rate(points)
    drawn = ordered[:BAR_RUNS]
    categories = categories_of(drawn)
    names = [point.name for point in drawn]
    height_px = 96 + len(drawn) * (BAR_PX * len(categories) + 14)
    figure = make_figure(
        [draw_bars(drawn, category) for category in categories],
        max(height_px, 200),
        barmode="group",
        bargap=0.28,
        bargroupgap=0.08,
        xaxis=percent_axis(range=[0, 102]),
        yaxis=name_axis(names),
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        margin={"l": 8, "r": 16, "t": 56, "b": 32},
    )
    figure["narrow"] = {
        "yaxis": name_axis(names, NARROW_CHARS),
        "margin": {"l": 8, "r": 16, "t": 96, "b": 32},
    }
    return make_chart(
        "category-bars",
        "Where is each entry strong, and where weak?",
        figure,
        ordered,
        note="A category has its colour everywhere on this site."
        + say_small(categories, "Pale bars have")
        + say_cut(len(drawn), len(ordered)),
    )


def draw_category_radars(points: Sequence[RunPoint]) -> Chart:
    """One small radar per run: overlaid they could not be told apart."""
    ordered = sort_by_rate(points)
    drawn = ordered[:RADAR_RUNS] if len(categories_of(ordered)) > 2 else []
    figure = make_figure([draw_radar(i, point) for i, point in enumerate(drawn)], 0)
    figure["layout"] |= lay_out_radars(drawn, across=3, row_px=RADAR_PX, margin=0.2, limit=24) | {
        "showlegend": False
    }
    figure["narrow"] = lay_out_radars(
        drawn, across=2, row_px=NARROW_RADAR_PX, margin=0.31, limit=15
    )
    return make_chart(
        "category-radars",
        "Is an entry even across the categories, or lopsided?",
        figure,
        ordered,
        note="The rim is 100 %, the ring half-way 50 %. The area means nothing: compare spokes."
        + say_small(categories_of(ordered))
        + say_cut(len(drawn), len(ordered)),
    )


def draw_category_heatmap(points: Sequence[RunPoint]) -> Chart:
    ordered = sort_by_rate(points)
    drawn = ordered[:HEATMAP_RUNS]
    categories = categories_of(drawn)
    names = [point.name for point in drawn]
    titles = [f"{show_name(short_title(c))}<br>n {c.tasks}" for c in categories]
    figure = make_figure(
        [draw_cells(drawn, categories)] if categories else [],
        rows_height_px(len(drawn)),
        xaxis={
            "side": "top",
            "tickvals": list(range(len(categories))),
            "ticktext": titles,
            "showgrid": False,
            "zeroline": False,
            **SPACED,
        },
        yaxis=name_axis(names),
        margin={"l": 8, "r": 8, "t": 56, "b": 8},
    )
    figure["narrow"] = {"yaxis": name_axis(names, NARROW_CHARS)}
    return make_chart(
        "category-heatmap",
        "Which categories are hard for everybody?",
        figure,
        ordered,
        note="The deeper the colour, the more tasks were passed."
        + say_small(categories)
        + say_cut(len(drawn), len(ordered)),
    )


def categories_of(points: Sequence[RunPoint]) -> list[CategoryPoint]:
    """Every category that one of the runs has, in the suite's order."""
    known = {c.key: c for point in points for c in point.categories}
    return sorted(known.values(), key=lambda c: c.position)


def find_category(point: RunPoint, key: str) -> CategoryPoint | None:
    return next((c for c in point.categories if c.key == key), None)


def rate_in(point: RunPoint, key: str) -> float | None:
    found = find_category(point, key)
    return found.rate if found else None


def colour_of(category: CategoryPoint) -> str:
    return f"var(--cat-{(category.position - 1) % PALETTE + 1})"


def short_title(category: CategoryPoint) -> str:
    """One word for a narrow place: the key, as the suite's author chose it."""
    return category.key.replace("-", " ").replace("_", " ").capitalize()


def say_small(categories: Sequence[CategoryPoint], lead: str = "These have") -> str:
    small = [c.title for c in categories if c.tasks < SMALL_N]
    if not small:
        return ""
    return f" {lead} fewer than {SMALL_N} tasks, too few to rank by: {', '.join(small)}."


def draw_bars(points: Sequence[RunPoint], category: CategoryPoint) -> dict[str, Any]:
    rates = [rate_in(point, category.key) for point in points]
    return {
        "type": "bar",
        "orientation": "h",
        "name": f"{show_name(category.title)} (n {category.tasks})",
        "x": [None if rate is None else percent(rate) for rate in rates],
        "y": list(range(len(points))),
        "marker": {"color": colour_of(category), "line": {"width": 0}},
        "opacity": 0.55 if category.tasks < SMALL_N else 1,
        "text": [hover_of(point, category) for point in points],
        "textposition": "none",
        "hovertemplate": "%{text}<extra></extra>",
    }


def hover_of(point: RunPoint, category: CategoryPoint) -> str:
    found = find_category(point, category.key)
    tasks = found.tasks if found else 0
    return (
        f"<b>{show_name(point.name, HOVER_CHARS)}</b><br>{show_name(category.title)}:"
        f" {show_percent(rate_in(point, category.key))} %, n {tasks}"
    )


def draw_radar(index: int, point: RunPoint) -> dict[str, Any]:
    known = sorted(point.categories, key=lambda c: c.position)
    closed = [*known, *known[:1]]  # the line ends where it began
    return {
        "type": "scatterpolar",
        "mode": "lines+markers",
        "subplot": polar_name(index),
        "r": [percent(c.rate or 0) for c in closed],
        "theta": [show_name(short_title(c)) for c in closed],
        "fill": "toself",
        "fillcolor": "color-mix(in srgb, var(--accent) 14%, transparent)",
        "line": {"color": ACCENT, "width": 1.5},
        "marker": {"color": [colour_of(c) for c in closed], "size": 7},
        "text": [hover_of(point, c) for c in closed],
        "hovertemplate": "%{text}<extra></extra>",
        "hoveron": "points",
    }


def polar_name(index: int) -> str:
    return f"polar{index + 1}" if index else "polar"


def lay_out_radars(
    points: Sequence[RunPoint], across: int, row_px: int, margin: float, limit: int
) -> dict[str, Any]:
    """A radar per run in rows of `across`, each `row_px` high, its name above it.

    `margin` is the share of its width left for the names of the spokes, on either side.
    """
    down = max(1, -(-len(points) // across))
    layout: dict[str, Any] = {
        "height": row_px * down,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "annotations": [],
    }
    for i, point in enumerate(points):
        left, top = i % across / across, 1 - i // across / down
        bottom = top - 1 / down
        layout[polar_name(i)] = {
            "domain": {
                "x": [left + margin / across, left + (1 - margin) / across],
                "y": [bottom + 0.1 / down, top - 0.24 / down],
            },
            "radialaxis": {
                "range": [0, 100],
                "tickvals": [50, 100],
                "showticklabels": False,
                "showline": False,
                "ticks": "",
            },
            "angularaxis": {"rotation": 90, "direction": "clockwise"},
        }
        layout["annotations"].append(
            {
                "x": left + 0.5 / across,
                "y": top,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "center",
                "yanchor": "top",
                "text": f"{show_name(point.name, limit)}  {show_percent(point.rate)}",
                "showarrow": False,
                "font": {"color": INK, "size": 12},
            }
        )
    return layout


def draw_cells(points: Sequence[RunPoint], categories: Sequence[CategoryPoint]) -> dict[str, Any]:
    rates = [[rate_in(point, c.key) for c in categories] for point in points]
    return {
        "type": "heatmap",
        "x": list(range(len(categories))),
        "y": list(range(len(points))),
        "z": [[None if rate is None else percent(rate) for rate in row] for row in rates],
        "zmin": 0,
        "zmax": 100,
        "colorscale": [[0, SHEET], [1, DEEP]],
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
        "texttemplate": "%{z:.1f}",
        "textfont": {"color": INK},
        "text": [[hover_of(point, c) for c in categories] for point in points],
        "hovertemplate": "%{text}<extra></extra>",
        "hoverongaps": False,
    }


def make_chart(
    key: str, title: str, figure: Figure, points: Sequence[RunPoint], note: str
) -> Chart:
    """The three charts show the same numbers, so they have the same table."""
    categories = categories_of(points)
    return Chart(
        key=key,
        title=title,
        note=note,
        figure=figure,
        columns=(
            Column("entry", "Entry"),
            Column("rate", "All, %", show_share, is_number=True),
            *(
                Column(c.key, f"{c.title}, % (n {c.tasks})", show_share, is_number=True)
                for c in categories
            ),
        ),
        rows=tuple(
            Row(point.url, (point.name, point.rate, *(rate_in(point, c.key) for c in categories)))
            for point in points
        ),
    )
