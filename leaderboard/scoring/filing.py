"""Files runs that are over: has the suites placed and counted anew whose runs changed.

Whoever changes a run takes its mark away (`Run.is_filed`, by the query set's `update`). The sweep
marks what is over, a few runs at a time, and says that their suites changed (`Suite.changes`).
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.db.models.signals import post_delete
from django.dispatch import receiver

from leaderboard.models import Entry, Run, Suite
from leaderboard.models.querysets import OVER
from leaderboard.reviews.evidence import review_runs

MAX_AT_ONCE = 32  # runs filed by one sweep


@transaction.atomic
def file_runs(limit: int = MAX_AT_ONCE) -> int:
    """File the oldest runs that are over and not filed; how many were. One query where none is.

    A run that changes meanwhile is not marked.
    """
    unfiled = Run.objects.filter(is_filed=False, status__in=OVER).order_by("pk")
    runs = list(unfiled.values_list("pk", "sequence", "suite")[:limit])
    if not runs:
        return 0
    review_runs([pk for pk, _, _ in runs])
    as_read = Q()
    for pk, sequence, _ in runs:
        as_read |= Q(pk=pk, sequence=sequence)
    Suite.objects.filter(pk__in={suite for _, _, suite in runs}).update(changes=F("changes") + 1)
    return Run.objects.filter(as_read, status__in=OVER).update(is_filed=True)


@receiver(post_delete, sender=Run)
def note_deleted(instance: Run, **kwargs: Any) -> None:
    Suite.objects.filter(pk=instance.suite_id).update(changes=F("changes") + 1)


def unfile_entry(entry: Entry) -> None:
    """Mark the entry's runs to be filed again, since they now count differently."""
    Run.objects.filter(entry=entry).update(is_filed=False)
