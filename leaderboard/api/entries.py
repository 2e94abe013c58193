"""Entries: the models that were submitted, and how they are called."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import Api, Listing, NumberedQuery
from leaderboard.models import Entry, Run


class EntrySerializer(serializers.ModelSerializer[Entry]):
    """A submitted model. Its address and its key are never shown."""

    sampling = serializers.DictField(child=serializers.JSONField())
    extra_fields = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names of its extra request fields, without values.",
    )
    extra_headers = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names of its extra headers, without values.",
    )

    class Meta:
        model = Entry
        fields = (
            "slug", "name", "organisation", "model_name", "action_format", "parameters_b",
            "weights", "provenance", "sampling", "extra_fields", "extra_headers",
            "description", "created_at",
        )  # fmt: skip


class EntryQuery(NumberedQuery):
    provenance = serializers.ChoiceField(Entry.Provenance.choices, required=False)
    weights = serializers.ChoiceField(Entry.Weights.choices, required=False)
    mine = serializers.BooleanField(
        required=False, help_text="Only those that the token's owner submitted."
    )


def entries_for(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Entry]:
    """Entries with a run that `user` may read, and their own."""
    runs = Run.objects.visible_to(user)
    mine = Q(owner=user.pk) if user.is_authenticated else Q()
    return Entry.objects.filter(Q(pk__in=runs.values("entry")) | mine).order_by("pk")


@extend_schema(tags=["Entries"], parameters=[EntryQuery])
class Entries(Listing):
    """Every model with a public run and, with a token, your own; oldest first."""

    serializer_class = EntrySerializer
    query_class = EntryQuery
    columns = {"provenance": "provenance", "weights": "weights"}

    def get_queryset(self) -> QuerySet[Entry]:
        entries = entries_for(self.request.user)
        if self.asked.get("mine"):
            entries = entries.filter(owner=self.request.user.pk or 0)
        return entries.filter(**self.wanted)


class OneEntry(Api):
    """One model."""

    @extend_schema(tags=["Entries"], operation_id="entries_retrieve", responses=EntrySerializer)
    def get(self, request: Request, slug: str) -> Response:
        entry = get_object_or_404(entries_for(request.user), slug=slug)
        return Response(EntrySerializer(entry).data)
