"""Mends times that only a clock since set back can have written.

Leases and pauses are moments in the near future or the past. After the clock jumps back
they lie far ahead, and whatever waits for them would wait for as long as the clock was wrong.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from leaderboard.models import Attempt, Worker
from leaderboard.queue.transitions import HOST_WAIT
from runner.contract import HOST_LACKS, Status

SLACK = timedelta(minutes=1)  # for acts that take place while we look


def mend_times(now: datetime) -> int:
    """Bring what lies too far ahead back to what an honest clock would say; how many rows."""
    lease = timedelta(seconds=settings.QUEUE_LEASE_S)
    pause = timedelta(seconds=max(settings.QUEUE_BACKOFF_S))
    leases = Attempt.objects.filter(
        status=Status.RUNNING, lease_until__gt=now + lease + min(lease, SLACK)
    )
    queued = Attempt.objects.filter(status=Status.QUEUED)
    pauses = queued.filter(not_before__gt=now + pause + SLACK).exclude(
        problem_code__startswith=HOST_LACKS, not_before__lte=now + HOST_WAIT + SLACK
    )
    sent = queued.filter(lease_until__gt=now + SLACK)
    workers = Worker.objects.filter(seen_at__gt=now + SLACK)
    return (
        leases.update(lease_until=now + lease)  # a living worker renews it long before
        + pauses.update(not_before=now)
        + sent.update(lease_until=now)
        + workers.delete()[0]  # one that lives renews its row
    )
