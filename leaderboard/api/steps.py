"""Steps: a trajectory, one model reply after the other, as it was stored."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers

from leaderboard.api.attempts import attempts_for
from leaderboard.api.base import Listing, NumberedQuery, Pages
from leaderboard.models import Step, unpack
from leaderboard.models.runs import leave_out

MAX_BYTES = 8 << 20  # unpacked, of the steps of a page; the largest are left out


class PartSerializer(serializers.Serializer[Any]):
    """One form of a rich output; of a picture the digest of its bytes instead of a text."""

    type = serializers.CharField()
    text = serializers.CharField(allow_null=True)
    sha256 = serializers.CharField(allow_null=True)


class OutputSerializer(serializers.Serializer[Any]):
    """One output of a cell: printed, shown or raised."""

    kind = serializers.CharField()
    text = serializers.CharField()
    error_name = serializers.CharField()
    error_value = serializers.CharField()
    cut_chars = serializers.IntegerField(help_text="Number of characters missing from “text”.")
    parts = PartSerializer(many=True)


class ChangeSerializer(serializers.Serializer[Any]):
    """Change that the step made to one file of the working folder."""

    path = serializers.CharField()
    kind = serializers.CharField(help_text="created, changed or deleted")
    size_bytes = serializers.IntegerField()
    size_before_bytes = serializers.IntegerField()
    sha256 = serializers.CharField(allow_null=True, help_text="Null when the bytes were not kept.")


class StepSerializer(serializers.Serializer[Any]):
    """One model reply and what came of it. A try that did not count keeps its steps as evidence."""

    index = serializers.IntegerField(help_text="From 1.")
    try_number = serializers.IntegerField()
    status = serializers.CharField()
    error_name = serializers.CharField()
    thought = serializers.CharField()
    code = serializers.CharField(allow_null=True)
    reply = serializers.CharField(help_text="The model's raw text.")
    observation = serializers.CharField(help_text="The message that the model received.")
    notes = serializers.ListField(child=serializers.CharField())
    finish_reason = serializers.CharField()
    outputs = OutputSerializer(many=True)
    changes = ChangeSerializer(many=True)
    prompt_tokens = serializers.IntegerField(allow_null=True)
    completion_tokens = serializers.IntegerField(allow_null=True)
    model_s = serializers.FloatField()
    cell_s = serializers.FloatField()
    started_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, instance: tuple[Step, int]) -> dict[str, Any]:
        return describe_step(*instance)


def describe_step(step: Step, left_out_bytes: int) -> dict[str, Any]:
    """The step as a record. Its body may be an imported one: nothing in it is trusted.

    Of one that is left out only its row, and its unpacked size in words.
    """
    body = unpack(step.body)
    if left_out_bytes:
        body = {"notes": [leave_out(step, left_out_bytes)["left_out"]]}
    texts = {n: text_of(body.get(n)) for n in ("thought", "reply", "observation", "finish_reason")}
    return {
        "index": step.index,
        "try_number": step.try_number,
        "status": step.status,
        "error_name": step.error_name,
        **texts,
        "code": None if body.get("code") is None else text_of(body["code"]),
        "notes": [text_of(note) for note in body.get("notes") or ()],
        "outputs": [describe_output(output) for output in body.get("outputs") or ()],
        "changes": [
            {
                "path": file.path,
                "kind": file.kind,
                "size_bytes": file.size_bytes,
                "size_before_bytes": file.size_before_bytes,
                "sha256": file.blob_id,
            }
            for file in step.files.all()
        ],
        "prompt_tokens": step.prompt_tokens,
        "completion_tokens": step.completion_tokens,
        "model_s": step.model_s,
        "cell_s": step.cell_s,
        "started_at": step.started_at,
    }


def describe_output(output: Any) -> dict[str, Any]:
    cut = output.get("cut_chars")
    return {
        **{n: text_of(output.get(n)) for n in ("kind", "text", "error_name", "error_value")},
        "cut_chars": cut if isinstance(cut, int) else 0,
        "parts": [describe_part(mime, part) for mime, part in (output.get("data") or {}).items()],
    }


def describe_part(mime: str, part: Any) -> dict[str, str | None]:
    is_kept = isinstance(part, dict) and "blob" in part
    return {
        "type": mime,
        "text": None if is_kept else text_of(part),
        "sha256": str(part["blob"]) if is_kept else None,
    }


def text_of(value: Any) -> str:
    return "" if value is None else str(value)


class StepPages(Pages):
    """Pages of steps, which are larger than other rows: each beside the size that is left out."""

    default_size = 20

    def load(self, rows: Any) -> list[Any]:
        steps, left_out = rows.load_within(MAX_BYTES)
        return [(step, left_out.get(step.pk, 0)) for step in steps]


class StepQuery(NumberedQuery):
    page_size = serializers.IntegerField(
        required=False, min_value=1, max_value=50, help_text="Steps of one page; 20 by default."
    )


@extend_schema_view(
    get=extend_schema(tags=["Attempts"], parameters=[StepQuery], operation_id="attempts_steps_list")
)
class Steps(Listing):
    """The trajectory of an attempt: its steps in order, those of retries too."""

    serializer_class = StepSerializer
    query_class = StepQuery
    pagination_class = StepPages

    def get_queryset(self) -> QuerySet[Step]:
        attempt = get_object_or_404(attempts_for(self.request.user), pk=self.kwargs["attempt_id"])
        return attempt.steps.prefetch_related("files").order_by("try_number", "index")
