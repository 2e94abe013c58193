"""A run's figures as rows: moved when an attempt ends, rebuilt by `manage.py recompute`."""

from __future__ import annotations

from collections.abc import Mapping

from leaderboard.models import Attempt, Run, RunSummary, Standing
from leaderboard.models.statements import insert, read
from leaderboard.scoring import figures
from leaderboard.scoring.figures import Counts
from leaderboard.scoring.usage import read_usage
from runner.contract import Limits, Status
from runner.run_figures import Figures

KEYS = ("id", "run", "category", "counts", "usage")
COLUMNS = [f.name for f in RunSummary._meta.fields if f.name not in KEYS]


def summarise(run: Run) -> None:
    """Write the run's figures, overall and per category, from all its attempts.

    Its entry's place, if it has one, is found again: corrected verdicts move ranges without ranks.
    """
    store(run, counts_of(run))
    placed = Standing.objects.filter(suite=run.suite_id, run__entry=run.entry_id)
    placed.update(lead_needed=None)


def store(run: Run, counts: Mapping[str, Counts]) -> None:
    rows = [
        RunSummary(
            run=run,
            category=key,
            counts=each.as_json(),
            usage=each.usage.as_json(),
            **vars(each.figures()),
        )
        for key, each in counts.items()
    ]
    insert(rows, unique=("run", "category"))


def note_end(run: Run, attempt: Attempt) -> int:
    """Count an attempt that was open and is over now; how many are still open or cancelled.

    Costs the same however many attempts the run has. The run's row must be locked.
    """
    categories = [figures.OVERALL, attempt.category]
    rows = read(RunSummary, {"run": run.pk, "category": categories})
    counts = {row.category: stored_counts(row) for row in rows if has_counts(row)}
    overall = counts.get(figures.OVERALL)
    per_task = run.attempts_per_task
    if overall is None or len(counts) < 2 or overall.attempts != overall.tasks * per_task:
        counts = counts_of(run)
    else:
        before = count_passed_before(run, attempt) if per_task > 1 else 0
        for each in counts.values():
            each.add(scored(attempt), per_task, Limits(**run.limits).max_turns, before)
    store(run, counts)
    return counts[figures.OVERALL].figures().open


def count_passed_before(run: Run, attempt: Attempt) -> int:
    """Count the attempts at the same task that passed before this one."""
    others = run.attempts.filter(task=attempt.task_id, passed=True).exclude(pk=attempt.pk)
    return others.count()


def has_counts(row: RunSummary) -> bool:
    """True if the row has what its figures are made of; older rows, and rows that an older worker
    wrote, are counted again."""
    usage = read_usage(row.usage)
    if not row.counts or usage is None:
        return False
    if "squares" not in row.counts and row.attempts > row.tasks:
        return False
    return bool(usage.talked == row.counts["talked"])


def stored_counts(row: RunSummary) -> Counts:
    return Counts.of_json(row.counts, read_usage(row.usage))


def counts_of(run: Run) -> dict[str, Counts]:
    """The run's counts by category, computed from its attempts."""
    attempts = run.attempts.defer("opening", "closing").order_by("pk")
    return figures.count(map(scored, attempts), Limits(**run.limits).max_turns)


def figures_of(run: Run) -> dict[str, Figures]:
    """The run's figures by category, computed from its attempts."""
    return {category: counts.figures() for category, counts in counts_of(run).items()}


def stored_figures(run: Run) -> dict[str, Figures]:
    """The run's figures by category, as its summary rows hold them."""
    return {
        row.category: Figures(**{name: getattr(row, name) for name in COLUMNS})
        for row in run.summaries.all()
    }


def scored(attempt: Attempt) -> figures.Scored:
    return figures.Scored(
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
        cached_tokens=attempt.cached_tokens,
        reasoning_tokens=attempt.reasoning_tokens,
    )
