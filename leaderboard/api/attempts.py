"""Attempts: a model at work on a task once, how it ended and what its check found."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import MAX_ID, Api, Latest, LatestQuery, Listing
from leaderboard.models import Attempt, Run, Verdict, unpack
from leaderboard.replay.passing import choose, count_not_reached
from runner.contract import Outcome, Status


class AttemptSerializer(serializers.ModelSerializer[Attempt]):
    """One model at one task.

    `passed` is null until there is a verdict, and if the attempt did not count.
    """

    run = serializers.IntegerField(source="run_id")
    task = serializers.CharField(source="task.key")
    state = serializers.CharField(
        help_text="In one word: passed, failed, void (did not count), queued, running, cancelled …"
    )
    tags = serializers.SerializerMethodField(
        help_text="Tags that say why it failed, the primary one first."
    )
    address = serializers.CharField(source="get_absolute_url", help_text="Address of its replay.")

    class Meta:
        model = Attempt
        fields = (
            "id", "run", "task", "category", "number", "status", "outcome", "passed", "state",
            "sentence", "turns", "prompt_tokens", "completion_tokens", "cached_tokens",
            "reasoning_tokens", "model_s", "cell_s", "wall_s", "tries", "started_at",
            "finished_at", "fault", "problem_code", "problem", "next_step", "tags", "address",
        )  # fmt: skip

    def get_tags(self, attempt: Attempt) -> list[str]:
        return [tag.tag for tag in attempt.tags.all()]


class AssertionSerializer(serializers.Serializer[Any]):
    """One finding of a check."""

    name = serializers.CharField()
    passed = serializers.BooleanField()
    expected = serializers.CharField()
    actual = serializers.CharField()
    message = serializers.CharField()
    file = serializers.CharField(help_text="The output file it is about; empty for the answer.")


class VerdictSerializer(serializers.ModelSerializer[Verdict]):
    """Result of a check. Sealed: a new version of the check adds another."""

    assertions = serializers.SerializerMethodField()

    class Meta:
        model = Verdict
        fields = (
            "try_number", "kind", "check_version", "passed", "sentence", "duration_s",
            "created_at", "assertions",
        )  # fmt: skip

    @extend_schema_field(AssertionSerializer(many=True))
    def get_assertions(self, verdict: Verdict) -> Any:
        names = tuple(AssertionSerializer().fields)
        return [
            {n: bool(row.get(n)) if n == "passed" else str(row.get(n, "")) for n in names}
            for row in unpack(verdict.body) or ()
        ]


class WholeAttemptSerializer(AttemptSerializer):
    """One attempt, with its final answer and its verdicts."""

    answer = serializers.SerializerMethodField(help_text="Null if the model never gave one.")
    verdicts = serializers.SerializerMethodField()
    not_reached = serializers.SerializerMethodField(
        help_text="Checks to which a failed attempt did not come; 0 where no attempt passed, "
        "whose checks could be counted."
    )

    class Meta:
        model = Attempt
        fields = (*AttemptSerializer.Meta.fields, "answer", "verdicts", "not_reached")

    def get_answer(self, attempt: Attempt) -> str | None:
        answer = unpack(attempt.closing).get("answer")
        return None if answer is None else str(answer)

    @extend_schema_field(VerdictSerializer(many=True))
    def get_verdicts(self, attempt: Attempt) -> Any:
        return VerdictSerializer(attempt.verdicts.order_by("-pk")[:20], many=True).data

    def get_not_reached(self, attempt: Attempt) -> int:
        verdict = attempt.verdicts.filter(kind="strict").order_by("-pk").first()
        if verdict is None or verdict.passed:
            return 0
        passing = choose(attempt, self.context["request"].user)
        checked = len(unpack(verdict.body) or ())
        return count_not_reached(passing[0] if passing else None, checked)


class AttemptQuery(LatestQuery):
    run = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)
    task = serializers.SlugField(required=False, max_length=80, help_text="The task's key.")
    category = serializers.CharField(required=False, max_length=40)
    status = serializers.ChoiceField([s.value for s in Status], required=False)
    outcome = serializers.ChoiceField([o.value for o in Outcome], required=False)
    passed = serializers.BooleanField(required=False)
    tag = serializers.CharField(required=False, max_length=40, help_text="A failure tag.")


def attempts_for(user: Any) -> QuerySet[Attempt]:
    """Attempts of the runs that `user` may read, with their related rows."""
    return (
        Attempt.objects.filter(run__in=Run.objects.visible_to(user).values("pk"))
        .select_related("task")
        .prefetch_related("tags")
        .defer("opening", "closing")
    )


@extend_schema(tags=["Attempts"], parameters=[AttemptQuery])
class Attempts(Listing):
    """Attempts of public runs and, with a token, of your own runs; newest first."""

    serializer_class = AttemptSerializer
    query_class = AttemptQuery
    columns = {
        "run": "run",
        "task": "task__key",
        "category": "category",
        "status": "status",
        "outcome": "outcome",
        "passed": "passed",
        "tag": "tags__tag",
    }
    pagination_class = Latest

    def get_queryset(self) -> QuerySet[Attempt]:
        return attempts_for(self.request.user).filter(**self.wanted)


class OneAttempt(Api):
    """One attempt."""

    @extend_schema(
        tags=["Attempts"], operation_id="attempts_retrieve", responses=WholeAttemptSerializer
    )
    def get(self, request: Request, attempt_id: int) -> Response:
        attempt = get_object_or_404(attempts_for(request.user), pk=attempt_id)
        return Response(WholeAttemptSerializer(attempt, context={"request": request}).data)
