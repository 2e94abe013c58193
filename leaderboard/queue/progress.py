"""Progress of a running run: queue position, attempts in flight, and the time left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean, stdev

from django.db.models import Sum
from django.utils import timezone

from leaderboard.models import Attempt, Run, Step
from leaderboard.money.cost import MILLION, TokenPrice, price_of
from leaderboard.queue.concurrency import Pace, pace_of
from leaderboard.queue.host_waits import HostWait, list_waits_of_run
from leaderboard.queue.transitions import AWAY_AT_MOST
from runner.contract import Fault, Status

ENOUGH = 3  # attempts that have ended, to estimate the time left
NORMAL_90 = 1.645  # standard deviations on each side
LEAST_LEFT = 0.2  # of a usual attempt, for one that has taken longer than usual


@dataclass(frozen=True)
class RetryPause:
    """A pause before attempts are played again."""

    until: datetime
    problem: str  # the last that failed; "" if no waiting attempt names one
    is_ours: bool  # else the endpoint failed
    given_up_at: datetime | None = None  # if the endpoint is not back by then


@dataclass(frozen=True)
class Watch:
    """A run that goes on, as it is now."""

    runs_ahead: int  # submitted earlier and not over
    under_way: list[Attempt]
    waiting: int  # attempts that nobody plays yet, without those that wait for the host
    pace: Pace | None  # None until a worker found one
    elapsed_s: float  # since it was submitted
    pause: RetryPause | None  # of all that waits, after a failure
    host_waits: list[HostWait]
    time_left: TimeLeft | None = None  # None until enough attempts have ended


def watch(run: Run, attempts: Sequence[Attempt]) -> Watch:
    """Two queries; `attempts` are the run's, loaded already."""
    playable = [attempt for attempt in attempts if not attempt.waits_for_host]
    waiting = [attempt for attempt in playable if attempt.status == Status.QUEUED]
    under_way = [attempt for attempt in attempts if attempt.status == Status.RUNNING]
    pace = pace_of(run, {attempt.worker for attempt in under_way})
    lanes = pace.now if pace and pace.now else run.concurrency
    is_stopping = run.cancel_requested or run.is_paused
    return Watch(
        runs_ahead=count_ahead(run),
        under_way=under_way,
        waiting=len(waiting),
        pace=pace,
        elapsed_s=(timezone.now() - run.created_at).total_seconds(),
        pause=None if is_stopping else find_pause(run, waiting, timezone.now()),
        host_waits=list_waits_of_run(attempts),
        time_left=None if is_stopping else estimate(playable, lanes, timezone.now()),
    )


def find_pause(run: Run, waiting: Sequence[Attempt], now: datetime) -> RetryPause | None:
    """The pause until the first of these attempts; None if one of them does not pause.

    An endpoint that failed one attempt rests for all of them.
    """
    moments = [a.not_before for a in waiting if a.not_before and a.not_before > now]
    if not moments or len(moments) < len(waiting):
        return None
    is_ours = all(attempt.fault == Fault.US for attempt in waiting)
    failed = [attempt for attempt in waiting if (attempt.fault == Fault.US) is is_ours]
    last = max(failed, key=lambda attempt: (bool(attempt.problem), attempt.started_at or now))
    given_up_at = run.away_since + AWAY_AT_MOST if run.away_since and not is_ours else None
    return RetryPause(min(moments), last.problem, is_ours, given_up_at)


def count_ahead(run: Run) -> int:
    """Number of unfinished runs that were submitted earlier."""
    return Run.objects.open().filter(pk__lt=run.pk).count()


@dataclass(frozen=True)
class UsedTokens:
    """Tokens of every reply of a run, whatever became of its attempt; None where none counted."""

    sent: int | None
    said: int | None
    price: TokenPrice | None = None

    @property
    def tokens(self) -> int | None:
        known = [value for value in (self.sent, self.said) if value is not None]
        return sum(known) if known else None

    @property
    def dollars(self) -> float | None:
        """Without cache discounts; None: unpriced."""
        if self.price is None or self.tokens is None:
            return None
        sent, said = self.sent or 0, self.said or 0
        return float((sent * self.price.prompt + said * self.price.completion) / MILLION)


def count_usage(run: Run) -> UsedTokens:
    """Tokens of every retry too, and of stopped attempts: the endpoint had to produce them all."""
    sums = Step.objects.filter(attempt__run=run).aggregate(
        said=Sum("completion_tokens"), sent=Sum("prompt_tokens")
    )
    return UsedTokens(sums["sent"], sums["said"], price_of(run))


@dataclass(frozen=True)
class TimeLeft:
    """Seconds until the last attempt ends, with bounds that hold for nine runs of ten like it."""

    low_s: float
    middle_s: float
    high_s: float


def estimate(attempts: Sequence[Attempt], lanes: int, now: datetime) -> TimeLeft | None:
    """The time left with so many attempts at once. None before three have ended, and at the end.

    Attempts vary as those that ended did; what an endpoint that fails adds is not in it.
    """
    took = [a.wall_s for a in attempts if a.state in ("passed", "failed") and a.wall_s > 0]
    waiting = sum(attempt.status == Status.QUEUED for attempt in attempts)
    under_way = [attempt for attempt in attempts if attempt.status == Status.RUNNING]
    left = waiting + len(under_way)
    if len(took) < ENOUGH or not left:
        return None
    usual, spread = fmean(took), stdev(took)
    begun = [max(LEAST_LEFT * usual, usual - elapsed_of(a, now)) for a in under_way]
    lanes = max(1, min(lanes, left))
    middle = max((waiting * usual + sum(begun)) / lanes, max(begun, default=usual))
    # The attempts to come, and the mean of those that ended, which is not the true one.
    error = NORMAL_90 * spread * math.sqrt(left + left**2 / len(took)) / lanes
    return TimeLeft(max(middle / 4, middle - error), middle, middle + error)


def elapsed_of(attempt: Attempt, now: datetime) -> float:
    return max(0.0, (now - attempt.started_at).total_seconds()) if attempt.started_at else 0.0
