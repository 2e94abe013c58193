"""Cost of runs: sums of tokens times the price that their model had on the run's date."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from leaderboard.money.providers import show_provider
from leaderboard.scoring.usage import UsageSums, read_usage

CURRENCY = "USD"
MILLION = Decimal(1_000_000)
PRICE = "price_json"  # the attribute of a run that was read with its price
PARTS = ("prompt", "cached", "completion", "reasoning")


@dataclass(frozen=True)
class TokenPrice:
    """Dollars per million tokens, with the place where they were read."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal | None = None  # None: as the prompt
    reasoning: Decimal | None = None  # None: as the completion
    provider: str = ""
    valid_from: str = ""  # as 2026-11-22
    source: str = ""

    @property
    def has_cheaper_cache(self) -> bool:
        return self.cached is not None and self.cached < self.prompt

    @property
    def words(self) -> str:
        """As in "OpenAI: $0.15 prompt, $0.075 cached, $0.60 completion per million tokens"."""
        named = [(part, getattr(self, part)) for part in PARTS]
        amounts = ", ".join(f"${v.normalize():f} {part}" for part, v in named if v is not None)
        parts = f"{amounts} per million tokens"
        provider = show_provider(self.provider)
        return f"{provider}: {parts}" if provider else parts


@dataclass(frozen=True)
class Cost:
    """Cost of a run's attempts that have a price, in dollars."""

    total: Decimal
    priced: int  # attempts
    replied: int  # attempts with a verdict and a reply: those that cost anything
    solved: int  # of those that are priced
    is_at_most: bool = False  # the endpoint did not say how much came from its cheaper cache

    @property
    def per_task(self) -> float | None:
        return float(self.total / self.priced) if self.priced else None

    @property
    def per_solved(self) -> float | None:
        """None where no priced attempt passed."""
        return float(self.total / self.solved) if self.solved else None

    @property
    def is_partial(self) -> bool:
        return self.priced < self.replied


def read_price(stored: Mapping[str, Any] | None) -> TokenPrice | None:
    """The price in a row of the book, as JSON has it."""
    if not stored:
        return None
    amounts = {part: stored[part] for part in PARTS}
    exact = {part: None if v is None else Decimal(str(v)) for part, v in amounts.items()}
    said = {name: str(stored[name]) for name in ("provider", "valid_from", "source")}
    return TokenPrice(**exact, **said)  # type: ignore[arg-type]


def cost_of(usage: UsageSums | None, price: TokenPrice | None) -> Cost | None:
    """The cost of what was used; None where no attempt can be priced."""
    if usage is None or price is None or not usage.counted:
        return None
    cached = price.prompt if price.cached is None else price.cached
    reasoning = price.completion if price.reasoning is None else price.reasoning
    total = (
        (usage.prompt - usage.cached) * price.prompt
        + usage.cached * cached
        + (usage.completion - usage.reasoning) * price.completion
        + (usage.reasoning + usage.beside) * reasoning
    )
    is_unsure = price.has_cheaper_cache and usage.cached_known < usage.counted
    return Cost(total / MILLION, usage.counted, usage.talked, usage.solved, is_unsure)


def why_unpriced(usage: UsageSums | None, price: TokenPrice | None) -> str:
    """Why there is no cost, in a sentence; "" where there is one or nothing was used."""
    if usage is None or not usage.talked:
        return ""
    if price is None:
        return "Unpriced: the price book has no price for this model at its endpoint on this date."
    if not usage.counted:
        return "Unpriced: the endpoint did not count tokens."
    return ""


def price_of(run: Any) -> TokenPrice | None:
    """The price that the run was read with."""
    return read_price(getattr(run, PRICE, None))


def cost_of_run(run: Any, overall: Any) -> tuple[Cost | None, str]:
    """The run's cost, and the reason where it has none."""
    usage = read_usage(overall.usage) if overall else None
    price = price_of(run)
    return cost_of(usage, price), why_unpriced(usage, price)
