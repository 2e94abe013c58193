"""Charts of a few made-up boards."""

from __future__ import annotations

import random
from functools import cache

from django.http import Http404

from leaderboard.charts.categories import draw_category_heatmap
from leaderboard.charts.chart import Chart
from leaderboard.charts.pass_rates import draw_pass_rates
from leaderboard.charts.points import CategoryPoint, MatrixRun, MatrixTask, RunPoint, TurnsPoint
from leaderboard.charts.success_by_turn import draw_success_within_turns
from leaderboard.charts.task_matrix import draw_matrix
from leaderboard.charts.tradeoffs import draw_rate_against_cost, draw_rate_against_tokens
from runner.run_figures import wilson

CATEGORIES = (
    ("chart", "Chart analysis", 62),
    ("text", "Text analysis", 23),
    ("image", "Image & audio editing", 48),
    ("maths", "Complex maths", 6),
    ("software", "Software/website development", 4),
)


NAMES = (
    "Foo-70B-Instruct",
    "Bar Large 2",
    "<b>bold</b> & <a href='https://example.org'>link</a>",
    "A model whose name goes on for sixty characters and then some",
    "通义千问-72B",
    "Quux mini",
    "Bar Large 2",
    "Baz-8B",
    "var(--ink)",
)


BASELINES = ("reference", "clumsy", "silent", "empty-file", "keyword-stuffer", "confident-liar")
MAX_TURNS = 10
TASKS = 30


def make_point(name: str, strength: float, *, is_baseline: bool = False) -> RunPoint:
    """A run of about that strength; the same name gives the same run."""
    source = random.Random(f"{name} {strength}")
    categories = []
    for position, (key, title, tasks) in enumerate(CATEGORIES, 1):
        share = min(1.0, max(0.0, strength + source.uniform(-0.2, 0.2))) if strength else 0.0
        rate = round(share * tasks) / tasks
        point = CategoryPoint(key, title, position, tasks, rate)
        categories.append(point)
    tasks = sum(c.tasks for c in categories)
    rate = sum((c.rate or 0) * c.tasks for c in categories) / tasks
    low, high = wilson(rate, tasks)
    return RunPoint(
        name=name,
        url=f"/runs/{len(name)}/",
        rate=rate,
        low=low,
        high=high,
        tasks=tasks,
        tokens=None if name == "Baz-8B" else 400 * 10 ** source.uniform(0.4, 2),
        cost=source.uniform(0.001, 0.2),
        is_baseline=is_baseline,
        categories=tuple(categories),
    )


def make_points(names: tuple[str, ...] = NAMES, baselines: int = 6) -> list[RunPoint]:
    points = [make_point(name, 0.92 - 0.09 * (i % 10)) for i, name in enumerate(names)]
    strengths = (0.99, 0.6, 0, 0, 0, 0)
    scripted = zip(BASELINES, strengths, strict=True)
    return points + [make_point(n, s, is_baseline=True) for n, s in list(scripted)[:baselines]]


def make_turns(points: list[RunPoint]) -> list[TurnsPoint]:
    turns = []
    for point in points:
        source = random.Random(point.name)
        solved = round(point.rate * point.tasks)
        taken = [min(MAX_TURNS, 2 + int(source.expovariate(0.45))) for _ in range(solved)]
        turns.append(
            TurnsPoint(point.name, point.url, point.tasks, point.tasks, taken, point.is_baseline)
        )
    return turns


def make_matrix(points: list[RunPoint], tasks: int) -> tuple[list[MatrixRun], list[MatrixTask]]:
    columns = [
        MatrixTask(f"task-number-{i}", f"Task number {i}", CATEGORIES[i % 5][0], f"/tasks/{i}/")
        for i in range(tasks)
    ]
    runs = []
    for point in points:
        source = random.Random(point.name)
        shares = {
            task.key: float(source.random() < point.rate * (1.3 - 0.6 * i / tasks))
            for i, task in enumerate(columns)
            if source.random() > 0.02
        }
        runs.append(MatrixRun(point.name, point.url, point.rate, shares, point.is_baseline))
    return runs, columns


def draw_all(points: list[RunPoint], tasks: int = TASKS) -> list[Chart]:
    return [
        draw_pass_rates(points),
        draw_category_heatmap(points),
        draw_rate_against_cost(points),
        draw_rate_against_tokens(points),
        draw_success_within_turns(make_turns(points), MAX_TURNS),
        draw_matrix(*make_matrix(points, tasks)),
    ]


@cache
def charts_of(case: str) -> dict[str, Chart]:
    points = {
        "full": make_points(),
        "baselines": make_points(names=()),
        "one": make_points(names=NAMES[:1], baselines=0),
        "empty": [],
        "many": make_points(names=tuple(f"Model {i}" for i in range(300))),
    }
    if case not in points:
        raise Http404
    tasks = {"many": 143, "empty": 0}.get(case, TASKS)
    return {chart.key: chart for chart in draw_all(points[case], tasks)}
