"""A run's results as a record of Every Eval Ever, which collects evaluations of many makers."""

from __future__ import annotations

from typing import Any

from leaderboard.board.rows import BoardRow, Cell
from leaderboard.sharing.badge import say_runs
from runner.run_figures import LEAST_TASKS

SCHEMA_VERSION = "0.3.0"
Part = tuple[str, float | None, float | None, float | None, int]
WEIGHTS = {"open": "open_weights", "closed": "closed_weights"}


def write_record(row: BoardRow, run_url: str, suite_url: str) -> dict[str, Any]:
    """The run's rate over all tasks and in each category, with intervals; of few tasks how
    many passed. None while it goes on."""
    entry, suite = row.run.entry, row.run.suite
    model, moment = entry.model_name or entry.name, str(int(row.moment.timestamp()))
    reasons = "; ".join(row.run.why_not_comparable)
    source = {"dataset_name": suite.title, "source_type": "url", "url": [suite_url]}
    parts = [(suite.title, row.rate, row.low, row.high, row.tasks)] if row.is_rated else []
    parts += [cell_part(suite.title, cell) for cell in row.cells if row.is_rated and cell.tasks]
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"pybench-{suite.name}-{suite.version}/{model}/{row.run.pk}",
        "evaluation_timestamp": moment,
        "retrieved_timestamp": moment,
        "source_metadata": {
            "source_name": "PyBench",
            "source_type": "evaluation_run",
            "source_organization_name": "PyBench",
            "evaluator_relationship": "third_party",
            "additional_details": {
                "run": run_url,
                "provenance": entry.provenance,
                **({"runs": words} if (words := say_runs(row)) else {}),
                **({"not_comparable": reasons} if reasons else {}),
            },
        },
        "eval_library": {"name": "pybench", "version": "unknown"},
        "model_info": {
            "name": entry.name,
            "id": model,
            **({"developer": entry.organisation} if entry.organisation else {}),
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": WEIGHTS.get(entry.weights, "unknown"),
            },
        },
        "evaluation_results": [result_of(*part, source) for part in parts],
    }


def cell_part(suite: str, cell: Cell) -> Part:
    return f"{suite}: {cell.title}", cell.rate, cell.low, cell.high, cell.tasks


def result_of(
    name: str,
    rate: float | None,
    low: float | None,
    high: float | None,
    tasks: int,
    source: dict[str, Any],
) -> dict[str, Any]:
    is_few, rate = tasks < LEAST_TASKS, rate or 0.0
    interval = {
        "lower": low,
        "upper": high,
        "confidence_level": 0.95,
        "method": "Wilson, for the effective number of tasks",
    }
    return {
        "evaluation_name": name,
        "source_data": source,
        "metric_config": {
            "evaluation_description": ("Number" if is_few else "Share")
            + " of tasks whose outputs pass every assertion",
            "metric_name": "Pass rate",
            "metric_kind": "pass_count" if is_few else "pass_rate",
            "metric_unit": "tasks" if is_few else "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": tasks if is_few else 1,
        },
        "score_details": {
            "score": round(rate * tasks, 2) if is_few else rate,
            "uncertainty": {
                **({} if low is None else {"confidence_interval": interval}),
                "num_samples": tasks,
            },
        },
    }
