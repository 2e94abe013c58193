"""Loads prices into the book, from price files and LiteLLM's table: rows are added or corrected,
never dropped."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from leaderboard.changes.note import note_prices
from leaderboard.models import ModelPrice, Run
from leaderboard.money.cost import PARTS
from leaderboard.money.price_files import (
    BUNDLED,
    PER_TOKENS,
    PriceFacts,
    read_file,
    read_prices,
    refusal,
)
from leaderboard.money.providers import PROVIDERS, show_provider

LITELLM_FIELDS = {
    "prompt": "input_cost_per_token",
    "cached": "cache_read_input_token_cost",
    "completion": "output_cost_per_token",
    "reasoning": "output_cost_per_reasoning_token",
}
PREFIXED = frozenset(PROVIDERS) - {"anthropic", "openai"}  # as "groq/openai/gpt-oss-20b"


@dataclass
class Loaded:
    """Rows of the book that a file changed."""

    added: list[PriceFacts] = field(default_factory=list)
    corrected: list[PriceFacts] = field(default_factory=list)
    unchanged: int = 0


def load_file(path: Path, *, day: str = "", source: str = "") -> Loaded:
    """Load a price file, or of LiteLLM's table what the book or a run here asks for.

    Raises ProblemError; then nothing was loaded.
    """
    content = read_file(path)
    if is_litellm_table(content):
        if not (day and source):
            raise refusal(
                "This is LiteLLM's table, which has no date of its own.",
                "Give --date and --source, such as --source 'LiteLLM 1.109.1'.",
            )
        content = convert_litellm_table(content, list_wanted(), day, source)
    return store(read_prices(content, today()))


def load_bundled() -> Loaded:
    """Add what the release brings and the book lacks; a maintainer's corrections stay."""
    return store(read_prices(read_file(BUNDLED), today()), is_correcting=False)


def today() -> date:
    return timezone.now().date()


def list_wanted() -> set[tuple[str, str]]:
    """Provider and model of each row of the book, and of each run that was played here."""
    priced = ModelPrice.objects.exclude(provider="").values_list("provider", "model")
    played = Run.objects.exclude(provider="").values_list("provider", "entry__model_name")
    return {*priced.distinct(), *played.distinct()}


@transaction.atomic
def store(rows: Sequence[PriceFacts], *, is_correcting: bool = True) -> Loaded:
    """Write rows that the book lacks, and those that it has with other numbers. Two queries and
    one for each row that is corrected."""
    models = {facts.model for facts in rows}
    found = ModelPrice.objects.select_for_update().filter(model__in=models)
    known = {(row.provider, row.model, row.valid_from): row for row in found}
    loaded, before = Loaded(), []
    for facts in rows:
        row = known.get(facts.key)
        if row is None:
            loaded.added.append(facts)
        elif is_correcting and has_other_numbers(row, facts):
            loaded.corrected.append(facts)
            before.append(tell_price(row))
            correct(row, facts)
        else:
            loaded.unchanged += 1
    ModelPrice.objects.bulk_create(ModelPrice(**vars(facts)) for facts in loaded.added)
    sources = sorted({facts.source for facts in (*loaded.added, *loaded.corrected)})
    note_prices("; ".join(sources), new=[*map(tell_price, loaded.added)], old=before)
    return loaded


def tell_price(row: Any) -> dict[str, Any]:
    """A price for the list of changes. An unknown provider is a submitter's host: not shown."""
    amounts = {part: None if (v := getattr(row, part)) is None else str(v) for part in PARTS}
    provider = show_provider(row.provider)
    return {"provider": provider, "model": row.model, "from": str(row.valid_from), **amounts}


def has_other_numbers(row: Any, facts: PriceFacts) -> bool:
    return any(getattr(row, part) != amount for part, amount in facts.amounts.items())


def correct(row: ModelPrice, facts: PriceFacts) -> None:
    for name, value in vars(facts).items():
        setattr(row, name, value)
    row.save()


def is_litellm_table(content: Any) -> bool:
    """True for an object of models, each with its costs per token."""
    if not isinstance(content, dict) or "prices" in content:
        return False
    return any(isinstance(v, dict) and LITELLM_FIELDS["prompt"] in v for v in content.values())


def convert_litellm_table(
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
        amounts = {
            part: per_million(key, facts.get(field)) for part, field in LITELLM_FIELDS.items()
        }
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
