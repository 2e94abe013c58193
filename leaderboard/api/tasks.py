"""Tasks: what a suite asks for."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import Api, Listing, NumberedQuery
from leaderboard.api.suites import SuiteReferenceField
from leaderboard.models import Suite, Task
from leaderboard.suites.task_facets import FACETS, file_types_of, skills_of, with_values


class TaskSerializer(serializers.ModelSerializer[Task]):
    """One task of a suite version, as the model gets it."""

    suite = serializers.CharField(source="suite.reference", read_only=True)
    inputs = serializers.ListField(
        child=serializers.CharField(), help_text="File names under ./data."
    )
    outputs = serializers.ListField(
        child=serializers.CharField(), help_text="Names of the expected files under ./output."
    )
    english = serializers.CharField(help_text="English title of a task in another language.")
    english_query = serializers.CharField(
        help_text="Its query in English, for readers: models are sent `query`."
    )
    skills = serializers.SerializerMethodField(help_text="Skills, by its file types and by hand.")
    file_types = serializers.SerializerMethodField(
        help_text="File types of its inputs and outputs."
    )
    address = serializers.CharField(source="get_absolute_url", help_text="Address of its page.")

    class Meta:
        model = Task
        fields = (
            "id", "suite", "key", "position", "title", "english", "category", "query",
            "english_query", "language",
            "strength", "note", "guessable", "inputs", "outputs", "skills", "file_types",
            "digest", "address",
        )  # fmt: skip

    def get_skills(self, task: Task) -> list[str]:
        return skills_of(task)

    def get_file_types(self, task: Task) -> list[str]:
        return file_types_of(task)


class TaskQuery(NumberedQuery):
    suite = SuiteReferenceField(required=False)
    category = serializers.CharField(required=False, max_length=40)
    skill = serializers.CharField(
        required=False, max_length=40, help_text="One of a task's `skills`."
    )
    file = serializers.CharField(
        required=False, max_length=40, help_text="One of a task's `file_types`, as in “xlsx”."
    )


@extend_schema(tags=["Tasks"], parameters=[TaskQuery])
class Tasks(Listing):
    """Tasks in the order of their suite, the newest suite first."""

    serializer_class = TaskSerializer
    query_class = TaskQuery
    columns = {"suite": "suite", "category": "category"}

    def get_queryset(self) -> QuerySet[Task]:
        tasks = Task.objects.filter(suite__is_private=False).select_related("suite")
        tasks = tasks.order_by("-suite_id", "position").filter(**self.wanted)
        chosen = {facet: self.asked[facet] for facet in FACETS if facet in self.asked}
        if not chosen:
            return tasks
        return tasks.filter(pk__in=[task.pk for task in with_values(tasks, chosen)])


class OneTask(Api):
    """One task."""

    @extend_schema(tags=["Tasks"], operation_id="tasks_retrieve", responses=TaskSerializer)
    def get(self, request: Request, task_id: int) -> Response:
        suites = Suite.objects.visible_to(request.user)
        tasks = Task.objects.filter(suite__in=suites).select_related("suite")
        task = get_object_or_404(tasks, pk=task_id)
        return Response(TaskSerializer(task).data)
