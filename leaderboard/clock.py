"""The one clock that leases, pauses and wake-ups are told by.

Workers run on many hosts, whose clocks differ: with PostgreSQL its clock counts for all of them.
SQLite lies on one machine, whose clock is as good.
"""

from __future__ import annotations

from datetime import datetime

from django.db import connection
from django.utils import timezone


def now() -> datetime:
    """This moment, timezone-aware. One query on PostgreSQL, none on SQLite."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment
