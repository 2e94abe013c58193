"""Uploads: trajectories that an account brings in, each the private run of a file."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api import idempotency
from leaderboard.api.authentication import owner_of
from leaderboard.api.base import Api, ApiSet, Latest, LatestQuery, Listing, Query
from leaderboard.api.body_file import MAX_NAME_CHARS, UploadParser
from leaderboard.api.run_fields import WholeRunSerializer, answer_run
from leaderboard.models import Import, Run
from leaderboard.storage.file_response import INERT, send_attachment
from leaderboard.uploads.confined import one_at_a_time
from leaderboard.uploads.delete import delete_upload
from leaderboard.uploads.execute import execute_upload
from leaderboard.uploads.keep import (
    StoredUpload,
    conclude_soon,
    find_known,
    hand_over,
    read_in,
    store,
)
from leaderboard.uploads.receive import EMPTY, ReceivedBody
from leaderboard.uploads.score import ReadOutputs, queue_scoring, read_to_score
from runner.contract import ProblemError


class UploadErrorSerializer(serializers.Serializer[Any]):
    """A part of the file that was not read."""

    file = serializers.CharField(help_text="Its name in the archive; empty without one.")
    unit = serializers.CharField(help_text="What `line` counts, as in “line” or “sample”.")
    line = serializers.IntegerField()
    reason = serializers.CharField()


class UploadSerializer(serializers.ModelSerializer[Run]):
    """An upload: a private run with an attempt for each trajectory of the file."""

    title = serializers.CharField(source="entry.name")
    address = serializers.CharField(source="get_absolute_url", help_text="Of its page.")
    name = serializers.SerializerMethodField(help_text="The file's name.")
    format = serializers.SerializerMethodField(help_text="What the file was read as.")
    sha256 = serializers.CharField(source="suite.digest", help_text="Of the file's bytes.")
    size_bytes = serializers.SerializerMethodField()
    attempts = serializers.IntegerField(source="total", help_text="Those that were read.")
    refused = serializers.SerializerMethodField(help_text="Parts that could not be read.")
    errors = serializers.SerializerMethodField(  # type: ignore[assignment]
        help_text="The first 1,000 of them."
    )
    losses = serializers.SerializerMethodField(help_text="What the format could not hold.")

    class Meta:
        model = Run
        fields = (
            "id", "title", "address", "name", "format", "sha256", "size_bytes", "attempts",
            "refused", "errors", "losses", "created_at",
        )  # fmt: skip

    def get_name(self, run: Run) -> str:
        return file_of(run).name

    def get_format(self, run: Run) -> str:
        return str(file_of(run).report.get("format", ""))

    def get_size_bytes(self, run: Run) -> int:
        return file_of(run).blob.size_bytes

    def get_refused(self, run: Run) -> int:
        return int(file_of(run).report.get("refused", 0))

    def get_errors(self, run: Run) -> UploadErrorSerializer(many=True):  # type: ignore[valid-type]
        return file_of(run).report.get("errors", [])

    def get_losses(self, run: Run) -> list[str]:
        return list(file_of(run).report.get("losses", []))


def file_of(run: Run) -> Import:
    return run.imports.all()[0]


def uploads_of(user: Any) -> QuerySet[Run]:
    """The account's own; nobody else's, whoever asks."""
    runs: QuerySet[Run] = Run.objects.filter(entry__owner_id=user.pk, suite__is_private=True)
    related = runs.select_related("entry", "suite").prefetch_related("imports__blob")
    return related.annotate(total=Count("attempts__pk"))


class UploadQuery(Query):
    """Name and heading of a file that is sent."""

    page_size = None  # type: ignore[assignment]
    name = serializers.CharField(
        required=False, max_length=MAX_NAME_CHARS, help_text="The file's name."
    )
    title = serializers.CharField(
        required=False,
        max_length=MAX_NAME_CHARS,
        help_text="Heading of its pages; the file's name by default.",
    )


class Uploads(Listing):
    """Your uploads, newest first."""

    serializer_class = UploadSerializer
    query_class = LatestQuery
    posted_query = UploadQuery
    pagination_class = Latest
    permission_classes = (IsAuthenticated,)
    parser_classes = (UploadParser,)

    def get_queryset(self) -> QuerySet[Run]:
        return uploads_of(self.request.user)

    @extend_schema(tags=["Uploads"], operation_id="uploads_list", parameters=[LatestQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        tags=["Uploads"],
        operation_id="uploads_create",
        parameters=[UploadQuery, idempotency.PARAMETER],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={200: UploadSerializer, 201: UploadSerializer},
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Bring in a file of trajectories, or an archive of many: the body is its bytes.

        The format is recognised by the content. Nobody else sees the upload; it is never on a
        board. The same file again is the same upload (200).
        """
        if not isinstance(request.data, ReceivedBody):  # REST framework parses no empty body
            raise ProblemError(EMPTY)
        owner, file = owner_of(request), request.data.file
        known = find_known(owner, file)
        if known is not None:
            return answer_upload(request, known, 200)

        def prepare() -> StoredUpload:
            return store(read_in(owner, file), self.asked.get("title", ""))

        def act(stored: StoredUpload) -> Response:
            run = hand_over(owner, stored)
            return answer_upload(request, run, 201 if run == stored.run else 200)

        with one_at_a_time(owner.pk):
            response = idempotency.prepare_and_answer_once(owner.pk, request, prepare, act)
        new = find_known(owner, file)
        if new is not None:
            conclude_soon(new)
        return response


