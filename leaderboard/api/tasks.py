"""Tasks: what a suite asks for."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.listing import Api, Listing, NumberedQuery
from leaderboard.api.suites import SuiteReferenceField, reference_of
from leaderboard.models import Task


class TaskSerializer(serializers.ModelSerializer[Task]):
    """One task of a suite version, as a model is given it."""

    suite = serializers.SerializerMethodField()
    inputs = serializers.ListField(
        child=serializers.CharField(), help_text="File names under ./data."
    )
    outputs = serializers.ListField(
        child=serializers.CharField(), help_text="File names asked for under ./output."
    )
    address = serializers.CharField(source="get_absolute_url", help_text="Of its page.")

    class Meta:
        model = Task
        fields = (
            "id", "suite", "key", "position", "title", "category", "query", "language", "strength",
            "note", "inputs", "outputs", "digest", "address",
        )  # fmt: skip

    def get_suite(self, task: Task) -> str:
        return reference_of(task.suite)


class TaskQuery(NumberedQuery):
    suite = SuiteReferenceField(required=False)
    category = serializers.CharField(required=False, max_length=40)


@extend_schema(tags=["Tasks"], parameters=[TaskQuery])
class Tasks(Listing):
    """Tasks in the order of their suite, the newest suite first."""

    serializer_class = TaskSerializer
    query_class = TaskQuery

    def get_queryset(self) -> QuerySet[Task]:
        tasks = Task.objects.select_related("suite").order_by("-suite_id", "position")
        return tasks.filter(**{k: v for k, v in self.asked.items() if k in ("suite", "category")})


class OneTask(Api):
    """One task."""

    @extend_schema(tags=["Tasks"], operation_id="tasks_retrieve", responses=TaskSerializer)
    def get(self, request: Request, task_id: int) -> Response:
        task = get_object_or_404(Task.objects.select_related("suite"), pk=task_id)
        return Response(TaskSerializer(task).data)
