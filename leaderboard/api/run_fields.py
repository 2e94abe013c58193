"""A run as the API shows it: its fields, figures and place."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.models import Run, RunSummary, Standing
from leaderboard.money.ceiling import CeilingUse, use_of
from leaderboard.queue.concurrency import Pace, pace_of
from leaderboard.scoring.figures import OVERALL
from runner.contract import LimitReason
from runner.run_figures import LEAST_TASKS


class FiguresSerializer(serializers.ModelSerializer[RunSummary]):
    """Counts and rates, overall or of one category. Rates are from 0 to 1."""

    rate = serializers.FloatField(
        allow_null=True, help_text="Null in a category of fewer than 20 tasks: see its counts."
    )

    class Meta:
        model = RunSummary
        fields = (
            "category", "tasks", "attempts", "passed", "failed", "void", "open", "rate", "low",
            "high", "turns", "turns_solved", "prompt_tokens", "completion_tokens", "model_s",
            "cell_s", "wall_s",
        )  # fmt: skip


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """The model's rank on the suite's board, with the range that it may have (95 %).

    The rank is that of the mean of `runs`, the ids of the model's public runs that count, while
    the run's `figures` are its own; `not_shown` is the number of other
    runs of this model by its owner that are over or paused and not public, `incomplete` that of
    public ones without a verdict on every attempt.
    """

    rank = serializers.SerializerMethodField(help_text="Null on suites of fewer than 20 tasks.")
    group = serializers.SerializerMethodField(help_text="1 if it may be the best, else 2, or null.")

    class Meta:
        model = Standing
        fields = ("rank", "rank_low", "rank_high", "group", "runs", "not_shown", "incomplete")

    def get_rank(self, standing: Standing) -> int | None:
        return standing.facts["rank"]

    def get_group(self, standing: Standing) -> int | None:
        return standing.facts["tie_group"]


class RunSerializer(serializers.ModelSerializer[Run]):
    """One run."""

    entry = serializers.CharField(source="entry.slug")
    suite = serializers.CharField(source="suite.reference", read_only=True)
    figures = serializers.SerializerMethodField(
        help_text="Overall; null until something was counted."
    )
    standing = serializers.SerializerMethodField(help_text="Null for an unranked run.")
    address = serializers.CharField(source="get_absolute_url", help_text="Address of its page.")

    class Meta:
        model = Run
        fields = (
            "id", "entry", "suite", "status", "seed", "attempts_per_task", "concurrency",
            "is_public", "created_at", "started_at", "finished_at", "published_at",
            "withdrawn_at", "figures", "standing", "address",
        )  # fmt: skip

    @extend_schema_field(FiguresSerializer(allow_null=True))
    def get_figures(self, run: Run) -> Any:
        overall = next((s for s in run.summaries.all() if s.category == OVERALL), None)
        return self.figures_shown.to_representation(overall) if overall else None

    @extend_schema_field(StandingSerializer(allow_null=True))
    def get_standing(self, run: Run) -> Any:
        standing = getattr(run, "standing", None)
        return self.standing_shown.to_representation(standing) if standing else None

    @cached_property
    def figures_shown(self) -> FiguresSerializer:
        """One for all runs of a list: to make it costs more than to use it."""
        return FiguresSerializer()

    @cached_property
    def standing_shown(self) -> StandingSerializer:
        return StandingSerializer()


class PaceSerializer(serializers.Serializer[Pace]):
    """Attempts in parallel: how many the endpoint has turned out to bear."""

    now = serializers.IntegerField(allow_null=True, help_text="Null while nobody plays the run.")
    highest = serializers.IntegerField(help_text="Highest value of `now` so far.")
    most = serializers.IntegerField(help_text="The submitter's limit, never exceeded.")
    reason = serializers.ChoiceField(
        choices=[each.value for each in LimitReason],
        allow_null=True,
        help_text="Reason for fewer than `most`; null if no worker has one.",
    )
    words = serializers.CharField(help_text="The figures as on the run's page.")
    why = serializers.CharField(help_text="`reason` as a sentence, or “”.")


class CeilingSerializer(serializers.Serializer[CeilingUse]):
    """A run's ceiling, in tokens or in dollars, and how far it is used."""

    tokens = serializers.IntegerField(allow_null=True, help_text="Null for one in dollars.")
    dollars = serializers.FloatField(allow_null=True, help_text="Null for one in tokens.")
    share = serializers.FloatField(help_text="Used, from 0 to 1.")
    is_reached = serializers.BooleanField(
        help_text="The run stopped at it: its status is “cancelled”, and it can be resumed."
    )
    words = serializers.CharField(help_text="Used of how much, as the run's page shows it.")


