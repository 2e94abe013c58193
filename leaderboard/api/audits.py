"""Auditors: what the caller lets them read, and the days on which they read it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.authentication import owner_of
from leaderboard.api.base import MAX_ID, Api, Latest, LatestQuery, Listing
from leaderboard.api.submission import Strict
from leaderboard.audits.grants import (
    BY_OWNER,
    end_grants,
    grants_of,
    let_audit,
    let_audit_all,
    list_auditors,
)
from leaderboard.ledger.public_names import public_name
from leaderboard.models import AuditGrant, AuditLook, Run


class AuditGrantSerializer(serializers.ModelSerializer[AuditGrant]):
    """Leave for an auditor to read one private run of yours, or all of them."""

    run = serializers.IntegerField(
        source="run_id", allow_null=True, help_text="Null: all your private runs, later ones too."
    )
    auditor = serializers.IntegerField(source="auditor_id")

    class Meta:
        model = AuditGrant
        fields = ("id", "run", "auditor", "created_at")


class NewGrantSerializer(Strict):
    """An auditor, and the run that they may read."""

    auditor = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    run = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_ID,
        help_text="Without one: all your private runs, later ones too.",
    )


class AuditorSerializer(serializers.Serializer[Any]):
    """An account that this site's maintainers trust to check results."""

    auditor = serializers.IntegerField(source="pk")
    name = serializers.SerializerMethodField()

    def get_name(self, auditor: Any) -> str:
        return public_name(auditor)


class AuditLookSerializer(serializers.ModelSerializer[AuditLook]):
    """A day on which an auditor read one of your private runs."""

    run = serializers.IntegerField(source="run_id")
    name = serializers.CharField(help_text="The auditor's, as in the ledger.")
    day = serializers.DateField(help_text="UTC.")

    class Meta:
        model = AuditLook
        fields = ("id", "run", "name", "day")


class AuditQuery(LatestQuery):
    """The run of which rows are listed."""

    run = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)


class OfOwner(Listing):
    """A list of the caller's own."""

    query_class: ClassVar[type[serializers.Serializer[Any]] | None] = AuditQuery
    pagination_class = Latest
    permission_classes = (IsAuthenticated,)

    def of_run(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows.filter(run=self.asked["run"]) if "run" in self.asked else rows


class AuditGrants(OfOwner):
    """Leaves that the caller gave auditors."""

    serializer_class = AuditGrantSerializer

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.query_class = None if request.method == "POST" else AuditQuery  # type: ignore[misc]
        super().initial(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[AuditGrant]:
        return self.of_run(grants_of(self.request.user))

    @extend_schema(tags=["Auditors"], operation_id="audits_list", parameters=[AuditQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Leaves that you gave auditors and did not take back, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        tags=["Auditors"],
        operation_id="audits_create",
        request=NewGrantSerializer,
        responses={201: AuditGrantSerializer},
    )
    def post(self, request: Request) -> Response:
        """Let an auditor read a private run of yours, or all of them. Again changes nothing."""
        sent = NewGrantSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        owner, facts = owner_of(request), sent.validated_data
        if "run" in facts:
            run = get_object_or_404(Run, pk=facts["run"], entry__owner=owner.pk)
            grant = let_audit(run.pk, facts["auditor"])
        else:
            grant = let_audit_all(owner, facts["auditor"])
        return Response(AuditGrantSerializer(grant).data, 201)


class EndAuditGrant(Api):
    """End of a leave."""

    http_method_names = ["post"]
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        tags=["Auditors"],
        operation_id="audits_end",
        request=None,
        responses=AuditGrantSerializer,
    )
    def post(self, request: Request, grant_id: int) -> Response:
        """Take a leave back: it opens nothing from now on."""
        grant = get_object_or_404(grants_of(owner_of(request)), pk=grant_id)
        answer = AuditGrantSerializer(grant).data
        end_grants(AuditGrant.objects.filter(pk=grant.pk), BY_OWNER)
        return Response(answer)


@extend_schema(tags=["Auditors"], parameters=[AuditQuery])
class AuditLooks(OfOwner):
    """Days on which auditors read your private runs, newest first."""

    serializer_class = AuditLookSerializer

    def get_queryset(self) -> QuerySet[AuditLook]:
        own = AuditLook.objects.filter(run__entry__owner=self.request.user.pk)
        return self.of_run(own)


@extend_schema(tags=["Auditors"], parameters=[LatestQuery])
class Auditors(Listing):
    """Accounts that can be let in."""

    serializer_class = AuditorSerializer
    query_class = LatestQuery
    pagination_class = Latest
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> Any:
        return list_auditors()
