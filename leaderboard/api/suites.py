"""Suites: the versions of the benchmark."""

from __future__ import annotations

import re
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import Api, Listing, NumberedQuery
from leaderboard.models import Suite

MAX_REFERENCE_CHARS = 101
REFERENCE = re.compile(r"[-\w]{1,60}(?:@[^\x00\ud800-\udfff@/]{1,40})?")


class CategorySerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()


class SuiteSerializer(serializers.ModelSerializer[Suite]):
    """One version of a suite. Its digest covers tasks, inputs, checks and environment."""

    reference = serializers.CharField(read_only=True, help_text="name@version, as filters take it.")
    categories = CategorySerializer(many=True)
    limits = serializers.DictField(
        child=serializers.JSONField(), help_text="What one attempt may use; seconds and bytes."
    )

    class Meta:
        model = Suite
        fields = (
            "reference", "name", "version", "title", "description", "digest", "seed",
            "categories", "limits", "environment", "installed_at",
        )  # fmt: skip


def find_suite(reference: str) -> Suite | None:
    """The suite `name@version`, or the newest version of `name`."""
    name, _, version = reference.partition("@")
    suites = Suite.objects.shown().filter(name=name).order_by("-pk")
    return (suites.filter(version=version) if version else suites).first()


@extend_schema_field(
    {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_REFERENCE_CHARS,
        "pattern": r"^[-\w]{1,60}(@[^@/]{1,40})?$",
    }
)
class SuiteReferenceField(serializers.Field[Suite, Any, str, Any]):
    """A suite, named as `name` or `name@version`."""

    def __init__(self, **kwargs: Any) -> None:
        help_text = (
            "“name” (its newest version) or “name@version”, of those that /api/v1/suites/ lists; "
            "any other is refused (400)."
        )
        super().__init__(**{"help_text": help_text, **kwargs})

    def to_internal_value(self, data: Any) -> Suite:
        if not isinstance(data, str) or not REFERENCE.fullmatch(data):
            raise serializers.ValidationError("Give a suite as “name” or “name@version”.")
        suite = find_suite(data)
        if suite is None:
            raise serializers.ValidationError(f"There is no suite “{data}”.")
        return suite


@extend_schema(tags=["Suites"], parameters=[NumberedQuery])
class Suites(Listing):
    """Every version of every suite, the newest first."""

    serializer_class = SuiteSerializer

    def get_queryset(self) -> QuerySet[Suite]:
        return Suite.objects.shown().order_by("-pk")


class OneSuite(Api):
    """One version of a suite, or the newest when no version is named."""

    @extend_schema(tags=["Suites"], operation_id="suites_retrieve", responses=SuiteSerializer)
    def get(self, request: Request, reference: str) -> Response:
        suite = find_suite(reference)
        if suite is None:
            raise Http404
        return Response(SuiteSerializer(suite).data)
