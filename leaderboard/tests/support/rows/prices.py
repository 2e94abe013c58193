"""Rows of the price book."""

from __future__ import annotations

from typing import Any

from leaderboard.models import ModelPrice


def set_price(
    model: str = "foo 70b", provider: str = "", day: str = "2026-11-01", **amounts: Any
) -> ModelPrice:
    given = {"prompt": 1, "completion": 10, **amounts}
    price, _ = ModelPrice.objects.update_or_create(
        provider=provider, model=model, valid_from=day, defaults={"source": "a test", **given}
    )
    return price