class WholeRunSerializer(RunSerializer):
    """One run, with its environment, limits and figures by category."""

    refusal = serializers.CharField(
        help_text="Why the preflight refused it, in a sentence; empty for every other run."
    )
    key_refusal = serializers.SerializerMethodField(
        help_text="Why the key given for resuming was refused, for its owner alone; else empty."
    )
    preflight = serializers.SerializerMethodField(
        help_text="The report on the endpoint, for its owner alone; null until there is one."
    )
    categories = serializers.SerializerMethodField(
        help_text="`rate` is null of fewer than 20 tasks: their counts are all there is to say."
    )
    pace = serializers.SerializerMethodField(help_text="Null until a worker has found one.")
    ceiling = serializers.SerializerMethodField(help_text="Null for a run without one.")
    limits = serializers.DictField(
        child=serializers.JSONField(), help_text="What one attempt may use; seconds and bytes."
    )
    changed_sampling = serializers.DictField(
        child=serializers.JSONField(),
        help_text="Sampling that was changed in a pause: max_tokens, stream.",
    )
    why_not_comparable = serializers.ListField(
        child=serializers.CharField(),
        help_text="Reasons why no other run compares with it and it is never ranked; mostly [].",
    )
    environment = serializers.DictField(
        child=serializers.JSONField(), help_text="Sandbox, digests and versions."
    )

    class Meta:
        model = Run
        fields = (
            *RunSerializer.Meta.fields, "refusal", "key_refusal", "preflight", "categories", "pace",
            "ceiling", "limits", "changed_sampling", "why_not_comparable", "environment",
        )  # fmt: skip

    @extend_schema_field(serializers.DictField(child=serializers.JSONField(), allow_null=True))
    def get_preflight(self, run: Run) -> Any:
        return run.preflight or None if self.is_owners(run) else None

    def get_key_refusal(self, run: Run) -> str:
        return run.key_refusal if self.is_owners(run) else ""

    def is_owners(self, run: Run) -> bool:
        """True if the owner of the run asks."""
        return run.entry.owner_id is not None and run.entry.owner_id == self.context.get("asks")

    @extend_schema_field(FiguresSerializer(many=True))
    def get_categories(self, run: Run) -> Any:
        parts = [s for s in run.summaries.all() if s.category != OVERALL]
        told = FiguresSerializer(parts, many=True).data
        return [part | {"rate": None} if part["tasks"] < LEAST_TASKS else part for part in told]

    @extend_schema_field(CeilingSerializer(allow_null=True))
    def get_ceiling(self, run: Run) -> Any:
        use = use_of(run)
        return CeilingSerializer(use).data if use else None

    @extend_schema_field(PaceSerializer(allow_null=True))
    def get_pace(self, run: Run) -> Any:
        pace = pace_of(run)
        return PaceSerializer(pace).data if pace else None


def runs_for(user: Any) -> QuerySet[Run]:
    """Runs that `user` may read, with their related rows: two queries."""
    summaries = Prefetch("summaries", RunSummary.objects.order_by("category"))
    runs: QuerySet[Run] = (
        Run.objects.visible_to(user)
        .select_related("entry", "suite", "standing")
        .prefetch_related(summaries)
    )
    return runs


def answer_run(request: Request, run_id: int, status: int = 200) -> Response:
    run = get_object_or_404(runs_for(request.user), pk=run_id)
    told = WholeRunSerializer(run, context={"asks": request.user.pk})
    response = Response(told.data, status=status)
    if status == 201:
        response["Location"] = reverse("api-run", args=[run.pk])
    return response
