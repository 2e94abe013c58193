"""Runs: an entry on a suite version, queued here and read here."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.listing import Api, Latest, LatestQuery, Listing
from leaderboard.api.submitting import SubmissionSerializer, submission_of
from leaderboard.api.suites import SuiteReferenceField, reference_of
from leaderboard.models import Run, RunSummary, Standing
from leaderboard.paces import Pace, pace_of
from leaderboard.scoring import OVERALL
from leaderboard.submitting import submit
from runner.contract import Status


class FiguresSerializer(serializers.ModelSerializer[RunSummary]):
    """Counts and rates, overall or of one category. Rates are shares of 1."""

    class Meta:
        model = RunSummary
        fields = (
            "category", "tasks", "attempts", "passed", "failed", "void", "open", "rate", "low",
            "high", "turns", "turns_solved", "prompt_tokens", "completion_tokens", "model_s",
            "cell_s", "wall_s",
        )  # fmt: skip


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """The place on the suite's board, with the range that chance leaves open."""

    class Meta:
        model = Standing
        fields = ("rank", "rank_low", "rank_high", "group")


class RunSerializer(serializers.ModelSerializer[Run]):
    """One run."""

    entry = serializers.CharField(source="entry.slug")
    suite = serializers.SerializerMethodField()
    figures = serializers.SerializerMethodField(
        help_text="Overall; null until something was counted."
    )
    standing = serializers.SerializerMethodField(help_text="Null for a run without a place.")
    address = serializers.CharField(source="get_absolute_url", help_text="Of its page.")

    class Meta:
        model = Run
        fields = (
            "id", "entry", "suite", "status", "seed", "attempts_per_task", "concurrency",
            "is_public", "created_at", "started_at", "finished_at", "published_at",
            "withdrawn_at", "figures", "standing", "address",
        )  # fmt: skip

    def get_suite(self, run: Run) -> str:
        return reference_of(run.suite)

    @extend_schema_field(FiguresSerializer(allow_null=True))
    def get_figures(self, run: Run) -> Any:
        overall = next((s for s in run.summaries.all() if s.category == OVERALL), None)
        return FiguresSerializer(overall).data if overall else None

    @extend_schema_field(StandingSerializer(allow_null=True))
    def get_standing(self, run: Run) -> Any:
        standing = getattr(run, "standing", None)
        return StandingSerializer(standing).data if standing else None


class PaceSerializer(serializers.Serializer[Pace]):
    """Attempts at once, as its workers found that the endpoint takes them."""

    now = serializers.IntegerField(allow_null=True, help_text="Null while nobody plays the run.")
    highest = serializers.IntegerField(help_text="What `now` was at the most.")
    most = serializers.IntegerField(help_text="The submitter's limit, never exceeded.")
    words = serializers.CharField(help_text="As the run's page says it.")


class WholeRunSerializer(RunSerializer):
    """One run, with what it was played in and its figures by category."""

    refusal = serializers.CharField(
        help_text="Why the preflight refused it, in a sentence; empty for every other run."
    )
    preflight = serializers.SerializerMethodField(
        help_text="The report on the endpoint, for its owner alone; null until there is one."
    )
    categories = serializers.SerializerMethodField()
    pace = serializers.SerializerMethodField(help_text="Null until a worker found one.")
    limits = serializers.DictField(
        child=serializers.JSONField(), help_text="What one attempt may use; seconds and bytes."
    )
    environment = serializers.DictField(
        child=serializers.JSONField(), help_text="Sandbox, digests and versions."
    )

    class Meta:
        model = Run
        fields = (
            *RunSerializer.Meta.fields, "refusal", "preflight", "categories", "pace",
            "limits", "environment",
        )  # fmt: skip

    @extend_schema_field(serializers.DictField(child=serializers.JSONField(), allow_null=True))
    def get_preflight(self, run: Run) -> Any:
        is_owner = run.entry.owner_id is not None and run.entry.owner_id == self.context.get("asks")
        return run.preflight or None if is_owner else None

    @extend_schema_field(FiguresSerializer(many=True))
    def get_categories(self, run: Run) -> Any:
        parts = [s for s in run.summaries.all() if s.category != OVERALL]
        return FiguresSerializer(parts, many=True).data

    @extend_schema_field(PaceSerializer(allow_null=True))
    def get_pace(self, run: Run) -> Any:
        pace = pace_of(run)
        return PaceSerializer(pace).data if pace else None


class RunQuery(LatestQuery):
    suite = SuiteReferenceField(required=False)
    entry = serializers.SlugField(required=False, max_length=80)
    status = serializers.ChoiceField([s.value for s in Status], required=False)
    mine = serializers.BooleanField(
        required=False, help_text="Only those that the token's owner submitted."
    )


def runs_for(user: Any) -> QuerySet[Run]:
    """Runs that `user` may read, with what is told of them: two queries."""
    summaries = Prefetch("summaries", RunSummary.objects.order_by("category"))
    runs: QuerySet[Run] = (
        Run.objects.visible_to(user)
        .select_related("entry", "suite", "standing")
        .prefetch_related(summaries)
    )
    return runs


class Runs(Listing):
    """Public runs and the token's owner's own, the newest first."""

    serializer_class = RunSerializer
    query_class = RunQuery
    pagination_class = Latest

    def get_queryset(self) -> QuerySet[Run]:
        names = {"suite": "suite", "entry": "entry__slug", "status": "status"}
        wanted = {names[name]: v for name, v in self.asked.items() if name in names}
        if self.asked.get("mine"):
            wanted["entry__owner"] = self.request.user.pk or 0
        return runs_for(self.request.user).filter(**wanted)

    def get_permissions(self) -> Any:
        return [IsAuthenticated()] if self.request.method == "POST" else super().get_permissions()

    @extend_schema(tags=["Runs"], parameters=[RunQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        tags=["Runs"],
        operation_id="runs_create",
        request=SubmissionSerializer,
        responses={201: WholeRunSerializer},
    )
    def post(self, request: Request) -> Response:
        """Submit an endpoint: its preflight, then a run of every task, private until published.

        The run is “checking” until a worker has looked at the endpoint, which takes ten seconds;
        then it is “queued”, or “refused” with the reason in “refusal”. `"preflight": false`
        queues it at once. The key is stored encrypted, and never told again by any address.
        """
        sent = SubmissionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        run = submit(
            owner_of(request),
            submission_of(sent.validated_data),
            is_checked=not sent.validated_data.get("preflight", True),
        )
        return answer_run(request, run.pk, 201)


class OneRun(Api):
    """One run."""

    @extend_schema(tags=["Runs"], operation_id="runs_retrieve", responses=WholeRunSerializer)
    def get(self, request: Request, run_id: int) -> Response:
        return answer_run(request, run_id)


def answer_run(request: Request, run_id: int, status: int = 200) -> Response:
    run = get_object_or_404(runs_for(request.user), pk=run_id)
    told = WholeRunSerializer(run, context={"asks": request.user.pk})
    response = Response(told.data, status=status)
    if status == 201:
        response["Location"] = reverse("api-run", args=[run.pk])
    return response


def owner_of(request: Request) -> AbstractBaseUser:
    """Who asks, where a token is required."""
    if not isinstance(request.user, AbstractBaseUser):
        raise NotAuthenticated
    return request.user
