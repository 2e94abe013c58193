"""Deletes uploads: at their owner's wish, after their time, or when their account is gone."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from leaderboard.models import Entry, Run, Suite
from leaderboard.models.querysets import OVER
from runner.contract import refusal

SWEPT_AT_ONCE = 20
SCORED = Q(entry__provenance=Entry.Provenance.RE_SCORED)
PRIVATE_AND_OVER = Q(is_public=False, status__in=OVER)


@transaction.atomic
def delete_upload(run: Run) -> None:
    """Delete the run with all that was made from the file; its bytes go with the next garbage.

    What was executed from it here are runs of their own, and stay. Raises ProblemError for files
    that are being judged, or whose verdicts are public.
    """
    suite, entry = run.suite_id, run.entry_id
    if not run.suite.is_private and not Run.objects.filter(SCORED & PRIVATE_AND_OVER, pk=run.pk):
        raise refusal(
            "upload_in_use",
            f"Run {run.pk} is public or not over.",
            "Withdraw it, or cancel it first.",
        )
    run.delete()
    Suite.objects.filter(pk=suite, is_private=True).delete()
    Entry.objects.filter(pk=entry, runs=None).delete()


def delete_old() -> None:
    """A duty of the sweep: uploads past their days, or of accounts that are gone."""
    now = timezone.now()
    old = Q(created_at__lt=now - timedelta(days=settings.UPLOAD_DAYS))
    nobodys = Q(entry__owner=None)
    due = Run.objects.filter(
        Q(suite__is_private=True) & (old | nobodys) | SCORED & PRIVATE_AND_OVER & nobodys
    )
    for run in list(due.select_related("suite").order_by("pk")[:SWEPT_AT_ONCE]):
        delete_upload(run)
