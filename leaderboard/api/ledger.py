"""The public ledger: its entries, newest first, with what can be read of their payloads."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers

from leaderboard.api.base import Latest, LatestQuery, Listing
from leaderboard.ledger.kinds import KINDS
from leaderboard.ledger.public_entries import PublicEntry, read_payloads
from leaderboard.models import LedgerEntry


class LedgerEntrySerializer(serializers.Serializer[PublicEntry]):
    """An entry of the ledger. `chain` is the SHA-256 of the chain digest before it, a line feed,
    and the canonical JSON of the other fields but `payload`."""

    number = serializers.IntegerField(help_text="From 1, without gaps.")
    kind = serializers.CharField()
    subject = serializers.CharField(allow_blank=True)
    actor = serializers.CharField(allow_blank=True, help_text="Public name of an account.")
    at = serializers.CharField(help_text="ISO 8601, UTC.")
    payload_sha256 = serializers.CharField()
    chain = serializers.CharField()
    payload = serializers.CharField(
        allow_null=True, help_text="Canonical JSON as text; null while it is withheld."
    )

    def to_representation(self, instance: PublicEntry) -> dict[str, Any]:
        return instance.as_json()


class LedgerQuery(LatestQuery):
    kind = serializers.ChoiceField(KINDS, required=False)


class LedgerPages(Latest):
    """Windows of the ledger with the payloads of each window."""

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> list[Any]:
        return read_payloads(super().paginate_queryset(queryset, request, view))


@extend_schema(tags=["Ledger"], parameters=[LedgerQuery])
class Ledger(Listing):
    """Every act that a number on the boards rests on, newest first."""

    serializer_class = LedgerEntrySerializer
    pagination_class = LedgerPages
    query_class = LedgerQuery
    columns = {"kind": "kind"}

    def get_queryset(self) -> QuerySet[LedgerEntry]:
        return LedgerEntry.objects.filter(**self.wanted)
