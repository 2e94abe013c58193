"""Disputes of verdicts: the list, a new one with its file, and maintainers' rulings."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.authentication import owner_of
from leaderboard.api.base import MAX_ID, Api, Latest, LatestQuery, Listing, Query, Strict
from leaderboard.api.body_file import MAX_NAME_CHARS, UploadParser
from leaderboard.disputes.dispute import (
    MAX_FILE_BYTES,
    MAX_WORDS_CHARS,
    TOO_LARGE,
    add_file,
    make_dispute,
)
from leaderboard.disputes.rule import rule
from leaderboard.models import Attempt, Dispute, Ruling, Run
from leaderboard.storage.file_response import INERT, send_attachment
from leaderboard.uploads.receive import MostBytes, ReceivedBody
from runner.contract import refusal


class RulingSerializer(serializers.ModelSerializer[Ruling]):
    """A maintainer's ruling. None is ever edited or deleted; the last one counts."""

    class Meta:
        model = Ruling
        fields = ("number", "kind", "words", "name", "at")


class FileOfDisputeSerializer(serializers.Serializer[Any]):
    """The file that came with a dispute."""

    name = serializers.CharField()
    size_bytes = serializers.IntegerField()
    sha256 = serializers.CharField()


class DisputeSerializer(serializers.ModelSerializer[Dispute]):
    """Doubt about one check of a verdict, or about the verdict as a whole."""

    run = serializers.IntegerField(source="attempt.run_id")
    task = serializers.CharField(source="attempt.task.key")
    address = serializers.CharField(source="get_absolute_url", help_text="Of its page.")
    assertion = serializers.IntegerField(help_text="From 1, in the check's order; 0: the whole.")
    file = serializers.SerializerMethodField()
    rulings = RulingSerializer(many=True)

    class Meta:
        model = Dispute
        fields = (
            "id", "run", "attempt", "task", "assertion", "assertion_name", "words", "name",
            "state", "file", "rulings", "address", "created_at",
        )  # fmt: skip

    def get_file(self, dispute: Dispute) -> FileOfDisputeSerializer(allow_null=True):  # type: ignore[valid-type]
        blob = dispute.blob
        if blob is None:
            return None
        return {"name": dispute.file_name, "size_bytes": blob.size_bytes, "sha256": blob.sha256}


class NewDisputeSerializer(Strict):
    """A dispute to make."""

    attempt = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    assertion = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=10_000,
        help_text="From 1, in the check's order; 0, the default, is the verdict as a whole.",
    )
    words = serializers.CharField(max_length=MAX_WORDS_CHARS, help_text="What is wrong, and why.")


class NewRulingSerializer(Strict):
    """A ruling to add."""

    kind = serializers.ChoiceField(Ruling.Kind.values)
    words = serializers.CharField(max_length=MAX_WORDS_CHARS, help_text="The reason.")
    seen = serializers.IntegerField(
        min_value=0,
        max_value=32_000,
        help_text="Number of rulings that you have read; refused once there are more.",
    )


class DisputesQuery(LatestQuery):
    """State, run or attempt of the disputes that are listed."""

    state = serializers.ChoiceField(Dispute.State.values, required=False)
    run = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)
    attempt = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)


def disputes_of(user: Any) -> QuerySet[Dispute]:
    """The disputes that the caller may see."""
    visible: QuerySet[Dispute] = Dispute.objects.visible_to(user)
    return visible.select_related("attempt__task", "blob").prefetch_related("rulings")


def answer_dispute(request: Request, dispute_id: int, status: int = 200) -> Response:
    found = get_object_or_404(disputes_of(request.user), pk=dispute_id)
    return Response(DisputeSerializer(found).data, status)


