"""Errata: checks that were wrong, and the stored results that were judged again."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import Api, Latest, LatestQuery, Listing
from leaderboard.errata.tell import CorrectedRun, list_corrected, visible_results
from leaderboard.models import Dispute, Erratum, Rejudgement


class ErratumSerializer(serializers.ModelSerializer[Erratum]):
    """A correction of checks of one suite version."""

    suite = serializers.CharField(source="suite.reference")
    tasks = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="By task key the digests of the task before and now.",
    )
    dispute = serializers.IntegerField(allow_null=True, help_text="That it settles.")
    concerned = serializers.IntegerField(help_text="Stored results that it concerns.")
    waiting = serializers.IntegerField(help_text="Of these, those that are not judged again yet.")
    address = serializers.CharField(source="get_absolute_url", help_text="Of its page.")
    board_before = serializers.SerializerMethodField(
        help_text="Address of the board just before, as JSON."
    )

    class Meta:
        model = Erratum
        fields = (
            "id", "suite", "reason", "tasks", "digest_before", "digest_now", "dispute", "concerned",
            "waiting", "address", "board_before", "began_at", "finished_at",
        )  # fmt: skip

    def get_board_before(self, erratum: Erratum) -> str:
        return reverse("erratum-before", args=[erratum.pk])


class CorrectedRunSerializer(serializers.Serializer[CorrectedRun]):
    """A run on the board before and after an erratum."""

    run = serializers.IntegerField(source="run.pk")
    passed_before = serializers.IntegerField(allow_null=True, help_text="Attempts.")
    passed_now = serializers.IntegerField(allow_null=True)
    rank_before = serializers.IntegerField(allow_null=True)
    rank_now = serializers.IntegerField(allow_null=True)


class ToldErratumSerializer(ErratumSerializer):
    """A correction of checks, with the ranks that it changed."""

    runs = CorrectedRunSerializer(many=True, help_text="Public ones, those that changed first.")

    class Meta(ErratumSerializer.Meta):
        fields = (*ErratumSerializer.Meta.fields, "runs")  # type: ignore[assignment]


class RejudgementSerializer(serializers.ModelSerializer[Rejudgement]):
    """A stored result with its old and its new verdict."""

    run = serializers.IntegerField(source="attempt.run_id")
    task = serializers.CharField(source="attempt.task.key")
    before = serializers.BooleanField(help_text="Whether it passed.")
    now = serializers.BooleanField(allow_null=True, help_text="Null until it is judged again.")
    state = serializers.ChoiceField(Rejudgement.State.values)
    note = serializers.CharField(help_text="Why the old verdict stays; empty otherwise.")

    class Meta:
        model = Rejudgement
        fields = ("id", "run", "attempt", "task", "before", "now", "state", "note", "judged_at")


def errata_for(user: Any) -> QuerySet[Erratum]:
    """Errata with their counts, and the dispute where the caller may see it."""
    disputes = Dispute.objects.visible_to(user).filter(rulings__errata=OuterRef("pk"))
    found: QuerySet[Erratum] = Erratum.objects.select_related("suite").defer("board_before")
    return found.annotate(
        dispute=Subquery(disputes.order_by().values("pk")[:1]),
        concerned=Count("rejudgements"),
        waiting=Count("rejudgements", Q(rejudgements__state=Rejudgement.State.DUE)),
    )


@extend_schema(tags=["Errata"], parameters=[LatestQuery])
class Errata(Listing):
    """Corrected checks, newest first."""

    serializer_class = ErratumSerializer
    query_class = LatestQuery
    pagination_class = Latest

    def get_queryset(self) -> QuerySet[Erratum]:
        return errata_for(self.request.user)


class OneErratum(Api):
    """One erratum."""

    @extend_schema(tags=["Errata"], operation_id="errata_retrieve", responses=ToldErratumSerializer)
    def get(self, request: Request, erratum_id: int) -> Response:
        """An erratum with ranks before and now of the public runs that it concerns."""
        found = get_object_or_404(errata_for(request.user), pk=erratum_id)
        found.runs = list_corrected(found)  # type: ignore[attr-defined]
        return Response(ToldErratumSerializer(found).data)


class ErratumResults(Listing):
    """Stored results that an erratum concerns."""

    serializer_class = RejudgementSerializer
    query_class = LatestQuery
    pagination_class = Latest

    def get_queryset(self) -> QuerySet[Rejudgement]:
        found = get_object_or_404(Erratum.objects.only("pk"), pk=self.kwargs["erratum_id"])
        return visible_results(found, self.request.user)

    @extend_schema(tags=["Errata"], operation_id="errata_results_list", parameters=[LatestQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Old and new verdicts, of runs that you can see, newest first."""
        return super().get(request, *args, **kwargs)
