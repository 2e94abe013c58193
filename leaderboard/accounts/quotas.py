"""Limits of an account: what it may do in 24 hours, and what it may have at one time.

Each use is a row that stays when what came of it is refused or deleted. An account's row is locked
from the count to the end of the transaction, so that requests at the same time pass no limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from leaderboard.models import AccountUse, Attempt, Run
from runner.contract import Fault, Problem, ProblemError, Status

Kind = AccountUse.Kind
WINDOW = timedelta(days=1)


@dataclass(frozen=True)
class Limit:
    """Uses of one kind in 24 hours: their most, and the problem of one more."""

    setting: str  # that holds the most
    code: str
    what: str  # with places for `used` and `hours`
    next_step: str


LIMITS = {
    Kind.SUBMISSION: Limit(
        "SUBMISSIONS_PER_DAY",
        "quota_used_up",
        "You have submitted {used} runs in 24 hours; the next is free in {hours}.",
        "Runs in which no attempt counted are left out; their attempts can be retried from the "
        "run's page.",
    ),
    Kind.CHECK: Limit(
        "ENDPOINT_CHECKS_PER_DAY",
        "endpoint_checks_used_up",
        "You have had endpoints checked or their models listed {used} times in 24 hours, as often "
        "as an account may; the next is free in {hours}.",
        "Come back then.",
    ),
    Kind.UPLOAD: Limit(
        "UPLOADS_PER_DAY",
        "upload_quota_used_up",
        "You have sent {used} uploads in 24 hours; the next is free in {hours}.",
        "Send several trajectories as one archive.",
    ),
    Kind.DISPUTE: Limit(
        "DISPUTES_PER_DAY",
        "disputes_used_up",
        "You have made {used} disputes in 24 hours; the next is free in {hours}.",
        "Come back then.",
    ),
    Kind.HAND_SESSION: Limit(
        "HAND_SESSIONS_PER_DAY",
        "sessions_used_up",
        "You have played {used} tasks in 24 hours; the next is free in {hours}.",
        "Go on then.",
    ),
}


@dataclass(frozen=True)
class Quota:
    """Uses that an account made of one kind, beside their most."""

    kind: AccountUse.Kind
    limit: int
    used: int
    hours_to_next: int  # until one more is free, once none is left

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def sentence(self) -> str:
        """Submissions that are left today, or the refusal once none is."""
        return f"{self.left} of {self.limit} runs left today." if self.left else self.refusal

    @property
    def refusal(self) -> str:
        hours = f"{self.hours_to_next} hour{'' if self.hours_to_next == 1 else 's'}"
        return LIMITS[self.kind].what.format(used=self.used, hours=hours)


def count(owner: AbstractBaseUser, kind: AccountUse.Kind = Kind.SUBMISSION) -> Quota:
    """Count the uses of the last 24 hours. Runs that only infrastructure spoiled are free."""
    moments = list(counted(owner, kind).order_by("created_at").values_list("created_at", flat=True))
    limit = int(getattr(settings, LIMITS[kind].setting))
    hours = 0
    if len(moments) >= limit > 0:
        free_at = moments[len(moments) - limit] + WINDOW
        hours = max(1, round((free_at - timezone.now()).total_seconds() / 3600))
    return Quota(kind, limit, len(moments), hours)


def counted(owner: AbstractBaseUser, kind: AccountUse.Kind) -> QuerySet[AccountUse]:
    uses: QuerySet[AccountUse] = AccountUse.objects.filter(
        owner_id=owner.pk, kind=kind, created_at__gt=timezone.now() - WINDOW
    )
    if kind != Kind.SUBMISSION:
        return uses
    judged = Attempt.objects.filter(run=OuterRef("run"), passed__isnull=False)
    is_free = Q(run__status=Status.REFUSED) | Q(~Exists(judged), run__status=Status.DONE)
    return uses.exclude(pk__in=uses.filter(is_free).values("pk"))


def lock(owner: AbstractBaseUser) -> None:
    """One at a time of an account until the transaction ends; rows that name it may be written."""
    accounts = get_user_model()._default_manager.select_for_update(no_key=True)
    accounts.get(pk=owner.pk)


def require(owner: AbstractBaseUser, kind: AccountUse.Kind = Kind.SUBMISSION) -> None:
    """ProblemError when nothing is left."""
    quota = count(owner, kind)
    if not quota.left:
        limit = LIMITS[kind]
        raise ProblemError(Problem(Fault.SUBMITTER, limit.code, quota.refusal, limit.next_step))


@transaction.atomic
def use(owner: AbstractBaseUser, kind: AccountUse.Kind, size_bytes: int = 0) -> AccountUse:
    """Count one more use. Raises ProblemError when nothing is left."""
    lock(owner)
    require(owner, kind)
    made: AccountUse = AccountUse.objects.create(
        owner_id=owner.pk, kind=kind, size_bytes=size_bytes
    )
    return made


def note_run(made: AccountUse, run: Run) -> None:
    """Note what came of a use, which is free if only infrastructure spoils it."""
    AccountUse.objects.filter(pk=made.pk).update(run=run)


def require_fewer(
    owner: AbstractBaseUser, rows: QuerySet[Any], most: int, problem: Problem
) -> None:
    """Raise `problem` if the account has as many of these rows as it may; one more is written in
    the same transaction."""
    lock(owner)
    if rows.count() >= most:
        raise ProblemError(problem)


def forget_old() -> None:
    """Delete uses that are counted no longer."""
    AccountUse.objects.filter(created_at__lt=timezone.now() - WINDOW).delete()
