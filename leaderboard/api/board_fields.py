"""Fields of a row of the board, as the API describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from leaderboard.models import Entry
from runner.contract import ActionFormat, Status


def rate(help_text: str = "") -> serializers.FloatField:
    return serializers.FloatField(min_value=0, max_value=1, allow_null=True, help_text=help_text)


def count(help_text: str = "") -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, allow_null=True, help_text=help_text)


def amount(help_text: str = "") -> serializers.FloatField:
    return serializers.FloatField(min_value=0, allow_null=True, help_text=help_text)


def some_rate(help_text: str) -> serializers.FloatField:
    return serializers.FloatField(
        min_value=0, max_value=1, allow_null=True, required=False, help_text=help_text
    )


def some_amount(help_text: str) -> serializers.FloatField:
    return serializers.FloatField(min_value=0, allow_null=True, required=False, help_text=help_text)


class BoardRowSerializer(serializers.Serializer[Any]):
    """One model that ranks by the mean of its runs, or a run that does not rank.

    Rates are shares of 1; what is unknown is null.
    Beside these fields there are three for each category of the suite, such as “chart”,
    “chart_passed” and “chart_tasks”: its rate, null of fewer than 20 tasks, how many passed, and
    its number of tasks.
    """

    group = serializers.ChoiceField(["ranked", "unranked", "scripted", "human"])
    rank = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="Null if unranked, or of fewer than 20 tasks."
    )
    rank_low = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="Best rank that it may have (95 %)."
    )
    rank_high = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="Worst rank that it may have (95 %)."
    )
    tie_group = serializers.IntegerField(
        allow_null=True, help_text="1 if the row may be the best (95 %), else 2."
    )
    why_unranked = serializers.CharField(
        allow_null=True, help_text="Why there is no rank, such as “incomplete”; null with one."
    )
    runs_counted = count(
        "Public complete runs of the model in the season: their mean has the rank."
    )
    runs_not_shown = count("Other runs of this model by its owner, over or paused, not public.")
    runs_incomplete = count("Public ones, over or paused, without a verdict on every attempt.")
    run_ids = serializers.CharField(
        allow_null=True, help_text="Ids of the runs whose mean has the rank, newest first."
    )
    rates_of = serializers.CharField(
        help_text="Ids of the runs whose mean the rates are: those that rank, or in a record of one"
        " run, as /runs/<id>.json, that run alone."
    )
    run = serializers.IntegerField(
        min_value=1, help_text="Id of the newest of them, as in /api/v1/runs/<id>/."
    )
    address = serializers.CharField(help_text="Address of the run's page.")
    entry = serializers.CharField(help_text="Name of the model.")
    organisation = serializers.CharField()
    size_b = serializers.FloatField(allow_null=True, help_text="Billions of parameters.")
    weights = serializers.ChoiceField(Entry.Weights.choices)
    format = serializers.ChoiceField([f.value for f in ActionFormat])
    provenance = serializers.ChoiceField(Entry.Provenance.choices)
    date = serializers.DateTimeField()
    status = serializers.ChoiceField([s.value for s in Status])
    attempts_per_task = serializers.IntegerField(min_value=1)
    tasks = serializers.IntegerField(min_value=0)
    passed = serializers.IntegerField(min_value=0)
    failed = serializers.IntegerField(min_value=0)
    void = serializers.IntegerField(min_value=0, help_text="Attempts without a verdict.")
    ut_strict = rate(
        "Share of tasks passed; null until every task has a verdict. Of fewer than 20 `tasks` it is"
        " their count and says nothing of chance."
    )
    ut_strict_low = rate("Of the 95 % interval; null of fewer than 20 tasks.")
    ut_strict_high = rate("Of the 95 % interval.")
    ut_paper = rate("By the published tests, where they were run.")
    ut_paper_tests = count("Number of published tests that were run.")
    ut_strict_unguessed = some_rate(
        "Without the tasks that a guess can pass; null of fewer than 20 tasks."
    )
    ut_strict_unguessed_passed = some_amount("How many of those passed.")
    ut_strict_unguessed_tasks = serializers.IntegerField(min_value=0, required=False)
    part_tasks = serializers.IntegerField(
        min_value=0, required=False, help_text="Tasks that the address names."
    )
    part_passed = some_amount("How many of those passed, in the mean over attempts.")
    part_rate = some_rate("On the tasks that the address names; null of fewer than 20.")
    part_low = some_rate("Of the 95 % interval of part_rate.")
    part_high = some_rate("Of the 95 % interval of part_rate.")
    pass_at_k = rate("One of k attempts passes; null with one attempt per task.")
    pass_at_k_low = rate()
    pass_at_k_high = rate()
    pass_hat_k = rate("All of k attempts pass.")
    pass_hat_k_low = rate()
    pass_hat_k_high = rate()
    spread_between_attempts = amount("Standard deviation of the rate between attempts.")
    tasks_flipped = count("Tasks that passed in some attempts only.")
    turns = amount("Mean number of replies per attempt.")
    tokens = amount("Mean number of tokens per attempt.")
    time_s = amount("Mean seconds per attempt.")
    cost_per_task = amount("Null for an unpriced run.")
    cost_per_solved = amount("Null for an unpriced run.")
    cost_currency = serializers.CharField(allow_null=True)
    cost_is_at_most = serializers.BooleanField(
        allow_null=True, help_text="True where the cost is an upper bound."
    )
    priced_attempts = serializers.IntegerField(min_value=0)
    replied_attempts = count()
