"""A suite in a line of the form: its size, and what a run of it usually takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from django.db.models import Count, QuerySet

from leaderboard.models import Suite
from leaderboard.rendering.numbers import show_count, show_duration
from leaderboard.submissions.forecast import PastRun
from leaderboard.submissions.past_runs import list_past_runs

ENOUGH = 5  # past runs; fewer are no "usually"
LANES = 2  # what the form offers


def describe_suites(suites: QuerySet[Suite]) -> dict[int, str]:
    """The line of each suite by its id. Two queries."""
    sized = list(suites.annotate(size=Count("tasks")))
    past = list_past_runs([suite.pk for suite in sized])
    return {suite.pk: describe_suite(suite, suite.size, past.get(suite.pk, ())) for suite in sized}


def describe_suite(suite: Suite, tasks: int, past: Sequence[PastRun]) -> str:
    """Like "Starter 1 · 31 tasks · usually 9 min 0 s and 90k tokens"."""
    words = [f"{suite.title} {suite.version}", f"{tasks} task{'' if tasks == 1 else 's'}"]
    took_s = middle(run.wall_s for run in past if run.wall_s > 0)
    tokens = middle(
        run.prompt_tokens + run.completion_tokens
        for run in past
        if run.prompt_tokens is not None and run.completion_tokens is not None
    )
    usual = [show_duration(took_s * tasks / LANES)] if took_s else []
    if tokens:
        usual.append(f"{show_count(round(tokens * tasks))} tokens")
    return " · ".join([*words, f"usually {' and '.join(usual)}"] if usual else words)


def middle(values: Iterable[float]) -> float | None:
    """The median; None of too few."""
    known = list(values)
    return median(known) if len(known) >= ENOUGH else None
