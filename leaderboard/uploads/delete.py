"""Deletes uploads: at their owner's wish, after their time, or when their account is gone."""

from __future__ import annotations

import time
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from leaderboard.models import Attempt, Entry, Run, Step, Suite
from leaderboard.models.querysets import OVER
from leaderboard.storage.short_transactions import delete_in_short_transactions
from runner.contract import refusal

SWEPT_AT_ONCE = 20
SWEPT_S = 10.0  # then the rest is left to the next sweep
DELETED_AT_ONCE = 1_000  # steps, while the owner waits
STORED_WITHIN = timedelta(hours=1)
SHOWN_FOR = timedelta(hours=24)  # without an account
SCORED = Q(entry__provenance=Entry.Provenance.RE_SCORED)
PRIVATE_AND_OVER = Q(is_public=False, status__in=OVER)


def delete_upload(run: Run) -> None:
    """Delete the run with all that was made from the file; its bytes go with the next garbage.

    It has no owner at once. Many steps are left to the next sweep, which deletes what a fault
    leaves, too. What was executed from it here are runs of their own, and stay. Raises
    ProblemError for files that are being judged, or whose verdicts are public.
    """
    with transaction.atomic():
        scored = Run.objects.select_for_update().filter(SCORED & PRIVATE_AND_OVER, pk=run.pk)
        if not run.suite.is_private and not scored:
            raise refusal(
                "upload_in_use",
                f"Run {run.pk} is public or not over.",
                "Withdraw it, or cancel it first.",
            )
        Entry.objects.filter(pk=run.entry_id).update(owner=None)
    if not Step.objects.filter(attempt__run=run)[DELETED_AT_ONCE:].exists():
        delete_rows(run)


def delete_rows(run: Run) -> None:
    """Delete a run that has no owner, in short transactions, between which others write."""
    suite, entry = run.suite_id, run.entry_id
    delete_in_short_transactions(Step.objects.filter(attempt__run=run))
    delete_in_short_transactions(Attempt.objects.filter(run=run))
    run.delete()
    Suite.objects.filter(pk=suite, is_private=True).delete()
    Entry.objects.filter(pk=entry, runs=None).delete()


def delete_old() -> None:
    """A duty of the sweep: uploads past their days, of accounts that are gone, or half stored."""
    now = timezone.now()
    old = Q(created_at__lt=now - timedelta(days=settings.UPLOAD_DAYS))
    # One without its file is being stored, unless that is long ago.
    is_whole = Q(imports__isnull=False) | Q(created_at__lt=now - STORED_WITHIN)
    is_shown = Q(link__is_guests=True, created_at__gte=now - SHOWN_FOR)  # to a visitor
    nobodys = Q(entry__owner=None) & is_whole & ~is_shown
    due = Run.objects.filter(
        Q(suite__is_private=True) & (old | nobodys) | SCORED & PRIVATE_AND_OVER & nobodys
    )
    until_s = time.monotonic() + SWEPT_S
    for run in list(due.order_by("pk")[:SWEPT_AT_ONCE]):
        Entry.objects.filter(pk=run.entry_id).update(owner=None)
        delete_rows(run)
        if time.monotonic() > until_s:
            break
