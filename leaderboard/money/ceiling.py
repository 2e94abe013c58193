"""Ceilings of runs, in tokens or in dollars: bounds, words, and how far one is used.

A ceiling is counted in tokens, or in millionths of a dollar; prices are in units per token.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from leaderboard.money.cost import TokenPrice
from leaderboard.rendering.numbers import show_count, show_money
from runner.contract import refusal

LEAST_TOKENS, MOST_TOKENS = 1_000, 10_000_000_000
LEAST_DOLLARS, MOST_DOLLARS = 0.01, 100_000.0
MICRO = 1_000_000  # units of a dollar
FIRST_PROMPT_TOKENS = 450  # of any task: instructions and query, at the least
REACHED = "ceiling"  # in `Run.stopped_for`


@dataclass(frozen=True)
class AskedCeiling:
    """A ceiling as somebody gives it: one of both, or none."""

    tokens: int | None = None
    dollars: float | None = None

    def __bool__(self) -> bool:
        return self.tokens is not None or self.dollars is not None


@dataclass(frozen=True)
class Stored:
    """The columns of a run that hold its ceiling; no prices: it is in tokens."""

    ceiling: int | None = None
    prices: dict[str, float] | None = None

    @property
    def columns(self) -> dict[str, Any]:
        return {"ceiling": self.ceiling, "ceiling_prices": self.prices or {}}


def settle_on(
    asked: AskedCeiling, price: TokenPrice | None, max_tokens: int | None = None
) -> Stored:
    """The ceiling to store. ProblemError for one out of bounds, without a price, or too small for
    a single reply of `max_tokens`."""
    if not asked:
        return Stored()
    if asked.tokens is not None and asked.dollars is not None:
        raise refusal("two_ceilings", "Two ceilings were given.", "Give one: tokens or dollars.")
    reply = FIRST_PROMPT_TOKENS + (max_tokens or 1)
    if asked.tokens is not None:
        require_between(asked.tokens, LEAST_TOKENS, MOST_TOKENS, "tokens")
        require_room(asked.tokens, reply, f"{reply:,} tokens")
        return Stored(asked.tokens)
    assert asked.dollars is not None
    require_between(asked.dollars, LEAST_DOLLARS, MOST_DOLLARS, "dollars")
    if price is None:
        raise refusal(
            "unpriced_ceiling",
            "The price book has no price for this model at this endpoint, so money cannot be "
            "counted.",
            "Give a ceiling in tokens.",
        )
    prices = prices_of(price)
    least = FIRST_PROMPT_TOKENS * prices["prompt"] + (max_tokens or 1) * prices["completion"]
    ceiling = round(asked.dollars * MICRO)
    require_room(ceiling, math.ceil(least), show_money(least / MICRO))
    return Stored(ceiling, prices)


def prices_of(price: TokenPrice) -> dict[str, float]:
    """Millionths of a dollar per token: dollars per million. The higher of two counts."""
    completion = max(price.completion, price.reasoning or price.completion)
    return {"prompt": float(price.prompt), "completion": float(completion)}


def require_between(value: float, least: float, most: float, unit: str) -> None:
    if not (math.isfinite(value) and least <= value <= most):
        raise refusal(
            "ceiling_out_of_bounds",
            f"A ceiling of {value:,} {unit} is out of bounds.",
            f"Give {least:,} to {most:,.0f} {unit}, or none.",
        )


def require_room(ceiling: int, least: int, words: str) -> None:
    if ceiling < least:
        raise refusal(
            "ceiling_too_small",
            f"The ceiling is too small for one reply, which may take {words}.",
            "Raise the ceiling, or lower the maximum of tokens per reply.",
        )


@dataclass(frozen=True)
class CeilingUse:
    """Use of a run's ceiling, in its own unit."""

    ceiling: int
    spent: int
    is_money: bool
    is_reached: bool  # the run stopped at it

    @property
    def over(self) -> int:
        return max(0, self.spent - self.ceiling)

    @property
    def share(self) -> float:
        return min(1.0, self.spent / self.ceiling)

    @property
    def words(self) -> str:
        """As in "52.1k of 100k tokens" or "$0.42 of $5.00, $0.01 over"."""
        over = f", {self.show(self.over)} over it" if self.over else ""
        unit = "" if self.is_money else " tokens"
        return f"{self.show(self.spent)} of {self.show(self.ceiling)}{unit}{over}"

    def show(self, units: int) -> str:
        return show_money(units / MICRO) if self.is_money else show_count(units)

    @property
    def tokens(self) -> int | None:
        return None if self.is_money else self.ceiling

    @property
    def dollars(self) -> float | None:
        return self.ceiling / MICRO if self.is_money else None


def use_of(run: Any) -> CeilingUse | None:
    """The use of a run's ceiling; None without one."""
    if run.ceiling is None:
        return None
    is_reached = run.stopped_for == REACHED
    return CeilingUse(run.ceiling, run.spent, bool(run.ceiling_prices), is_reached)
