"""The maintainers' pages: everything can be looked at, results cannot be edited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from leaderboard.changes.note import note_prices
from leaderboard.ledger.public_names import public_name
from leaderboard.models import (
    Attempt,
    Endpoint,
    Entry,
    ModelPrice,
    PublicChange,
    Run,
    StatusChange,
    Suite,
    Task,
)
from leaderboard.money import price_book
from leaderboard.scoring.filing import unfile_entry
from leaderboard.submissions import run_actions
from runner.contract import ProblemError

if TYPE_CHECKING:
    Rows = admin.ModelAdmin[Any]  # generic in the stubs alone
else:
    Rows = admin.ModelAdmin


admin.site.site_header = admin.site.site_title = "PyBench maintenance"
admin.site.index_title = "Stored rows"

Texts = Mapping[str, str]


class DescribedRows(Rows):
    """Rows whose form says what its fields mean; `labels` and `helps` are by field."""

    labels: Texts = {}
    helps: Texts = {}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **options)
        if field is not None:
            field.label = self.labels.get(db_field.name, field.label)
            field.help_text = self.helps.get(db_field.name, field.help_text)
        return field


def count_runs(count: int) -> str:
    return f"{count} run{'' if count == 1 else 's'}"


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
class EntryAdmin(DescribedRows):
    """Submitted models. New ones come from submissions, imports and commands."""

    list_display = ("name", "organisation", "model_name", "weights", "provenance", "created_at")
    list_filter = ("provenance", "weights")
    search_fields = ("name", "model_name")
    readonly_fields = ("slug", "created_at")
    labels: Texts = {
        "model_name": "Model",
        "parameters_b": "Size, billions of parameters",
        "sampling": "Request settings (JSON)",
        "extra_fields": "Names of extra request fields (JSON)",
    }
    helps: Texts = {
        "model_name": "The name that the endpoint uses.",
        "parameters_b": "Leave it empty if it is unknown.",
        "provenance": "Scripted baselines and quoted results are never ranked. "
        "The runs are recounted after a change.",
        "sampling": "As sent with every request. A change here does not affect stored runs.",
        "extra_fields": "Shown on the model's page; their values are secret.",
        "owner": "The account that can see its private runs. Empty for entries of the site itself.",
    }

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # without an endpoint or a recording nothing could be played

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False  # its runs would go with it

    def save_model(self, request: HttpRequest, obj: Entry, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        unfile_entry(obj)  # its provenance says what its runs count as


@admin.register(Endpoint)
class EndpointAdmin(ReadOnly):
    """Endpoints of the entries. The key is never shown, not even encrypted."""

    list_display = ("entry", "base_url", "has_key")
    fields = ("entry", "base_url", "has_key")
    list_select_related = ("entry",)

    @admin.display(boolean=True, description="key")
    def has_key(self, endpoint: Endpoint) -> bool:
        return bool(endpoint.encrypted_key)


@admin.register(ModelPrice)
class ModelPriceAdmin(DescribedRows):
    """The price book. A price is corrected in place; a new one has a new day."""

    labels: Texts = {
        "prompt": "Prompt, $ per million tokens",
        "cached": "Cached prompt, $ per million tokens",
        "completion": "Completion, $ per million tokens",
        "reasoning": "Reasoning, $ per million tokens",
    }
    helps: Texts = {
        "provider": "As in openai, or the host of an endpoint. Leave it empty for every provider.",
        "model": "The name that the endpoint uses.",
        "valid_from": "Runs from this day on cost this much, until the next price of the model.",
        "cached": "Leave it empty if cached tokens cost as much as other prompt tokens.",
        "reasoning": "Leave it empty if reasoning costs as much as completion.",
        "source": "The page or file it was read from, with the date. It is shown publicly.",
    }

    list_display = ("provider", "model", "valid_from", "prompt", "cached", "completion", "source")
    list_filter = ("provider", "valid_from")
    search_fields = ("provider", "model")

    def save_model(self, request: HttpRequest, obj: ModelPrice, form: Any, change: bool) -> None:
        before = [price_book.tell_price(ModelPrice.objects.get(pk=obj.pk))] if change else []
        super().save_model(request, obj, form, change)
        new = [] if change else [price_book.tell_price(obj)]
        note_prices(obj.source, new=new, old=before)

    def delete_model(self, request: HttpRequest, obj: ModelPrice) -> None:
        note_prices("removed by a maintainer", gone=[price_book.tell_price(obj)])
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ModelPrice]) -> None:
        note_prices("removed by a maintainer", gone=[*map(price_book.tell_price, queryset)])
        super().delete_queryset(request, queryset)


@admin.register(PublicChange)
class PublicChangeAdmin(ReadOnly):
    list_display = ("at", "kind", "suite", "run_number", "reason")
    list_filter = ("kind",)


@admin.register(Run)
class RunAdmin(DescribedRows):
    """Runs: shown or hidden by hand, cancelled by an action, moved by the queue alone."""

    labels: Texts = {"is_public": "Public"}
    helps: Texts = {"is_public": "Clear it to withdraw the run from every public page."}

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

    def save_model(self, request: HttpRequest, obj: Run, form: Any, change: bool) -> None:
        """Show or hide it as its owner would. The queue moves its other columns meanwhile."""
        if "is_public" not in form.changed_data:
            return
        by = public_name(request.user.pk)
        try:
            if obj.is_public:
                run_actions.publish(obj.pk, f"published by {by}", by)
            else:
                run_actions.withdraw(obj.pk, f"withdrawn by {by}", by)
        except ProblemError as error:
            self.message_user(request, error.problem.what, messages.ERROR)

    @admin.action(description="Cancel the selected runs")
    def cancel(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        runs = list(queryset.values_list("pk", flat=True))
        for run in runs:
            run_actions.cancel(run, f"cancelled by {public_name(request.user.pk)}")
        words = f"Cancelled {count_runs(len(runs))}. Runs that had ended stay as they were."
        self.message_user(request, words, messages.SUCCESS)


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
