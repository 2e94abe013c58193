"""Stored results that an erratum concerns, as rows of its queue."""

from __future__ import annotations

from django.db.models import OuterRef, Subquery

from leaderboard.models import Attempt, Erratum, Rejudgement, Verdict
from runner.contract import Status

AT_ONCE = 1_000


def enqueue(erratum: Erratum) -> int:
    """Add each result that was judged by a check as it was before; how many are new."""
    newest = Verdict.objects.filter(attempt=OuterRef("pk"), kind="strict").order_by("-pk")
    added = 0
    for key, (_, _, version) in erratum.tasks.items():
        attempts = (
            Attempt.objects.filter(
                run__suite=erratum.suite_id,
                task__key=key,
                status=Status.DONE,
                passed__isnull=False,
            )
            .annotate(judged_by=Subquery(newest.values("check_version")[:1]))
            .exclude(judged_by=version)
            .exclude(rejudgements__erratum=erratum)
        )
        rows = [
            Rejudgement(erratum=erratum, attempt_id=pk, before=passed, sentence_before=sentence)
            for pk, passed, sentence in attempts.values_list("pk", "passed", "sentence")
        ]
        Rejudgement.objects.bulk_create(rows, AT_ONCE, ignore_conflicts=True)
        added += len(rows)
    return added
