"""Forecasts a run's tokens, money and time from the past runs of its suite.

Each quantity per attempt is taken as normal on the scale of logarithms over the past runs, one of
each model. With too few of them the tiny task alone gives a wide range.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, stdev
from typing import Any, NamedTuple

from leaderboard.money.cost import MILLION, TokenPrice
from runner.contract import Limits

ENOUGH = 5  # models with a past run
NORMAL_95 = 1.645  # standard deviations that a normal value stays below in 95 of 100 cases

# Of a run's attempts, without past runs: replies each, and how far replies and observations grow
# over the tiny task's.
FEW_TURNS, MANY_TURNS = 3, 8
REPLY_TOKENS = (150, 900)
OBSERVATION_TOKENS = (100, 800)
PROMPT_TOKENS = 450  # where the endpoint does not count
LONGER_REPLY = 6.0  # a reply of a task over one of the tiny task's, at most


@dataclass(frozen=True)
class PastRun:
    """Means over the attempts of one run."""

    prompt_tokens: float | None  # None where the endpoint counted none
    completion_tokens: float | None
    wall_s: float


class ForecastRange(NamedTuple):
    """Bounds between which nine of ten runs end, and the middle."""

    low: float
    high: float
    middle: float

    def times(self, factor: float) -> ForecastRange:
        return ForecastRange(self.low * factor, self.high * factor, self.middle * factor)

    def below(self, most: float) -> ForecastRange:
        return ForecastRange(min(self.low, most), min(self.high, most), min(self.middle, most))


@dataclass(frozen=True)
class Forecast:
    """Forecast of a run's use; time is None when nothing is known of it."""

    attempts: int
    tokens: ForecastRange
    seconds: ForecastRange | None
    dollars: ForecastRange | None = None  # None: unpriced
    past_runs: int = 0  # that it was made from; 0: from the tiny task alone
    max_tokens: int | None = None  # of a reply, if that is limited


@dataclass(frozen=True)
class Use:
    """How a run is going to ask: so many attempts, so many at once, with bounds of each."""

    attempts: int
    concurrency: int
    max_tokens: int | None = None  # of a reply; None: not limited
    max_turns: int = Limits().max_turns  # replies of an attempt


def forecast(
    measures: Mapping[str, Any],
    use: Use,
    price: TokenPrice | None = None,
    past: Sequence[PastRun] = (),
) -> Forecast:
    """Forecast the use of so many attempts: from past runs, or from the tiny task alone."""
    attempts = use.attempts
    wide = forecast_from_tiny_task(measures, use, price)
    counted = [run for run in past if run.prompt_tokens and run.completion_tokens]
    if len(counted) < ENOUGH or not attempts:
        return wide
    lanes = max(1, min(use.concurrency, attempts))
    rounds = (attempts + (lanes - 1) / 2) / lanes  # the last ones leave places empty
    tokens = spread([sum(parts_of(run)) for run in counted])
    seconds = spread([run.wall_s for run in past])
    dollars = spread([price_of(parts_of(run), price) for run in counted]) if price else None
    most = most_tokens(measures, use)
    return Forecast(
        attempts,
        (tokens or wide.tokens.times(1 / attempts)).below(sum(most)).times(attempts),
        seconds.times(rounds) if seconds else wide.seconds,
        dollars.below(price_of(most, price)).times(attempts) if dollars and price else wide.dollars,
        len(counted),
        use.max_tokens,
    )


def most_tokens(measures: Mapping[str, Any], use: Use) -> tuple[float, float]:
    """Tokens of an attempt whose every reply is as long as it may be; infinite without a limit."""
    if not use.max_tokens:
        return math.inf, math.inf
    prompt = measures.get("prompt_tokens") or PROMPT_TOKENS
    return conversation_tokens(prompt, use.max_tokens, OBSERVATION_TOKENS[1], use.max_turns)


def parts_of(run: PastRun) -> tuple[float, float]:
    return run.prompt_tokens or 0.0, run.completion_tokens or 0.0


def spread(amounts: Iterable[float]) -> ForecastRange | None:
    """Range that nine of ten more of these amounts end in; None with too few of them.

    The quantile of Student's distribution is Hill's expansion to the second order (Abramowitz and
    Stegun 26.7.5).
    """
    values = [math.log(amount) for amount in amounts if amount > 0]
    if len(values) < ENOUGH:
        return None
    free, z = len(values) - 1, NORMAL_95
    student = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    reach = student * stdev(values) * math.sqrt(1 + 1 / len(values))
    middle = median(values)
    return ForecastRange(math.exp(middle - reach), math.exp(middle + reach), math.exp(middle))


def forecast_from_tiny_task(
    measures: Mapping[str, Any], use: Use, price: TokenPrice | None
) -> Forecast:
    """Wide ranges: three short to eight long replies per attempt, judging by the tiny task."""
    prompt = measures.get("prompt_tokens") or PROMPT_TOKENS
    said = measures.get("completion_tokens") or 0
    longest = use.max_tokens or math.inf
    few, many = (
        conversation_tokens(prompt, min(longest, max(said, reply)), seen, turns)
        for turns, reply, seen in zip(
            (FEW_TURNS, MANY_TURNS), REPLY_TOKENS, OBSERVATION_TOKENS, strict=True
        )
    )
    reply_s = measures.get("reply_s")
    attempts = use.attempts
    rounds = attempts / max(1, min(use.concurrency, attempts))
    seconds = None
    if reply_s is not None:
        longer = min(LONGER_REPLY, max(1.0, longest / said)) if said else LONGER_REPLY
        seconds = between(
            rounds * FEW_TURNS * (reply_s + 0.3),
            rounds * MANY_TURNS * (reply_s * longer + 2.0),
        )
    dollars = None
    if price:
        dollars = between(attempts * price_of(few, price), attempts * price_of(many, price))
    return Forecast(
        attempts,
        between(attempts * sum(few), attempts * sum(many)),
        seconds,
        dollars,
        max_tokens=use.max_tokens,
    )


def between(low: float, high: float) -> ForecastRange:
    """A range whose middle is as many times its lower bound as its upper one is of the middle."""
    return ForecastRange(low, high, math.sqrt(max(0.0, low * high)))


def conversation_tokens(
    prompt: float, reply: float, observation: float, turns: int
) -> tuple[float, float]:
    """Prompts and replies of one attempt: each request sends the conversation again."""
    grown = (reply + observation) * turns * (turns - 1) / 2
    return turns * prompt + grown, turns * reply


def price_of(tokens: tuple[float, float], price: TokenPrice) -> float:
    """Dollars for prompts and replies, without cache discounts."""
    prompts, replies = tokens
    per_token = (float(price.prompt / MILLION), float(price.completion / MILLION))
    return prompts * per_token[0] + replies * per_token[1]
