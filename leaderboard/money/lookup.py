"""Prices of runs, found in the price book in the query that reads the runs."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject, TruncDate

from leaderboard.models import ModelPrice, Run
from leaderboard.money.cost import PRICE, TokenPrice, read_price

COLUMNS = ("prompt", "cached", "completion", "reasoning", "provider", "valid_from", "source")


def with_prices(runs: QuerySet[Run]) -> QuerySet[Run]:
    """The runs, each with the price of its model and provider on its date; no query more."""
    dated = runs.annotate(price_day=TruncDate(Coalesce("finished_at", "created_at")))
    found = list_fitting(OuterRef("provider"), OuterRef("entry__model_name"), OuterRef("price_day"))
    as_json = JSONObject(**{name: name for name in COLUMNS})
    priced: QuerySet[Run] = dated.annotate(**{PRICE: Subquery(found.values(json=as_json)[:1])})
    return priced


def list_fitting(provider: Any, model: Any, day: Any) -> QuerySet[ModelPrice]:
    """Prices that fit, the best first: the provider's own before everybody's, then the latest."""
    is_there = Q(provider=provider) | Q(provider="")
    found = ModelPrice.objects.filter(is_there, model=model, valid_from__lte=day)
    return found.order_by("-provider", "-valid_from")


def find_price(provider: str, model: str, day: date) -> TokenPrice | None:
    """The price of a model at a provider on a day. One query."""
    return read_price(list_fitting(provider, model, day).values(*COLUMNS).first())
