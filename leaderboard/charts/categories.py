"""Pass rates per category, as a heatmap."""

from __future__ import annotations

from collections.abc import Sequence

from plotly import graph_objects as go

from leaderboard.charts.chart import (
    HOVER_CHARS,
    NARROW_CHARS,
    SPACED,
    Chart,
    Column,
    Row,
    make_figure,
    name_axis,
    percent,
    rows_height_px,
    show_name,
    show_share,
)
from leaderboard.charts.pass_rates import rate_column, rate_value, say_cut, sort_by_rate
from leaderboard.charts.plain_svg import draw_plain_heat
from leaderboard.charts.points import CategoryPoint, RunPoint
from leaderboard.charts.template import HOVER, INK, SHEET
from leaderboard.rendering.numbers import show_passed
from runner.run_figures import LEAST_TASKS

HEATMAP_RUNS = 40
HEAT_MARGIN = {"l": 8, "r": 8, "t": 56, "b": 8}
DEEP = "var(--accent-deep)"  # the ink is read on it as on the sheet


def draw_category_heatmap(points: Sequence[RunPoint]) -> Chart:
    ordered = sort_by_rate(points)
    drawn = ordered[:HEATMAP_RUNS]
    categories = categories_of(drawn)
    names = [point.name for point in drawn]
    titles = [f"{show_name(short_title(c))}<br>n {c.tasks}" for c in categories]
    figure = make_figure(
        [draw_cells(drawn, categories)] if categories else [],
        narrow={"yaxis": name_axis(names, NARROW_CHARS)},
        height=rows_height_px(names),
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
        [[cell_of(point, c.key) for c in categories] for point in drawn],
        rows_height_px(names),
        HEAT_MARGIN["t"],
        HEAT_MARGIN["b"],
    )
    categories = categories_of(ordered)
    return Chart(
        key="category-heatmap",
        title="Which categories are hard for everybody?",
        note=say_depth(categories) + say_cut(len(drawn), len(ordered)),
        figure=figure,
        columns=(
            Column("entry", "Model"),
            rate_column(points),
            *(
                Column(c.key, f"{c.title}, passed of {c.tasks}", is_number=True)
                if c.is_small
                else Column(c.key, f"{c.title}, % (n {c.tasks})", show_share, is_number=True)
                for c in categories
            ),
        ),
        rows=tuple(
            Row(
                point.url,
                (point.name, rate_value(point), *(value_in(point, c.key) for c in categories)),
            )
            for point in ordered
        ),
        plain=plain,
    )


def categories_of(points: Sequence[RunPoint]) -> list[CategoryPoint]:
    """Every category that one of the runs has, in the suite's order."""
    known = {c.key: c for point in points for c in point.categories}
    return sorted(known.values(), key=lambda c: c.position)


def find_category(point: RunPoint, key: str) -> CategoryPoint | None:
    return next((c for c in point.categories if c.key == key), None)


def value_in(point: RunPoint, key: str) -> float | None:
    """The rate in a category; of few tasks how many passed."""
    found = find_category(point, key)
    if found is None or found.rate is None:
        return None
    return round(found.rate * found.tasks, 1) if found.is_small else found.rate


def cell_of(point: RunPoint, key: str) -> tuple[float, str]:
    """Depth of the colour, a share, and the words; a count has none, and nothing is known of a
    category without a rate."""
    found = find_category(point, key)
    if found is None or found.rate is None:
        return 0.0, ""
    return 0.0 if found.is_small else found.rate, show_passed(found.rate, found.tasks)


def short_title(category: CategoryPoint) -> str:
    """One word for a narrow place: the key, as the suite's author chose it."""
    return category.key.replace("-", " ").replace("_", " ").capitalize()


def say_depth(categories: Sequence[CategoryPoint]) -> str:
    small = [c.title for c in categories if c.is_small]
    if small and len(small) == len(categories):
        return f"Tasks passed: categories of fewer than {LEAST_TASKS} have counts alone, no colour."
    depth = "The deeper the colour, the more tasks were passed."
    if not small:
        return depth
    return (
        f"{depth} Fewer than {LEAST_TASKS} tasks have counts alone, no colour: {', '.join(small)}."
    )


def hover_of(point: RunPoint, category: CategoryPoint) -> str:
    found = find_category(point, category.key)
    rate, tasks = (found.rate, found.tasks) if found else (None, 0)
    return (
        f"{show_name(point.name, HOVER_CHARS)}<br>{show_name(category.title)}:"
        f" {show_passed(rate, tasks, ' %')}, n {tasks}"
    )


def draw_cells(points: Sequence[RunPoint], categories: Sequence[CategoryPoint]) -> go.Heatmap:
    cells = [[cell_of(point, c.key) for c in categories] for point in points]
    return go.Heatmap(
        x=list(range(len(categories))),
        y=list(range(len(points))),
        z=[[percent(depth) if words else None for depth, words in row] for row in cells],
        text=[[words for _, words in row] for row in cells],
        zmin=0,
        zmax=100,
        colorscale=[[0, SHEET], [1, DEEP]],
        texttemplate="%{text}",
        textfont={"color": INK},
        hovertext=[[hover_of(point, c) for c in categories] for point in points],
        hovertemplate=HOVER,
        meta=[point.url for point in points],
    )
