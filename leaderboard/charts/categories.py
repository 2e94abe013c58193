"""Pass rates per category: dot plots, radars and a heatmap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString
from plotly import graph_objects as go

from leaderboard.charts.chart import (
    HOVER_CHARS,
    NAME_CHARS,
    NARROW_CHARS,
    ROW_PX,
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
from leaderboard.charts.pass_rates import say_cut, sort_by_rate
from leaderboard.charts.plain_svg import draw_plain_heat, draw_plain_panels
from leaderboard.charts.points import CategoryPoint, RunPoint
from leaderboard.charts.template import ACCENT, HOVER, INK, SHEET
from leaderboard.rendering.numbers import show_percent
from leaderboard.scoring.figures import SMALL_N

PALETTE = 7  # tokens --cat-1 … --cat-7
DOT_RUNS, RADAR_RUNS, HEATMAP_RUNS = 12, 6, 40
NOT_DRAWN = SafeString("")
HEAT_MARGIN = {"l": 8, "r": 8, "t": 56, "b": 8}
DOT_HEAD_PX = 32  # of a category's name above its plot
RADAR_PX, NARROW_RADAR_PX = 236, 158
DEEP = "var(--accent-deep)"  # the ink is read on it as on the sheet
WASH = "var(--accent-wash)"


def draw_category_dots(points: Sequence[RunPoint]) -> Chart:
    """A small dot plot for each category, side by side; below each other on a phone."""
    ordered = sort_by_rate(points)
    drawn = ordered[:DOT_RUNS]
    categories = [c for c in categories_of(drawn) if c.tasks]
    figure = make_figure(
        [draw_dots(drawn, category, place) for place, category in enumerate(categories)],
        narrow=lay_out_dots(drawn, categories, is_narrow=True),
        **lay_out_dots(drawn, categories),
    )
    return make_chart(
        "category-dots",
        "Where is each entry strong, and where weak?",
        figure,
        ordered,
        note="Dots are pass rates, lines their 95 % intervals. Each category has the same colour"
        " everywhere on this site."
        + say_small(categories, "Pale ones have")
        + say_cut(len(drawn), len(ordered)),
        plain=draw_plain_dots(drawn, categories, figure),
        is_wide=True,
    )


def draw_category_radars(points: Sequence[RunPoint]) -> Chart:
    """One small radar per run: overlaid ones could not be distinguished."""
    ordered = sort_by_rate(points)
    drawn = ordered[:RADAR_RUNS] if len(categories_of(ordered)) > 2 else []
    figure = make_figure(
        [draw_radar(i, point) for i, point in enumerate(drawn)],
        narrow=lay_out_radars(drawn, across=2, row_px=NARROW_RADAR_PX, margin=0.31, limit=15),
        **lay_out_radars(drawn, across=3, row_px=RADAR_PX, margin=0.2, limit=24),
    )
    return make_chart(
        "category-radars",
        "Is an entry even across the categories, or lopsided?",
        figure,
        ordered,
        note="The rim is 100 %, the ring half-way 50 %. The area means nothing: compare spokes."
        + say_small(categories_of(ordered))
        + say_cut(len(drawn), len(ordered)),
        is_wide=True,
    )


def draw_category_heatmap(points: Sequence[RunPoint]) -> Chart:
    ordered = sort_by_rate(points)
    drawn = ordered[:HEATMAP_RUNS]
    categories = categories_of(drawn)
    names = [point.name for point in drawn]
    titles = [f"{show_name(short_title(c))}<br>n {c.tasks}" for c in categories]
    figure = make_figure(
        [draw_cells(drawn, categories)] if categories else [],
        narrow={"yaxis": name_axis(names, NARROW_CHARS)},
        height=rows_height_px(len(drawn)),
        xaxis={
            "side": "top",
            "tickvals": list(range(len(categories))),
            "ticktext": titles,
            "showgrid": False,
            "zeroline": False,
            **SPACED,
        },
        yaxis=name_axis(names),
        margin=HEAT_MARGIN,
    )
    plain = draw_plain_heat(
        names,
        [short_title(c) for c in categories],
        [[rate_in(point, c.key) for c in categories] for point in drawn],
        rows_height_px(len(drawn)),
        HEAT_MARGIN["t"],
        HEAT_MARGIN["b"],
    )
    return make_chart(
        "category-heatmap",
        "Which categories are hard for everybody?",
        figure,
        ordered,
        note="The deeper the colour, the more tasks were passed."
        + say_small(categories)
        + say_cut(len(drawn), len(ordered)),
        plain=plain,
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


def draw_dots(points: Sequence[RunPoint], category: CategoryPoint, place: int) -> go.Scatter:
    found = [find_category(point, category.key) for point in points]
    known = [(i, c) for i, c in enumerate(found) if c and c.rate is not None]
    colour = colour_of(category)
    return go.Scatter(
        mode="markers",
        name=show_name(category.title),
        x=[percent(c.rate or 0) for _, c in known],
        y=[i for i, _ in known],
        xaxis=f"x{place + 1}" if place else "x",
        yaxis=f"y{place + 1}" if place else "y",
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [percent(c.high - (c.rate or 0)) for _, c in known],
            "arrayminus": [percent((c.rate or 0) - c.low) for _, c in known],
            "color": colour,
            "thickness": 1.5,
            "width": 3,
        },
        marker={"symbol": "circle", "size": 8, "color": colour},
        opacity=0.55 if category.tasks < SMALL_N else 1,
        hovertext=[hover_of(points[i], category) for i, _ in known],
        customdata=[points[i].url for i, _ in known],
    )


def draw_plain_dots(
    points: Sequence[RunPoint], categories: Sequence[CategoryPoint], figure: Figure
) -> SafeString:
    """The same as inline SVG, as a wide page shows it."""

    def reach(point: RunPoint, key: str) -> tuple[float, float, float] | None:
        found = find_category(point, key)
        return (found.low, found.rate, found.high) if found and found.rate is not None else None

    panels = [
        (
            short_title(c),
            c.tasks,
            (c.position - 1) % PALETTE + 1,
            [reach(point, c.key) for point in points],
        )
        for c in categories
    ]
    height = int(figure["layout"]["height"])
    return draw_plain_panels([p.name for p in points], panels, height, DOT_HEAD_PX, 32)


def lay_out_dots(
    points: Sequence[RunPoint], categories: Sequence[CategoryPoint], *, is_narrow: bool = False
) -> dict[str, Any]:
    """Axes of one plot per category, in a row or, on a phone, in a column."""
    names = [point.name for point in points]
    count = max(1, len(categories))
    height = max(2, len(points)) * ROW_PX
    layout: dict[str, Any] = {
        "height": count * (height + DOT_HEAD_PX) + 32 if is_narrow else height + DOT_HEAD_PX + 40,
        "margin": {"l": 8, "r": 16, "t": DOT_HEAD_PX, "b": 32},
        "annotations": [],
    }
    gap = (DOT_HEAD_PX + 12) / (height + DOT_HEAD_PX) if is_narrow else 0.12
    for place, category in enumerate(categories):
        number = str(place + 1) if place else ""
        low, high = place / count, (place + 1 - gap) / count
        across, down = ([0, 1], [1 - high, 1 - low]) if is_narrow else ([low, high], [0, 1])
        has_names = is_narrow or not place
        layout[f"xaxis{number}"] = percent_axis(
            domain=across, anchor=f"y{number}", tickvals=[0, 50, 100], ticktext=["0", "50", "100"]
        )
        layout[f"yaxis{number}"] = name_axis(names, NARROW_CHARS if is_narrow else NAME_CHARS) | {
            "domain": down,
            "anchor": f"x{number}",
            "showticklabels": has_names,
        }
        layout["annotations"].append(
            {
                "text": f"{show_name(short_title(category))}, n {category.tasks}",
                "xref": f"x{number} domain",
                "yref": f"y{number} domain",
                "x": 0,
                "y": 1,
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"color": INK},
            }
        )
    return layout


def hover_of(point: RunPoint, category: CategoryPoint) -> str:
    found = find_category(point, category.key)
    tasks = found.tasks if found else 0
    return (
        f"{show_name(point.name, HOVER_CHARS)}<br>{show_name(category.title)}:"
        f" {show_percent(rate_in(point, category.key))} %, n {tasks}"
    )


def draw_radar(index: int, point: RunPoint) -> go.Scatterpolar:
    known = sorted(point.categories, key=lambda c: c.position)
    closed = [*known, *known[:1]]  # the line ends where it began
    return go.Scatterpolar(
        mode="lines+markers",
        subplot=polar_name(index),
        r=[percent(c.rate or 0) for c in closed],
        theta=[show_name(short_title(c)) for c in closed],
        fill="toself",
        fillcolor=WASH,
        line={"color": ACCENT, "width": 1.5},
        marker={"color": [colour_of(c) for c in closed], "size": 7},
        hovertext=[hover_of(point, c) for c in closed],
        meta=point.url,
    )


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


def draw_cells(points: Sequence[RunPoint], categories: Sequence[CategoryPoint]) -> go.Heatmap:
    rates = [[rate_in(point, c.key) for c in categories] for point in points]
    return go.Heatmap(
        x=list(range(len(categories))),
        y=list(range(len(points))),
        z=[[None if rate is None else percent(rate) for rate in row] for row in rates],
        zmin=0,
        zmax=100,
        colorscale=[[0, SHEET], [1, DEEP]],
        texttemplate="%{z:.1f}",
        textfont={"color": INK},
        hovertext=[[hover_of(point, c) for c in categories] for point in points],
        hovertemplate=HOVER,
        meta=[point.url for point in points],
    )


def make_chart(
    key: str,
    title: str,
    figure: Figure,
    points: Sequence[RunPoint],
    note: str,
    *,
    plain: SafeString = NOT_DRAWN,
    is_wide: bool = False,
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
        plain=plain,
        is_wide=is_wide,
    )
