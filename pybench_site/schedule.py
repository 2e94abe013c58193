"""Schedules that go on at their pace when somebody sets the clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from celery.schedules import schedule

START = datetime(2000, 1, 1, tzinfo=UTC)


def steady_now() -> datetime:
    """A moment that never jumps: only differences between two mean anything."""
    return START + timedelta(seconds=time.monotonic())


def every(interval_s: float) -> schedule:
    """A schedule for Celery's beat. Kept in memory alone: the next start counts differently."""
    return schedule(interval_s, nowfun=steady_now)
