"""Converts LiteLLM's table of model prices to a price file of the site."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from leaderboard.money.price_files import PER_TOKENS, refusal
from leaderboard.money.providers import PROVIDERS

FIELDS = {
    "prompt": "input_cost_per_token",
    "cached": "cache_read_input_token_cost",
    "completion": "output_cost_per_token",
    "reasoning": "output_cost_per_reasoning_token",
}
PREFIXED = frozenset(PROVIDERS) - {"anthropic", "openai"}  # as "groq/openai/gpt-oss-20b"


def is_litellm_table(content: Any) -> bool:
    """True for an object of models, each with its costs per token."""
    if not isinstance(content, dict) or "prices" in content:
        return False
    return any(isinstance(v, dict) and FIELDS["prompt"] in v for v in content.values())


def convert(
    table: Mapping[str, Any], wanted: Collection[tuple[str, str]], day: str, source: str
) -> dict[str, Any]:
    """A price file with the `wanted` (provider, model) that the table has.

    A price of 0 is left out: the table has it for what nobody priced as well.
    """
    prices = []
    for key, facts in sorted(table.items()):
        provider = facts.get("litellm_provider") if isinstance(facts, dict) else None
        model = key.removeprefix(f"{provider}/") if provider in PREFIXED else key
        if (provider, model) not in wanted:
            continue
        amounts = {part: per_million(key, facts.get(field)) for part, field in FIELDS.items()}
        if not amounts["prompt"] or amounts["completion"] is None:
            continue
        given = {part: amount for part, amount in amounts.items() if amount is not None}
        row = {"provider": provider, "model": model, **given}
        if row not in prices:  # the table names some models with and without a prefix
            prices.append(row)
    head = {"currency": "USD", "per_tokens": PER_TOKENS, "from": day, "source": source}
    return {**head, "prices": prices}


def per_million(key: str, dollars: Any) -> Decimal | None:
    if dollars is None:
        return None
    try:
        return Decimal(str(dollars)) * PER_TOKENS
    except InvalidOperation as error:
        raise refusal(f"“{key[:60]}” has a cost that is not a number.") from error
