"""A suite in a line of the form: its size, and what a run of it usually takes."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, QuerySet

from leaderboard.models import Suite
from leaderboard.rendering.numbers import show_rough_duration
from leaderboard.submissions.forecast import PastRun, Use, forecast
from leaderboard.submissions.forecast_words import round_count
from leaderboard.submissions.past_runs import list_past_runs

LANES = 2  # what the form offers


def describe_suites(suites: QuerySet[Suite]) -> dict[int, str]:
    """The line of each suite by its id. Two queries."""
    sized = list(suites.annotate(size=Count("tasks")))
    past = list_past_runs([suite.pk for suite in sized])
    return {suite.pk: describe_suite(suite, suite.size, past.get(suite.pk, ())) for suite in sized}


def describe_suite(suite: Suite, tasks: int, past: Sequence[PastRun]) -> str:
    """Like "Starter 1 · 31 tasks · usually 9 min and 90k tokens"."""
    words = [f"{suite.title} {suite.version}", f"{tasks} task{'' if tasks == 1 else 's'}"]
    usual = forecast({}, Use(tasks, LANES), past=past)
    if usual.past_runs and usual.seconds:
        took, tokens = show_rough_duration(usual.seconds.middle), round_count(usual.tokens.middle)
        words.append(f"usually {took} and {tokens} tokens")
    return " · ".join(words)
