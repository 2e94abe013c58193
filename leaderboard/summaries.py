"""A run's figures as rows: written when an attempt ends, rebuilt by `manage.py recompute`."""

from __future__ import annotations

from dataclasses import asdict

from leaderboard import scoring
from leaderboard.models import Attempt, Run, RunSummary
from runner.contract import Limits, Status

COLUMNS = [f.name for f in RunSummary._meta.fields if f.name not in ("id", "run", "category")]


def summarise(run: Run) -> None:
    """Write the run's figures, overall and per category."""
    RunSummary.objects.bulk_create(
        [RunSummary(run=run, category=key, **asdict(f)) for key, f in figures_of(run).items()],
        update_conflicts=True,
        unique_fields=["run", "category"],
        update_fields=COLUMNS,
    )


def figures_of(run: Run) -> dict[str, scoring.Figures]:
    """The run's figures by category, computed from its attempts."""
    attempts = run.attempts.defer("opening", "closing").order_by("pk")
    return scoring.summarise(map(scored, attempts), Limits(**run.limits).max_turns)


def stored_figures(run: Run) -> dict[str, scoring.Figures]:
    """The run's figures by category, as its summary rows hold them."""
    return {
        row.category: scoring.Figures(**{name: getattr(row, name) for name in COLUMNS})
        for row in run.summaries.all()
    }


def scored(attempt: Attempt) -> scoring.Scored:
    return scoring.Scored(
        task_id=attempt.task_id,
        category=attempt.category,
        passed=attempt.passed,
        is_void=attempt.status == Status.DONE and attempt.is_void,
        turns=attempt.turns,
        prompt_tokens=attempt.prompt_tokens,
        completion_tokens=attempt.completion_tokens,
        model_s=attempt.model_s,
        cell_s=attempt.cell_s,
        wall_s=attempt.wall_s,
    )
