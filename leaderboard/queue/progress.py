"""Progress of a running run: queue position, tokens used, attempts in flight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum
from django.utils import timezone

from leaderboard.models import Attempt, Run, Step
from leaderboard.money.cost import MILLION, TokenPrice, price_of
from leaderboard.queue.concurrency import Pace, pace_of
from leaderboard.queue.time_left import TimeLeft, estimate
from runner.contract import Status


@dataclass(frozen=True)
class Watch:
    """A run that goes on, as it is now."""

    runs_ahead: int  # submitted earlier and not over
    tokens: int | None  # of every reply so far; None while no endpoint counted any
    dollars: float | None  # for those, without cache discounts; None: unpriced
    under_way: list[Attempt]
    waiting: int  # attempts that nobody plays yet
    pace: Pace | None  # None until a worker found one
    elapsed_s: float  # since it was submitted
    next_try_at: datetime | None  # when an endpoint that failed is asked again
    time_left: TimeLeft | None = None  # None until enough attempts have ended


def watch(run: Run, attempts: Sequence[Attempt]) -> Watch:
    """Three queries; `attempts` are the run's, loaded already."""
    waiting = [attempt for attempt in attempts if attempt.status == Status.QUEUED]
    rests = [a.not_before for a in waiting if a.not_before and a.not_before > timezone.now()]
    is_resting = bool(waiting) and len(rests) == len(waiting)
    under_way = [attempt for attempt in attempts if attempt.status == Status.RUNNING]
    pace = pace_of(run, {attempt.worker for attempt in under_way})
    lanes = pace.now if pace and pace.now else run.concurrency
    is_stopping = run.cancel_requested or run.is_paused
    used = count_usage(run)
    return Watch(
        runs_ahead=count_ahead(run),
        tokens=used.tokens,
        dollars=used.price_at(price_of(run)),
        under_way=under_way,
        waiting=len(waiting),
        pace=pace,
        elapsed_s=(timezone.now() - run.created_at).total_seconds(),
        next_try_at=min(rests) if is_resting and not is_stopping else None,
        time_left=None if is_stopping else estimate(attempts, lanes, timezone.now()),
    )


def count_ahead(run: Run) -> int:
    """Number of unfinished runs that were submitted earlier."""
    return Run.objects.open().filter(pk__lt=run.pk).count()


@dataclass(frozen=True)
class UsedTokens:
    """Tokens sent and said; None where the endpoint counted none."""

    sent: int | None
    said: int | None

    @property
    def tokens(self) -> int | None:
        known = [value for value in (self.sent, self.said) if value is not None]
        return sum(known) if known else None

    def price_at(self, price: TokenPrice | None) -> float | None:
        if price is None or self.tokens is None:
            return None
        return float(
            ((self.sent or 0) * price.prompt + (self.said or 0) * price.completion) / MILLION
        )


def count_usage(run: Run) -> UsedTokens:
    """Tokens of every try, void ones included: the endpoint had to produce them all."""
    sums = Step.objects.filter(attempt__run=run).aggregate(
        said=Sum("completion_tokens"), sent=Sum("prompt_tokens")
    )
    return UsedTokens(sums["sent"], sums["said"])
