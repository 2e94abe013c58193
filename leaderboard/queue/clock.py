"""The one clock for leases, pauses and wake-ups.

Workers run on many hosts, whose clocks differ: with PostgreSQL its clock counts for all of them.
SQLite lies on one machine, whose clock is as good.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import DateTimeField, Func
from django.db.models.expressions import Combinable
from django.utils import timezone

from leaderboard.models.statements import Sql


def now() -> datetime:
    """This moment, timezone-aware. One query on PostgreSQL, none on SQLite."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


def lease() -> timedelta:
    """Duration of a claim without a sign of life."""
    return timedelta(seconds=settings.QUEUE_LEASE_S)


def later(wait: timedelta = timedelta(0)) -> datetime | Combinable:
    """So long from this moment, for an update: on PostgreSQL an expression, without a query."""
    if connection.vendor != "postgresql":
        return now() + wait
    moment = Func(function="clock_timestamp", output_field=DateTimeField())
    return moment + wait if wait else moment


def later_sql(wait: timedelta = timedelta(0)) -> datetime | Sql:
    """The same for `leaderboard.models.statements`."""
    if connection.vendor != "postgresql":
        return now() + wait
    return Sql("clock_timestamp() + %s", (wait,))
