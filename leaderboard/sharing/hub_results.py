"""A run's results as a file for a model's repository on the Hugging Face Hub.

Such a file lies in the folder `.eval_results` and names a benchmark dataset that is registered on
the Hub. Without one (`PYBENCH_HUB_DATASETS`) the suite's own name stands in its place, marked as
such. The format: https://huggingface.co/docs/hub/eval-results
"""

from __future__ import annotations

from typing import Any

import yaml

from leaderboard.board.rows import BoardRow
from leaderboard.rendering.numbers import say_interval
from leaderboard.rendering.text import strip_invisible
from leaderboard.sharing.badge import say_incomparable, say_runs
from runner.run_figures import LEAST_TASKS

WHOLE = "default"  # the task of the dataset that stands for the suite; the others are categories
UNREGISTERED = (
    "# {0} is this suite's own name, not a dataset of the Hub. Results are shown on a model's page",
    "# only under a registered benchmark: write its id in the place of {0}.",
)
NO_RESULT = "# The run has no rate yet: some of its attempts have no verdict."
TOO_FEW = "# The suite has fewer than {} tasks, of which the run passed {}: too few for a rate{}."

Entry = dict[str, Any]


def write_hub_results(row: BoardRow, run_url: str, dataset: str) -> str:
    """YAML with the rate over all tasks and in each category of enough tasks, in per cent.

    `dataset` is the suite's on the Hub; "" for none.
    """
    used = dataset or f"pybench-{row.run.suite.name}"
    notes = [] if dataset else [line.format(used) for line in UNREGISTERED]
    entries = list_entries(row, run_url, used)
    if not entries:
        notes.append(
            TOO_FEW.format(LEAST_TASKS, row.count_words, say_incomparable(row))
            if row.is_rated
            else NO_RESULT
        )
    rows = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=10_000)
    return "".join(f"{line}\n" for line in notes) + rows


def list_entries(row: BoardRow, run_url: str, dataset: str) -> list[Entry]:
    """The entries of the file as the Hub's own library writes them; none without a rate, or of few
    tasks."""
    if not row.is_rated:
        return []
    parts = [(WHOLE, row.rate, row.low, row.high, row.tasks)]
    parts += [
        (category["key"], cell.rate, cell.low, cell.high, cell.tasks)
        for category, cell in zip(row.run.suite.categories, row.cells, strict=True)
    ]
    return [
        {
            "dataset": {"id": dataset, "task_id": task},
            "value": round(100 * (rate or 0.0), 2),
            "date": row.moment.date().isoformat(),
            "source": {"url": run_url, "name": "PyBench run"},
            "notes": say_setup(row, low, high, tasks),
        }
        for task, rate, low, high, tasks in parts
        if tasks >= LEAST_TASKS
    ]


def say_setup(row: BoardRow, low: float | None, high: float | None, tasks: int) -> str:
    suite = row.run.suite
    several = f"; {words}" if (words := say_runs(row)) else ""
    return strip_invisible(
        f"With a Python interpreter; {suite.name} v{suite.version}, share of {tasks} tasks whose "
        f"outputs pass every check, in %{say_interval(low, high)}; "
        f"seed {row.run.seed}{several}{say_incomparable(row)}"
    )
