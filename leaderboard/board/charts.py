"""The board's charts: its rows as points, and what else of its runs a chart needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from statistics import fmean

from django.db.models import Count, Q
from django.urls import reverse

from leaderboard.board.rows import Board, BoardRow
from leaderboard.charts.categories import draw_category_heatmap
from leaderboard.charts.chart import Chart
from leaderboard.charts.pass_rates import draw_pass_rates
from leaderboard.charts.points import CategoryPoint, MatrixRun, MatrixTask, RunPoint, TurnsPoint
from leaderboard.charts.success_by_turn import draw_success_within_turns
from leaderboard.charts.task_matrix import draw_matrix
from leaderboard.charts.tradeoffs import draw_rate_against_cost, draw_rate_against_tokens
from leaderboard.models import Attempt, Suite
from runner.contract import Limits

MAX_DRAWN = 30

Draw = Callable[[Sequence[BoardRow], Suite], Chart]


def choose_drawn(board: Board, *, with_baselines: bool = False) -> list[BoardRow]:
    """The best models, then baselines where asked for: as many as can be told apart."""
    known = board.scripted if with_baselines else []
    baselines = [row for row in known if row.is_rated][: MAX_DRAWN // 3]
    models = islice((row for row in board.by_rank if row.is_rated), MAX_DRAWN - len(baselines))
    return [*models, *baselines]


def say_drawn(board: Board, drawn: Sequence[BoardRow]) -> str:
    """Sentence that names the runs shown in the charts."""
    models = sum(not row.run.entry.is_scripted for row in drawn)
    baselines = len(drawn) - models
    parts = []
    if models:
        all_of = f"the best {models} of {len(board.ranked)}" if models < len(board.ranked) else ""
        parts.append(f"{all_of or models} model{'' if models == 1 else 's'}")
    if baselines:
        parts.append(f"{baselines} scripted baseline{'s' if baselines > 1 else ''}")
    return f"Drawn: {' and '.join(parts)}." if parts else ""


def stamp_of(suite: Suite, board: Board, drawn: Sequence[BoardRow]) -> tuple[object, ...]:
    """All that the charts of these rows are drawn from, as a value: the rows themselves, and the
    board's version, which stands for the suite's tasks and the runs' attempts."""
    return (suite.pk, *board.version, *points_of(drawn))


def points_of(rows: Sequence[BoardRow]) -> list[RunPoint]:
    return [
        RunPoint(
            name=row.run.entry.name,
            url=row.run.get_absolute_url(),
            rate=row.rate or 0.0,
            low=row.low,
            high=row.high,
            tasks=row.tasks,
            tokens=row.tokens,
            cost=row.cost.per_task if row.cost else None,
            is_baseline=row.run.entry.is_scripted,
            categories=categories_of(row),
        )
        for row in rows
    ]


def categories_of(row: BoardRow) -> tuple[CategoryPoint, ...]:
    return tuple(
        CategoryPoint(category["key"], cell.title, cell.position, cell.tasks, cell.rate)
        for category, cell in zip(row.run.suite.categories, row.cells, strict=True)
    )


def draw_turns(rows: Sequence[BoardRow], suite: Suite) -> Chart:
    """One query: when the attempts of each row's runs succeeded."""
    row_of = {pk: row.run.pk for row in rows for pk in row.rated_runs}
    counts = (
        Attempt.objects.filter(run__in=[*row_of])
        .values_list("run_id", "passed", "turns")
        .annotate(count=Count("pk"))
        .order_by()
    )
    attempts: dict[int, int] = defaultdict(int)
    solved: dict[int, list[int]] = defaultdict(list)
    for run_id, passed, turns, count in counts:
        attempts[row_of[run_id]] += count
        solved[row_of[run_id]] += [turns] * (count if passed else 0)
    points = [
        TurnsPoint(
            row.run.entry.name,
            row.run.get_absolute_url(),
            attempts[row.run.pk],
            row.tasks,
            solved[row.run.pk],
            row.run.entry.is_scripted,
        )
        for row in rows
    ]
    return draw_success_within_turns(points, suite.limits.get("max_turns", Limits().max_turns))


def draw_tasks(rows: Sequence[BoardRow], suite: Suite) -> Chart:
    """Two queries: the suite's tasks, and the share of attempts that passed in each row's runs."""
    titles = {category["key"]: category["title"] for category in suite.categories}
    tasks = [
        MatrixTask(
            key, title, titles.get(category, category), reverse("task", args=[suite.name, key])
        )
        for key, title, category in suite.tasks.values_list("key", "title", "category")
    ]
    shares = load_shares(rows)
    runs = [
        MatrixRun(
            row.run.entry.name,
            row.run.get_absolute_url(),
            row.rate or 0.0,
            shares.get(row.run.pk, {}),
            row.run.entry.is_scripted,
        )
        for row in rows
    ]
    return draw_matrix(runs, tasks)


def load_shares(rows: Sequence[BoardRow]) -> Mapping[int, Mapping[str, float]]:
    """By a row's run and task's key the share that passed, as the mean of the row's runs."""
    row_of = {pk: row.run.pk for row in rows for pk in row.rated_runs}
    counts = (
        Attempt.objects.filter(run__in=[*row_of], passed__isnull=False)
        .values_list("run_id", "task__key")
        .annotate(attempts=Count("pk"), solved=Count("pk", Q(passed=True)))
        .order_by()
    )
    shares: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run_id, key, attempts, solved in counts:
        shares[row_of[run_id]][key].append(solved / attempts)
    return {run_id: {key: fmean(of[key]) for key in of} for run_id, of in shares.items()}


# In the order of the page: two side by side where there is room, wide ones on a line of their own.
DRAWINGS: Mapping[str, Draw] = {
    "pass-rates": lambda rows, suite: draw_pass_rates(points_of(rows)),
    "category-heatmap": lambda rows, suite: draw_category_heatmap(points_of(rows)),
    "rate-against-cost": lambda rows, suite: draw_rate_against_cost(points_of(rows)),
    "rate-against-tokens": lambda rows, suite: draw_rate_against_tokens(points_of(rows)),
    "success-within-turns": draw_turns,
    "matrix": draw_tasks,
}
# Addresses given out before, by the chart that answers the question now.
RENAMED = {
    **dict.fromkeys(("category-bars", "category-dots", "category-radars"), "category-heatmap"),
    "rate-against-turns": "success-within-turns",
}


def draw(key: str, rows: Sequence[BoardRow], suite: Suite) -> Chart:
    """The chart called `key` in DRAWINGS."""
    return DRAWINGS[key](rows, suite)
