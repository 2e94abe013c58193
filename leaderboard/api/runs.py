"""Runs: an entry on a suite version, queued here and read here."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import idempotency
from leaderboard.api.authentication import owner_of
from leaderboard.api.base import Api, Latest, LatestQuery, Listing
from leaderboard.api.run_fields import RunSerializer, WholeRunSerializer, answer_run, runs_for
from leaderboard.api.submission import SubmissionSerializer, submission_of
from leaderboard.api.suites import SuiteReferenceField
from leaderboard.models import Run
from leaderboard.submissions.submit import submit
from runner.contract import Status

EXAMPLE = {
    "suite": "starter",
    "base_url": "https://api.your-host.com/v1",
    "model": "my-model",
    "name": "My model",
    "api_key": "…",
    "sampling": {"temperature": 0},
}


class RunQuery(LatestQuery):
    suite = SuiteReferenceField(required=False)
    entry = serializers.SlugField(required=False, max_length=80)
    status = serializers.ChoiceField([s.value for s in Status], required=False)
    mine = serializers.BooleanField(
        required=False, help_text="Only those that the token's owner submitted."
    )


class Runs(Listing):
    """Public runs and, with a token, your own; newest first."""

    serializer_class = RunSerializer
    query_class = RunQuery
    columns = {"suite": "suite", "entry": "entry__slug", "status": "status"}
    pagination_class = Latest

    def get_queryset(self) -> QuerySet[Run]:
        wanted = self.wanted
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
        parameters=[idempotency.PARAMETER],
        request=SubmissionSerializer,
        responses={201: WholeRunSerializer},
        examples=[OpenApiExample("An endpoint", EXAMPLE, request_only=True)],
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Submit an endpoint: its preflight, then a run of every task, private until published.

        The run is “checking” until a worker has checked the endpoint, about ten seconds later;
        then it is “queued”, or “refused” with the reason in “refusal”. `"preflight": false`
        queues it at once. The key is stored encrypted, and no address ever shows it again.
        """
        return idempotency.answer_once(owner_of(request).pk, request, lambda: self.submit(request))

    def submit(self, request: Request) -> Response:
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
