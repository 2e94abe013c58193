"""Reads price files: the site's own format, checked before anything is stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from leaderboard.money.cost import CURRENCY, PARTS
from leaderboard.money.providers import MAX_PROVIDER_CHARS
from runner.contract import Fault, Problem, ProblemError

BUNDLED = Path(__file__).with_name("prices.json")
MAX_FILE_BYTES = 20_000_000
MAX_MODEL_CHARS = 300
MAX_SOURCE_CHARS = 300
MAX_DOLLARS = Decimal(1_000_000)  # per million tokens: beyond it somebody mistook the unit
DECIMALS = Decimal("0.000001")
REQUIRED = ("prompt", "completion")
PER_TOKENS = 1_000_000


@dataclass(frozen=True)
class PriceFacts:
    """A row of a price file: dollars per million tokens from a day on."""

    provider: str
    model: str
    valid_from: date
    prompt: Decimal
    cached: Decimal | None
    completion: Decimal
    reasoning: Decimal | None
    source: str

    @property
    def key(self) -> tuple[str, str, date]:
        return self.provider, self.model, self.valid_from

    @property
    def amounts(self) -> dict[str, Decimal | None]:
        return {part: getattr(self, part) for part in PARTS}


def refusal(what: str, next_step: str = "Fix the file; nothing was loaded.") -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "bad_prices", what, next_step))


def read_file(path: Path) -> Any:
    """The JSON in a file. Raises ProblemError."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise refusal(f"{path} is larger than {MAX_FILE_BYTES // 1_000_000} MB.")
        return json.loads(path.read_text("utf-8"), parse_float=Decimal)
    except OSError as error:
        raise refusal(f"{path} cannot be read: {error.strerror}.", "Give another file.") from error
    except (ValueError, RecursionError) as error:
        raise refusal(f"{path} is not JSON: {str(error)[:200]}.") from error


def read_prices(content: Any, today: date) -> list[PriceFacts]:
    """Every row of a price file. Raises ProblemError for the first that cannot be."""
    if not isinstance(content, dict) or not isinstance(content.get("prices"), list):
        raise refusal("The file has no list “prices”.")
    currency = content.get("currency")
    if currency != CURRENCY:
        raise refusal(
            f"The currency {shorten(currency)} is unknown here.",
            f"Convert the prices to {CURRENCY} and say so in “currency”; nothing was loaded.",
        )
    if content.get("per_tokens") != PER_TOKENS:
        raise refusal(f"“per_tokens” has to be {PER_TOKENS}: prices are per million tokens.")
    rows = [read_row(n, row, content, today) for n, row in enumerate(content["prices"], 1)]
    seen: set[tuple[str, str, date]] = set()
    for facts in rows:
        if facts.key in seen:
            raise refusal(f"{name(facts)} has two prices from {facts.valid_from}.")
        seen.add(facts.key)
    return rows


def read_row(number: int, row: Any, content: Mapping[str, Any], today: date) -> PriceFacts:
    """A row; what it leaves out of date and source is the file's."""
    if not isinstance(row, dict):
        raise refusal(f"Price {number} is not an object.")
    where = f"Price {number} ({shorten(row.get('model'))})"
    unknown = sorted(row.keys() - {"provider", "model", "from", "source", "currency", *PARTS})
    if unknown:
        raise refusal(f"{where} has an unknown field {shorten(unknown[0])}.")
    if row.get("currency", CURRENCY) != CURRENCY:
        raise refusal(f"{where}: the currency {shorten(row['currency'])} is unknown here.")
    model = read_text(where, "model", row.get("model"), MAX_MODEL_CHARS)
    provider = row.get("provider", "")
    if provider != "":
        provider = read_text(where, "provider", provider, MAX_PROVIDER_CHARS)
    source = read_text(where, "source", row.get("source", content.get("source")), MAX_SOURCE_CHARS)
    amounts = {part: read_amount(where, part, row.get(part)) for part in PARTS}
    valid_from = read_day(where, row.get("from", content.get("from")), today)
    return PriceFacts(provider, model, valid_from, source=source, **amounts)  # type: ignore[arg-type]


def read_text(where: str, field: str, value: Any, most: int) -> str:
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise refusal(f"{where} has no {field}.")
    if len(value) > most:
        raise refusal(f"{where}: the {field} is longer than {most} characters.")
    return value.strip()


def read_amount(where: str, part: str, value: Any) -> Decimal | None:
    """Dollars per million tokens; None for a part that has no price of its own."""
    if value is None and part not in REQUIRED:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise refusal(f"{where} has no number for {part}.")
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise refusal(f"{where}: {part} is {shorten(value)}, which is not a number.") from error
    if not amount.is_finite():
        raise refusal(f"{where}: {part} is {shorten(value)}, which is not a number.")
    if amount < 0:
        raise refusal(f"{where}: {part} is {amount}. A price cannot be negative.")
    if amount > MAX_DOLLARS:
        raise refusal(f"{where}: {part} is {amount}. Prices are in dollars per million tokens.")
    if 0 < amount < DECIMALS:
        raise refusal(f"{where}: {part} is {amount}. The least price kept is {DECIMALS}.")
    return amount.quantize(DECIMALS)


def read_day(where: str, value: Any, today: date) -> date:
    try:
        day = date.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise refusal(f"{where}: {shorten(value)} is not a date such as 2026-01-31.") from error
    if day > today:
        raise refusal(f"{where} is from {day}, which is in the future. Today is {today}.")
    return day


def name(facts: PriceFacts) -> str:
    return f"{facts.provider or 'every provider'} {shorten(facts.model)}"


def shorten(value: Any) -> str:
    return f"“{str(value)[:60]}”"
