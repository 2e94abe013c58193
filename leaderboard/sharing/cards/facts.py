"""Contents of the social cards of a run, a board and a task."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from leaderboard.board.rows import BoardRow
from leaderboard.models import Task
from leaderboard.rendering.numbers import show_passed, show_percent
from leaderboard.sharing.badge import say_runs, say_value, suite_of
from leaderboard.sharing.cards.draw import MAX_ROWS, Card, Rate


def card_of_run(row: BoardRow) -> Card:
    entry, run = row.run.entry, row.run
    about = entry.organisation or "Run of a model with a Python interpreter"
    return Card(
        entry.name,
        f"Run {run.pk}",
        about,
        (rate_of(row),) if row.is_rated else (),
        join(
            suite_of(row),
            count_tasks(row.tasks) if row.is_rated else "",
            say_runs(row),
            row.moment.date(),
        ),
        say_value(row),
    )


def card_of_board(rows: Sequence[BoardRow], suite: str, day: date) -> Card:
    """The best of the rows, which are in order; one that is alone is drawn as its run is."""
    rated = [row for row in rows if row.is_rated]
    shown = tuple(rate_of(row) for row in rated[:MAX_ROWS])
    more = len(rated) - len(shown)
    has_intervals = any(row.low is not None for row in rated)
    about = f"Tasks passed{', with 95 % interval' * has_intervals}"
    if len(shown) == 1:
        about = f"{rated[0].run.entry.name}: {about.lower()}"
    tasks = max((row.tasks for row in rated), default=0)
    return Card(
        suite,
        "Board",
        about,
        shown,
        join(count_tasks(tasks) if tasks else "", f"and {more} more" if more else "", day),
        "No model has a verdict on every task yet.",
    )


def card_of_task(task: Task, rate: float | None, low: float, high: float, day: date) -> Card:
    """Mean share that ranked models passed, under the task's English title if it has one."""
    suite = f"{task.suite.title} v{task.suite.version}"
    rates = (
        ()
        if rate is None
        else (Rate("", "", f"{show_percent(rate)} %", rate, low, high, "passed by models"),)
    )
    models = f"n {task.ranked} model{'s' if task.ranked > 1 else ''}" if task.ranked else ""
    return Card(
        task.english or task.title,
        task.key,
        f"Task {task.position} of {suite}",
        rates,
        join(models, day),
        "No model has a verdict on every task yet.",
    )


def rate_of(row: BoardRow) -> Rate:
    note = f"rank {row.rank_words}" if row.rank_words else "unranked"
    if row.is_small or row.is_part_of_mean:
        note = ""
    if row.run.why_not_comparable:
        note = "not comparable"
    name, fallback = row.run.entry.name, f"Run {row.run.pk}"
    words = show_passed(row.rate, row.tasks, " %")
    return Rate(name, fallback, words, row.rate or 0.0, row.low, row.high, note)


def count_tasks(tasks: int) -> str:
    return f"n {tasks} task{'' if tasks == 1 else 's'}"


def join(*parts: object) -> str:
    return "  ·  ".join(str(part) for part in parts if part)
