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


class WholeRunSerializer(RunSerializer):
    """One run, with what it was played in and its figures by category."""

    categories = serializers.SerializerMethodField()
    limits = serializers.DictField(
        child=serializers.JSONField(), help_text="What one attempt may use; seconds and bytes."
    )
    environment = serializers.DictField(
        child=serializers.JSONField(), help_text="Sandbox, digests and versions."
    )

    class Meta:
        model = Run
        fields = (*RunSerializer.Meta.fields, "categories", "limits", "environment")

    @extend_schema_field(FiguresSerializer(many=True))
    def get_categories(self, run: Run) -> Any:
        parts = [s for s in run.summaries.all() if s.category != OVERALL]
        return FiguresSerializer(parts, many=True).data


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
        """Submit an endpoint: a run of every task of the suite is queued, private until published.

        The key is stored encrypted, and never told again by any address.
        """
        sent = SubmissionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        run = submit(owner_of(request), submission_of(sent.validated_data))
        return answer_run(request, run.pk, 201)


class OneRun(Api):
    """One run."""

    @extend_schema(tags=["Runs"], operation_id="runs_retrieve", responses=WholeRunSerializer)
    def get(self, request: Request, run_id: int) -> Response:
        return answer_run(request, run_id)


def answer_run(request: Request, run_id: int, status: int = 200) -> Response:
    run = get_object_or_404(runs_for(request.user), pk=run_id)
    response = Response(WholeRunSerializer(run).data, status=status)
    if status == 201:
        response["Location"] = reverse("api-run", args=[run.pk])
    return response


def owner_of(request: Request) -> AbstractBaseUser:
    """Who asks, where a token is required."""
    if not isinstance(request.user, AbstractBaseUser):
        raise NotAuthenticated
    return request.user