def answer_upload(request: Request, run: Run, status: int = 200) -> Response:
    found = get_object_or_404(uploads_of(request.user), pk=run.pk)
    return Response(UploadSerializer(found).data, status)


class DeletedSerializer(serializers.Serializer[Any]):
    """An upload that is gone."""

    id = serializers.IntegerField()


class ScoreQuery(UploadQuery):
    """Suite, name and heading of files that are to be judged."""

    suite = serializers.CharField(max_length=MAX_NAME_CHARS, help_text="By its name.")


class Score(Api):
    """Files to be judged."""

    http_method_names = ["post"]
    permission_classes = (IsAuthenticated,)
    parser_classes = (UploadParser,)
    posted_query = ScoreQuery

    @extend_schema(
        tags=["Uploads"],
        operation_id="uploads_score",
        parameters=[ScoreQuery, idempotency.PARAMETER],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={201: WholeRunSerializer},
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Have the checks of a suite judge files that were made elsewhere: the body is a zip.

        It has a folder for each task, called by its key: outputs in `KEY/output/`, the answer in
        `KEY/answer.txt`. The answer is the new run: private, queued like a submission and counted
        as one and as an upload, never ranked.
        """
        if not isinstance(request.data, ReceivedBody):  # REST framework parses no empty body
            raise ProblemError(EMPTY)
        owner, file = owner_of(request), request.data.file

        def act(read: ReadOutputs) -> Response:
            run = queue_scoring(owner, read, self.asked.get("title", ""))
            return answer_run(request, run.pk, 201)

        with one_at_a_time(owner.pk):
            return idempotency.prepare_and_answer_once(
                owner.pk, request, lambda: read_to_score(owner, file, self.asked["suite"]), act
            )


class OneUpload(ApiSet):
    """One upload."""

    permission_classes = (IsAuthenticated,)

    def find(self, request: Request, run_id: int) -> Run:
        run: Run = get_object_or_404(uploads_of(request.user), pk=run_id)
        return run

    @extend_schema(tags=["Uploads"], operation_id="uploads_retrieve", responses=UploadSerializer)
    def retrieve(self, request: Request, run_id: int) -> Response:
        """One of your uploads. Its attempts are those of the run with its id."""
        return Response(UploadSerializer(self.find(request, run_id)).data)

    @extend_schema(
        tags=["Uploads"],
        operation_id="uploads_original",
        responses={(200, INERT): OpenApiTypes.BINARY},
    )
    def original(self, request: Request, run_id: int) -> HttpResponseBase:
        """The file's bytes, sent as an attachment of no specific type."""
        file = file_of(self.find(request, run_id))
        return send_attachment(file.blob, file.name)

    @extend_schema(
        tags=["Uploads"], operation_id="uploads_delete", request=None, responses=DeletedSerializer
    )
    def remove(self, request: Request, run_id: int) -> Response:
        """Delete an upload with everything that was made from it."""
        delete_upload(self.find(request, run_id))
        return Response({"id": run_id})

    @extend_schema(
        tags=["Uploads"],
        operation_id="uploads_execute",
        request=None,
        responses={201: WholeRunSerializer},
    )
    def execute(self, request: Request, run_id: int) -> Response:
        """Execute the code of an upload here, on the inputs of its suite's tasks.

        The answer is the new run: private, queued like a submission and counted as one. Each step
        says if its observation came out as recorded; the files that it leaves are checked.
        """
        executed = execute_upload(owner_of(request), self.find(request, run_id))
        return answer_run(request, executed.pk, 201)
