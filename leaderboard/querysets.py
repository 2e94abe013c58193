"""Rules about many rows: which runs are shown, which attempts can be claimed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Count, F, Q

from runner.contract import Status

OPEN = (Status.QUEUED, Status.RUNNING)


def is_ready(now: datetime, prefix: str = "") -> Q:
    """Queued, and not waiting for a back-off to pass."""
    queued = Q(**{f"{prefix}status": Status.QUEUED})
    waited = Q(**{f"{prefix}not_before": None}) | Q(**{f"{prefix}not_before__lte": now})
    return queued & waited


class RunQuerySet(models.QuerySet[Any]):
    """Chainable questions about runs."""

    def published(self) -> RunQuerySet:
        return self.filter(is_public=True)

    def visible_to(self, user: Any) -> RunQuerySet:
        """What `user` may read: published runs, and those of the entries they own."""
        mine = Q(entry__owner=user.pk) if user.is_authenticated else Q()
        return self.filter(Q(is_public=True) | mine)

    def on_board(self) -> RunQuerySet:
        """Published and not withdrawn by their owner."""
        return self.published().filter(withdrawn_at=None)

    def open(self) -> RunQuerySet:
        return self.filter(status__in=OPEN)

    def with_room(self, now: datetime) -> RunQuerySet:
        """Runs that have a claimable attempt and fewer in flight than they allow."""
        in_flight = Count("attempts", filter=Q(attempts__status=Status.RUNNING))
        ready = Count("attempts", filter=is_ready(now, "attempts__"))
        runs: RunQuerySet = (
            self.open()
            .filter(cancel_requested=False)
            .annotate(in_flight=in_flight, ready=ready)
            .filter(ready__gt=0, in_flight__lt=F("concurrency"))
        )
        return runs

    def without_open_attempt(self) -> RunQuerySet:
        """Open runs whose every attempt is over: nobody closed them."""
        left = Count("attempts", filter=Q(attempts__status__in=OPEN))
        runs: RunQuerySet = self.open().annotate(left=left).filter(left=0)
        return runs


class AttemptQuerySet(models.QuerySet[Any]):
    """Chainable questions about attempts."""

    def open(self) -> AttemptQuerySet:
        return self.filter(status__in=OPEN)

    def claimable(self, now: datetime) -> AttemptQuerySet:
        return self.filter(is_ready(now))

    def expired(self, now: datetime) -> AttemptQuerySet:
        """Running, but their worker stopped renewing the lease."""
        return self.filter(status=Status.RUNNING, lease_until__lt=now)


RunManager = models.Manager.from_queryset(RunQuerySet)
AttemptManager = models.Manager.from_queryset(AttemptQuerySet)
