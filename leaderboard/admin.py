"""The maintainers' pages: everything can be looked at, results cannot be edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from leaderboard import submissions
from leaderboard.models import Attempt, Endpoint, Entry, Run, StatusChange, Suite, Task

if TYPE_CHECKING:
    Rows = admin.ModelAdmin[Any]  # generic in the stubs alone
else:
    Rows = admin.ModelAdmin


class ReadOnly(Rows):
    """Rows that the queue writes and nobody edits."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Suite)
class SuiteAdmin(ReadOnly):
    list_display = ("name", "version", "title", "digest", "installed_at")


@admin.register(Task)
class TaskAdmin(ReadOnly):
    list_display = ("key", "suite", "category", "strength", "language")
    list_filter = ("suite", "category")
    search_fields = ("key", "title")
    list_select_related = ("suite",)


@admin.register(Entry)
class EntryAdmin(Rows):
    list_display = ("name", "organisation", "model_name", "weights", "provenance", "created_at")
    list_filter = ("provenance", "weights")
    search_fields = ("name", "model_name")
    readonly_fields = ("slug", "created_at")

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False  # its runs would go with it


@admin.register(Endpoint)
class EndpointAdmin(ReadOnly):
    """Where entries are reached. The key is shown nowhere, encrypted or not."""

    list_display = ("entry", "base_url", "has_key")
    fields = ("entry", "base_url", "has_key")
    list_select_related = ("entry",)

    @admin.display(boolean=True, description="key")
    def has_key(self, endpoint: Endpoint) -> bool:
        return bool(endpoint.encrypted_key)


@admin.register(Run)
class RunAdmin(Rows):
    """Runs: shown or hidden by hand, cancelled by an action, moved by the queue alone."""

    list_display = ("id", "entry", "suite", "status", "is_public", "created_at", "finished_at")
    list_filter = ("status", "suite", "is_public")
    list_select_related = ("entry", "suite")
    list_editable = ("is_public",)
    fields = ("entry", "suite", "status", "is_public", "environment", "created_at", "finished_at")
    readonly_fields = ("entry", "suite", "status", "environment", "created_at", "finished_at")
    actions = ("cancel",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    @admin.action(description="Cancel the selected runs")
    def cancel(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        runs = list(queryset.values_list("pk", flat=True))
        for run in runs:
            submissions.cancel(run, f"cancelled by {request.user}")
        self.message_user(request, f"{len(runs)} runs were cancelled.", messages.SUCCESS)


@admin.register(Attempt)
class AttemptAdmin(ReadOnly):
    list_display = ("id", "run", "task", "number", "status", "outcome", "passed", "tries", "worker")
    list_filter = ("status", "outcome", "passed")
    list_select_related = ("run", "task")
    exclude = ("opening", "closing", "token")


@admin.register(StatusChange)
class StatusChangeAdmin(ReadOnly):
    list_display = ("at", "run", "attempt", "before", "after", "reason")
    list_select_related = ("run", "attempt")
