"""Estimates how long a run still takes, from its attempts that have ended."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean, stdev

from leaderboard.models import Attempt
from runner.contract import Status

ENOUGH = 3  # attempts that have ended
NORMAL_90 = 1.645  # standard deviations on each side
LEAST_LEFT = 0.2  # of a usual attempt, for one that has taken longer than usual


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
