"""Use of the past runs of a suite, for forecasts and for the suite's line in the form."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Count, QuerySet

from leaderboard.models import Entry, RunSummary, Suite
from leaderboard.rendering.numbers import show_rough_duration
from leaderboard.scoring.figures import OVERALL
from leaderboard.scoring.ranking import write_model
from leaderboard.submissions.forecast import PastRun, Use, forecast
from leaderboard.submissions.forecast_words import round_count
from runner.contract import Status

MOST_RUNS = 400  # the newest, of all suites that are asked for
MOST_VOID = 0.1  # of a run's attempts; one with more says little about the suite
LANES = 2  # what the form offers


def list_past_runs(suites: Collection[int]) -> dict[int, list[PastRun]]:
    """The newest complete run of each model by suite, newest first. One query.

    Several runs of a model say little of another one, so that they count once.

    Scripted agents and imported recordings are left out: no model answered in them.
    """
    rows = RunSummary.objects.filter(
        run__suite__in=suites,
        run__status=Status.DONE,
        run__entry__provenance=Entry.Provenance.RUN_HERE,
        category=OVERALL,
    ).order_by("-run")
    columns = (
        "run__suite", "run__entry__model_name", "attempts", "passed", "failed", "prompt_tokens",
        "completion_tokens", "wall_s",
    )  # fmt: skip
    found: dict[int, list[PastRun]] = {}
    seen: set[tuple[int, str]] = set()
    for suite, name, attempts, passed, failed, *use in rows.values_list(*columns)[:MOST_RUNS]:
        prompt, completion, wall_s = use
        decided, model = passed + failed, write_model(name)
        if (suite, model) in seen:
            continue
        if decided and decided >= attempts * (1 - MOST_VOID):
            seen.add((suite, model))
            past = PastRun(
                prompt_tokens=None if prompt is None else prompt / decided,
                completion_tokens=None if completion is None else completion / decided,
                wall_s=wall_s / decided,
            )
            found.setdefault(suite, []).append(past)
    return found


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
