"""Quotas of submissions per account, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from leaderboard.models import Attempt, Run
from runner.contract import Fault, Problem, ProblemError, Status

WINDOW = timedelta(days=1)


@dataclass(frozen=True)
class Quota:
    """Submissions that an account used of its quota."""

    limit: int
    used: int
    hours_to_next: int  # until one more is free, once none is left

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def sentence(self) -> str:
        if self.left:
            return f"{self.left} of {self.limit} runs left today."
        hours = f"{self.hours_to_next} hour{'' if self.hours_to_next == 1 else 's'}"
        return f"You have submitted {self.used} runs in 24 hours; the next is free in {hours}."


def count(owner: AbstractBaseUser) -> Quota:
    """Count the recent submissions of `owner`. Runs that only infrastructure spoiled are free."""
    counted = counted_runs(owner)
    moments = list(counted.order_by("created_at").values_list("created_at", flat=True))
    limit: int = settings.SUBMISSIONS_PER_DAY
    hours = 0
    if len(moments) >= limit > 0:
        free_at = moments[len(moments) - limit] + WINDOW
        hours = max(1, round((free_at - timezone.now()).total_seconds() / 3600))
    return Quota(limit, len(moments), hours)


def counted_runs(owner: AbstractBaseUser) -> QuerySet[Run]:
    judged = Attempt.objects.filter(run=OuterRef("pk"), passed__isnull=False)
    runs: QuerySet[Run] = Run.objects.filter(
        entry__owner_id=owner.pk, created_at__gt=timezone.now() - WINDOW
    )
    return runs.exclude(~Exists(judged), status=Status.DONE).exclude(status=Status.REFUSED)


def require(owner: AbstractBaseUser) -> None:
    """ProblemError when nothing is left."""
    quota = count(owner)
    if not quota.left:
        raise ProblemError(
            Problem(
                Fault.SUBMITTER,
                "quota_used_up",
                quota.sentence,
                "Runs in which every attempt was void are not counted; their attempts can be "
                "played again from the run's page.",
            )
        )
