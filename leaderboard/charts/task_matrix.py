"""Runs × tasks: who passed what, ordered so that the pattern shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plotly import graph_objects as go

from leaderboard.charts.chart import (
    NAME_CHARS,
    NARROW_CHARS,
    SPACED,
    Chart,
    Column,
    Row,
    distinguish,
    make_figure,
    name_axis,
    rows_height_px,
    show_name,
    show_share,
)
from leaderboard.charts.pass_rates import say_cut
from leaderboard.charts.plain_svg import draw_plain_cells
from leaderboard.charts.points import MatrixRun, MatrixTask
from leaderboard.charts.template import TINT

DRAWN_RUNS = 60
NAMED_TASKS = 40  # with more, their names are in the hover and the table alone
PAGE_TASKS = 150
CELL_PX = 18
KEY_CHARS = 200  # of a task's key, which is an address: it is never cut
CELL = "tasks/%{x}/"  # below a run's address: its attempt at the task of the column


def draw_matrix(runs: Sequence[MatrixRun], tasks: Sequence[MatrixTask]) -> Chart:
    """Runs by pass rate from the top down, tasks by solve rate from the left."""
    ordered = sorted(runs, key=lambda run: (-run.rate, run.name))
    drawn = ordered[:DRAWN_RUNS]
    columns = sort_by_solve_rate(ordered, tasks)
    names = distinguish([show_name(run.name) for run in drawn])
    has_names = len(columns) <= NAMED_TASKS
    cells_px = rows_height_px([run.name for run in drawn], room_px=0, row_px=CELL_PX)
    figure = make_figure(
        [draw_cells(drawn, columns, names)] if drawn and columns else [],
        narrow={
            "height": cells_px + 48,
            "margin": {"l": 8, "r": 8, "t": 8, "b": 40},
            "xaxis": task_axis(columns, has_names=False),
            "yaxis": run_axis(drawn, names, NARROW_CHARS),
        },
        height=cells_px + (144 if has_names else 48),
        xaxis=task_axis(columns, has_names),
        yaxis=run_axis(drawn, names),
        margin={"l": 8, "r": 8, "t": 8, "b": 136 if has_names else 40},
    )
    return Chart(
        key="matrix",
        title="Which tasks does everybody pass, and which nobody?",
        note="Filled cells were passed, pale ones were not, and gaps have no verdict. Easy tasks"
        " are on the left, hard ones on the right." + say_cut(len(drawn), len(ordered)),
        figure=figure,
        columns=(
            Column("task", "Task"),
            Column("category", "Category"),
            Column("solve_rate", "Solve rate, %", show_share, is_number=True),
            Column("runs", "Runs", is_number=True),
            *(
                Column(f"{place}. {run.name}", run.name, show_share, True, is_on_page=False)
                for place, run in enumerate(ordered, 1)
            ),
        ),
        rows=tuple(row_of(task, ordered) for task in columns),
        page_limit=PAGE_TASKS,
        plain=draw_plain_cells(
            [run.name for run in drawn],
            [[run.shares.get(task.key) for task in columns] for run in drawn],
            cells_px + (144 if has_names else 48),
            top_px=8,
            bottom_px=136 if has_names else 40,
        ),
        is_wide=True,
    )


def solve_rate(runs: Sequence[MatrixRun], key: str) -> float | None:
    """The mean share over the runs that have a verdict on the task; None without one."""
    shares = [run.shares[key] for run in runs if key in run.shares]
    return sum(shares) / len(shares) if shares else None


def sort_by_solve_rate(runs: Sequence[MatrixRun], tasks: Sequence[MatrixTask]) -> list[MatrixTask]:
    """Easiest first; tasks that none tried come last."""
    rates = {task.key: solve_rate(runs, task.key) for task in tasks}
    return sorted(tasks, key=lambda task: (-known_or(rates[task.key], -1.0), task.key))


def known_or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


def task_axis(tasks: Sequence[MatrixTask], has_names: bool) -> dict[str, Any]:
    return {
        "type": "category",
        "tickvals": list(range(len(tasks))) if has_names else [],
        "ticktext": [show_name(task.key, 22) for task in tasks] if has_names else [],
        "tickangle": -60,
        "title": {"text": "" if has_names else f"{len(tasks)} tasks, easiest first", "standoff": 0},
        "showgrid": False,
        "zeroline": False,
        **SPACED,
    }


def run_axis(
    runs: Sequence[MatrixRun], names: Sequence[str], limit: int = NAME_CHARS
) -> dict[str, Any]:
    """`names` distinguish the rows; a hover shows those, not the ones cut for the axis."""
    return name_axis([run.name for run in runs], limit) | {"type": "category", "tickvals": names}


def draw_cells(
    runs: Sequence[MatrixRun], tasks: Sequence[MatrixTask], names: Sequence[str]
) -> go.Heatmap:
    return go.Heatmap(
        x=[show_name(task.key, KEY_CHARS) for task in tasks],
        y=names,
        z=[[compact(run.shares.get(task.key)) for task in tasks] for run in runs],
        zmin=0,
        zmax=1,
        colorscale=[[0, TINT], [1, "var(--passed)"]],
        hovertemplate="%{x}<br>%{y}: %{z:.0%} passed<extra></extra>",
        meta=[f"{run.url}{CELL}" for run in runs],
    )


def compact(share: float | None) -> float | None:
    """Whole shares without their point: there are thousands in a figure."""
    return int(share) if share in (0, 1) else share


def row_of(task: MatrixTask, runs: Sequence[MatrixRun]) -> Row:
    judged = sum(task.key in run.shares for run in runs)
    shares = (run.shares.get(task.key) for run in runs)
    return Row(task.url, (task.key, task.category, solve_rate(runs, task.key), judged, *shares))
