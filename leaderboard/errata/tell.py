"""An erratum as its page shows it: progress, and ranks and verdicts before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from leaderboard.models import Erratum, Rejudgement, Run, RunSummary, Standing, unpack

LATELY = timedelta(minutes=5)
MAX_RUNS = 200  # on a page; the API lists all


@dataclass(frozen=True)
class RejudgingProgress:
    """Results of an erratum by state, and how quickly they are judged."""

    total: int
    due: int
    lately: int  # judged within the last five minutes
    since_s: float  # from the first of these until now

    @property
    def per_minute(self) -> float:
        return 60 * self.lately / max(self.since_s, 1.0) if self.lately else 0.0

    @property
    def left_s(self) -> float | None:
        """Seconds until none is due; None while none was judged lately."""
        return 60 * self.due / self.per_minute if self.per_minute else None


def measure_progress(erratum: Erratum) -> RejudgingProgress:
    """Two queries."""
    now = timezone.now()
    rows = Rejudgement.objects.filter(erratum=erratum)
    counts = rows.aggregate(total=Count("pk"), due=Count("pk", Q(state="due")))
    recent = rows.filter(judged_at__gt=now - LATELY).order_by("judged_at")
    moments = list(recent.values_list("judged_at", flat=True))
    since_s = (now - moments[0]).total_seconds() if moments and moments[0] else 0.0
    return RejudgingProgress(counts["total"], counts["due"], len(moments), since_s)


@dataclass(frozen=True)
class CorrectedRun:
    """A run on the board before and after an erratum. Ranks are None without a place."""

    run: Run
    passed_before: int | None
    passed_now: int | None
    rank_before: int | None
    rank_now: int | None

    @property
    def is_changed(self) -> bool:
        return (self.passed_before, self.rank_before) != (self.passed_now, self.rank_now)


def list_corrected(erratum: Erratum) -> list[CorrectedRun]:
    """Public runs with a result that was judged again: changed ones first, then by the rank
    before. Four queries."""
    concerned = Rejudgement.objects.filter(erratum=erratum).values("attempt__run")
    runs = Run.objects.on_board().filter(pk__in=concerned).select_related("entry")
    records = {record["run"]: record for record in unpack(bytes(erratum.board_before)) or ()}
    placed = Standing.objects.filter(suite=erratum.suite_id, rank_low__isnull=False)
    ranks = dict(placed.values_list("run", "rank"))
    overall = RunSummary.objects.filter(run__in=concerned, category="")
    passed = dict(overall.values_list("run", "passed"))
    listed = []
    for run in runs:
        before: Mapping[str, Any] = records.get(run.pk, {})
        figures = (before.get("passed"), passed.get(run.pk))
        listed.append(CorrectedRun(run, *figures, before.get("rank"), ranks.get(run.pk)))
    return sorted(listed, key=place_of)


def place_of(one: CorrectedRun) -> tuple[bool, bool, int, int]:
    is_unranked = one.rank_before is None
    return not one.is_changed, is_unranked, one.rank_before or 0, one.run.pk


def visible_results(erratum: Erratum, user: Any) -> QuerySet[Rejudgement]:
    """Results of runs that the reader can see, those with another verdict first.

    In the order of an index, so that a page of them is read without sorting all.
    """
    rows = Rejudgement.objects.filter(
        erratum=erratum, attempt__run__in=Run.objects.visible_to(user)
    ).select_related("attempt__run__entry", "attempt__task")
    return rows.order_by("-differs", "-pk")
