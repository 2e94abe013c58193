"""Artifacts: the files that an attempt was given and those it left."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request

from leaderboard.api.attempts import attempts_for
from leaderboard.api.base import Api, Listing, NumberedQuery
from leaderboard.judge.shown import text_of_file
from leaderboard.models import Artifact, Run
from leaderboard.storage.file_response import INERT, send_attachment


class ArtifactSerializer(serializers.ModelSerializer[Artifact]):
    """One file: an input, an output, or one that the harvest refused."""

    size_bytes = serializers.IntegerField(source="blob.size_bytes", default=None, allow_null=True)
    mime = serializers.CharField(
        source="blob.mime", default=None, allow_null=True, help_text="One of a fixed list of types."
    )
    sha256 = serializers.CharField(source="blob_id", allow_null=True)
    content = serializers.SerializerMethodField(help_text="Address of its bytes.")
    shown = serializers.SerializerMethodField(
        help_text="The beginning of its content, as text: what a replay and a judge show of it."
    )

    class Meta:
        model = Artifact
        fields = (
            "id", "try_number", "role", "path", "size_bytes", "mime", "sha256", "reason", "content",
            "shown",
        )  # fmt: skip

    def get_content(self, artifact: Artifact) -> str | None:
        return reverse("api-artifact-content", args=[artifact.pk]) if artifact.blob_id else None

    def get_shown(self, artifact: Artifact) -> str:
        return text_of_file(artifact.path, artifact.blob) if artifact.blob else ""


@extend_schema_view(
    get=extend_schema(
        tags=["Attempts"], parameters=[NumberedQuery], operation_id="attempts_artifacts_list"
    )
)
class Artifacts(Listing):
    """The files of an attempt: inputs, outputs, and those refused, with the reason."""

    serializer_class = ArtifactSerializer

    def get_queryset(self) -> QuerySet[Artifact]:
        attempt = get_object_or_404(attempts_for(self.request.user), pk=self.kwargs["attempt_id"])
        return attempt.artifacts.select_related("blob__preview").order_by(
            "try_number", "role", "path", "pk"
        )


class ArtifactContent(Api):
    """The bytes of one file."""

    @extend_schema(
        tags=["Attempts"],
        operation_id="artifacts_content",
        responses={(200, INERT): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, artifact_id: int) -> HttpResponseBase:
        """The bytes, sent as an attachment of no specific type so that no browser runs them."""
        runs = Run.objects.visible_to(request.user).values("pk")
        artifacts: QuerySet[Any] = Artifact.objects.select_related("blob")
        artifact = get_object_or_404(artifacts, pk=artifact_id, attempt__run__in=runs)
        return send_attachment(artifact.blob, artifact.path.rsplit("/", 1)[-1])
