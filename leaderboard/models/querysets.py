"""Rules about many rows: which runs are shown, which attempts can be played."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import BinaryField, Case, Count, F, Q, Sum, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Length, Substr

from leaderboard.models.packed_json import FRAME_HEAD_BYTES, unpacked_size
from runner.contract import HOST_LACKS, Outcome, Status

OPEN = (Status.QUEUED, Status.RUNNING)
UNFINISHED = (*OPEN, Status.PAUSED)  # of runs that are played
OVER = (Status.DONE, Status.CANCELLED, Status.REFUSED)
SMALL_BYTES = 4 << 10  # of a body as it is stored, which is read with its row
BEING_STORED = Q(suite__is_private=True, entry__owner=None)  # an upload, or being deleted


def is_ready(now: datetime | Combinable) -> Q:
    """Queued, sent to no worker, and not waiting for a back-off to pass."""
    is_unsent = Q(lease_until=None) | Q(lease_until__lt=now)
    has_waited = Q(not_before=None) | Q(not_before__lte=now)
    return Q(status=Status.QUEUED) & is_unsent & has_waited


def is_sent(now: datetime | Combinable) -> Q:
    """Sent to a worker that may still take it: queued, with a lease."""
    return Q(status=Status.QUEUED, lease_until__gte=now)


def sum_of_states(only: Q | None = None) -> Sum:
    """A number that other runs, or the same in other states, do not add up to.

    Sums of ids and sequences do: runs 1 and 4 are as much as 2 and 3. Squares of remainders are the
    same by chance only.
    """
    state: Combinable = (F("pk") * 8_191 + F("sequence") * 131_071) % 1_000_003
    return Sum(state * state, filter=only)


COUNTS = frozenset({"sequence", "is_public", "withdrawn_at", "status"})


def theirs(user: Any) -> Q:
    """Runs of the entries that `user` owns, and the one whose link they follow; may be empty."""
    mine = Q(entry__owner=user.pk) if user.is_authenticated else Q()
    if shared := getattr(user, "shared_run", None):
        mine |= Q(pk=shared)
    return mine


class RunQuerySet(models.QuerySet[Any]):
    """Chainable questions about runs."""

    def update(self, **values: Any) -> int:
        """Have the runs filed and sealed anew when what pages count changes
        (`leaderboard.scoring.filing`, `leaderboard.ledger.sealed_runs`)."""
        if values.keys() & COUNTS:
            values.setdefault("is_filed", False)
            values.setdefault("is_sealed", False)
        return super().update(**values)

    def published(self) -> RunQuerySet:
        return self.filter(is_public=True)

    def visible_to(self, user: Any) -> RunQuerySet:
        """Runs that `user` can read: published ones, those of the entries they own, and the one
        whose link they follow."""
        return self.filter(Q(is_public=True) | theirs(user))

    def on_board(self) -> RunQuerySet:
        """Published and not withdrawn by their owner."""
        return self.published().filter(withdrawn_at=None)

    def open(self) -> RunQuerySet:
        """Runs in the queue: neither over nor paused."""
        return self.filter(status__in=OPEN)

    def half_cancelled(self) -> RunQuerySet:
        """Unfinished runs whose cancellation left attempts queued that were being claimed."""
        asked = self.filter(status__in=UNFINISHED, cancel_requested=True)
        return asked.filter(attempts__status=Status.QUEUED).distinct()

    def without_open_attempt(self) -> RunQuerySet:
        """Unfinished runs whose every attempt is over: nobody closed them."""
        left = Count("attempts", filter=Q(attempts__status__in=OPEN))
        unfinished = self.filter(status__in=UNFINISHED)
        runs: RunQuerySet = unfinished.annotate(left=left).filter(left=0)
        return runs


class SuiteQuerySet(models.QuerySet[Any]):
    """Chainable questions about suites. One made from somebody's upload is private."""

    def shown(self) -> SuiteQuerySet:
        """Suites that everybody sees, and that lists have."""
        return self.filter(is_private=False)

    def visible_to(self, user: Any) -> SuiteQuerySet:
        """Those, and private ones of runs that `user` can read."""
        if not user.is_authenticated and getattr(user, "shared_run", None) is None:
            return self.shown()
        runs = self.model._meta.get_field("runs").related_model._default_manager
        mine = runs.visible_to(user).filter(is_public=False).values("suite")
        return self.filter(Q(is_private=False) | Q(pk__in=mine))


class AttemptQuerySet(models.QuerySet[Any]):
    """Chainable questions about attempts."""

    def open(self) -> AttemptQuerySet:
        return self.filter(status__in=OPEN)

    def ready(self, now: datetime | Combinable) -> AttemptQuerySet:
        return self.filter(is_ready(now))

    def in_flight(self, now: datetime | Combinable) -> AttemptQuerySet:
        """Running, or on their way to a worker; what a dead one held is not, after its lease."""
        return self.filter(status__in=(Status.QUEUED, Status.RUNNING), lease_until__gte=now)

    def waiting_for_host(self) -> AttemptQuerySet:
        """Queued until a machine that plays attempts has a tool that their checks need."""
        return self.filter(status=Status.QUEUED, problem_code__startswith=HOST_LACKS)

    def void(self) -> AttemptQuerySet:
        """Over, without saying anything about the model."""
        outcomes = [outcome for outcome in Outcome if outcome.is_void]
        return self.filter(status=Status.DONE, outcome__in=outcomes)

    def expired(self, now: datetime) -> AttemptQuerySet:
        """Running, but their worker stopped renewing the lease."""
        return self.filter(status=Status.RUNNING, lease_until__lt=now)


class StepQuerySet(models.QuerySet[Any]):
    """Chainable questions about steps."""

    def load_within(self, most_bytes: int) -> tuple[list[Any], dict[int, int]]:
        """The rows, with bodies that unpack to so many bytes together.

        Where all would be more, the largest are not read: their rows have an empty body, and their
        unpacked sizes are in the second value, by the row's key. At most two queries.
        """
        small = When(stored_bytes__lte=SMALL_BYTES, then=F("body"))
        head = Case(small, default=Substr("body", 1, FRAME_HEAD_BYTES), output_field=BinaryField())
        rows = list(self.defer("body").annotate(stored_bytes=Length("body")).annotate(head=head))
        sizes, left, left_out = {row.pk: unpacked_size(row.head) for row in rows}, most_bytes, {}
        for pk in sorted(sizes, key=lambda pk: sizes[pk]):
            left -= sizes[pk]
            if left < 0:
                left_out[pk] = sizes[pk]
        kept = [row for row in rows if row.pk not in left_out and row.stored_bytes > SMALL_BYTES]
        large = self.model.objects.only("body").in_bulk([row.pk for row in kept]) if kept else {}
        for row in rows:
            row.body = b"" if row.pk in left_out else row.head
            if row.pk in large:
                row.body = large[row.pk].body
        return rows, left_out


SuiteManager = models.Manager.from_queryset(SuiteQuerySet)
RunManager = models.Manager.from_queryset(RunQuerySet)
AttemptManager = models.Manager.from_queryset(AttemptQuerySet)