class Disputes(Listing):
    """Disputes, newest first."""

    serializer_class = DisputeSerializer
    query_class = DisputesQuery
    columns = {"state": "state", "run": "attempt__run", "attempt": "attempt"}
    pagination_class = Latest
    permission_classes = (IsAuthenticatedOrReadOnly,)

    def get_queryset(self) -> QuerySet[Dispute]:
        return disputes_of(self.request.user).filter(**self.wanted)

    @extend_schema(tags=["Disputes"], operation_id="disputes_list", parameters=[DisputesQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Disputes, newest first: those of public runs, and of private ones that concern you."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        tags=["Disputes"],
        operation_id="disputes_create",
        request=NewDisputeSerializer,
        responses={201: DisputeSerializer},
    )
    def post(self, request: Request) -> Response:
        """Dispute a verdict, at one of its checks or as a whole.

        A maintainer rules on it. Words and name are public where the run is. Each check of a
        verdict can be disputed once by an account.
        """
        sent = NewDisputeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        facts = sent.validated_data
        attempts = Attempt.objects.filter(run__in=Run.objects.visible_to(request.user))
        attempt = get_object_or_404(attempts.select_related("run__entry"), pk=facts["attempt"])
        owner, number = owner_of(request), facts.get("assertion", 0)
        made = make_dispute(owner, attempt, number, facts["words"])
        return answer_dispute(request, made.pk, 201)


class OneDispute(Api):
    """One dispute."""

    @extend_schema(tags=["Disputes"], operation_id="disputes_retrieve", responses=DisputeSerializer)
    def get(self, request: Request, dispute_id: int) -> Response:
        """A dispute with its rulings."""
        return answer_dispute(request, dispute_id)


class DisputeParser(UploadParser):
    """A dispute's file."""

    most = MostBytes(MAX_FILE_BYTES, TOO_LARGE)


class FileQuery(Query):
    """Name of the file that is sent."""

    page_size = None  # type: ignore[assignment]
    name = serializers.CharField(required=False, max_length=MAX_NAME_CHARS)


class DisputeFile(Api):
    """The one file of a dispute."""

    permission_classes = (IsAuthenticatedOrReadOnly,)
    parser_classes = (DisputeParser,)
    posted_query = FileQuery

    @extend_schema(
        tags=["Disputes"],
        operation_id="disputes_file",
        responses={(200, INERT): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, dispute_id: int) -> HttpResponseBase:
        """The file's bytes as they came, as an attachment of no specific type."""
        found = get_object_or_404(disputes_of(request.user), pk=dispute_id)
        return send_attachment(found.blob, found.file_name)

    @extend_schema(
        tags=["Disputes"],
        operation_id="disputes_add_file",
        parameters=[FileQuery],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={201: DisputeSerializer},
    )
    def post(self, request: Request, dispute_id: int) -> Response:
        """Add a file to your own open dispute, once: the body is its bytes, 4 MiB at most."""
        found = get_object_or_404(disputes_of(request.user), pk=dispute_id)
        if found.account_id != owner_of(request).pk:
            raise PermissionDenied
        if not isinstance(request.data, ReceivedBody):  # REST framework parses no empty body
            raise refusal("empty_file", "The file is empty.", "Send the bytes of a file.")
        add_file(found, owner_of(request), request.data.file)
        return answer_dispute(request, dispute_id, 201)


class Rule(Api):
    """A maintainer's ruling."""

    http_method_names = ["post"]
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        tags=["Disputes"],
        operation_id="disputes_rule",
        request=NewRulingSerializer,
        responses={201: DisputeSerializer},
    )
    def post(self, request: Request, dispute_id: int) -> Response:
        """Rule on a dispute, as a maintainer. A ruling is never edited: a later one follows it."""
        found = get_object_or_404(disputes_of(request.user), pk=dispute_id)
        maintainer = owner_of(request)
        if not getattr(maintainer, "is_staff", False):
            raise PermissionDenied
        sent = NewRulingSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        facts = sent.validated_data
        rule(found, maintainer, facts["kind"], facts["words"], facts["seen"])
        return answer_dispute(request, dispute_id, 201)
