"""Auditors: who is one, which private runs their owners let them read, and when they did.

A maintainer gives the role, an owner gives the run. Neither alone opens anything.
"""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from leaderboard.ledger.entries import append
from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.public_names import public_name
from leaderboard.models import AuditGrant, AuditLook, Run
from leaderboard.models.querysets import RunQuerySet
from runner.contract import Fault, Problem, ProblemError, Status

GROUP = "auditors"
ALL_RUNS = "all runs"  # subject of a leave without a run, in the ledger for ever withheld
BY_OWNER, BY_PUBLICATION, BY_SITE = "taken back", "run published", "no auditor any longer"


class AuditReader(AnonymousUser):
    """An auditor behind the door to one run: nobody, but for that run and its disputes."""

    is_auditor = True

    def __init__(self, shared_run: int) -> None:
        super().__init__()
        self.shared_run = shared_run


def list_auditors() -> QuerySet[User]:
    return User.objects.filter(groups__name=GROUP, is_active=True).order_by("pk")


def is_auditor(user: Any) -> bool:
    return bool(user.is_authenticated and user.groups.filter(name=GROUP).exists())


def give_role(user: User) -> None:
    user.groups.add(Group.objects.get_or_create(name=GROUP)[0])


@transaction.atomic
def take_role(user: User) -> int:
    """End the account's role and all that owners let it read; number of these runs."""
    user.groups.remove(*Group.objects.filter(name=GROUP))
    return end_grants(AuditGrant.objects.filter(auditor=user), BY_SITE)


def list_audited(user: Any) -> RunQuerySet:
    """Private runs that the user may read as an auditor; none without the role."""
    grants = AuditGrant.objects.filter(auditor=user.pk, auditor__groups__name=GROUP)
    of_run = grants.filter(run=OuterRef("pk"))
    of_all = grants.filter(owner=OuterRef("entry__owner"))
    let = Exists(of_run) | Exists(of_all)
    played = ~Q(status__in=(Status.CHECKING, Status.REFUSED))
    # Of two leaves the one for this run says since when.
    since = Coalesce(Subquery(of_run.values("created_at")), Subquery(of_all.values("created_at")))
    runs: RunQuerySet = Run.objects.filter(let, played, is_public=False).annotate(since=since)
    return runs


def grants_of(owner: Any) -> QuerySet[AuditGrant]:
    """Leaves that the owner gave."""
    return AuditGrant.objects.filter(Q(owner=owner.pk) | Q(run__entry__owner=owner.pk))


@transaction.atomic
def let_audit(run_id: int, auditor_number: int) -> AuditGrant:
    """Let the auditor read the run; again changes nothing. Raises ProblemError."""
    run = Run.objects.select_for_update().get(pk=run_id)
    if run.is_public or not run.is_played:
        raise refusal(
            "nothing_to_audit",
            "Everybody can see this run already." if run.is_public else "This run has not begun.",
            "Name an auditor for a private run that was played.",
        )
    auditor = find_auditor(auditor_number, run.entry.owner_id)
    grant, is_new = AuditGrant.objects.get_or_create(run=run, auditor=auditor)
    if is_new:
        facts = {"run": run.pk, "auditor": public_name(auditor)}
        actor = public_name(run.entry.owner_id)
        append(ActKind.AUDIT, f"run {run.pk}", facts, actor=actor, run=run, public=False)
    return grant


@transaction.atomic
def let_audit_all(owner: AbstractBaseUser, auditor_number: int) -> AuditGrant:
    """Let the auditor read every private run of the owner, later ones too. Raises ProblemError."""
    auditor = find_auditor(auditor_number, owner.pk)
    grant, is_new = AuditGrant.objects.get_or_create(owner_id=owner.pk, auditor=auditor)
    if is_new:
        facts = {"auditor": public_name(auditor)}
        append(ActKind.AUDIT, ALL_RUNS, facts, actor=public_name(owner), public=False)
    return grant


def find_auditor(number: int, owner_id: int | None) -> User:
    auditor = list_auditors().filter(pk=number).first()
    if auditor is None:
        raise refusal(
            "unknown_auditor", "This account is not an auditor here.", "Choose one from the list."
        )
    if auditor.pk == owner_id:
        raise refusal("own_run", "This account is your own.", "Choose another auditor.")
    return auditor


def refusal(code: str, what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, code, what, next_step))


@transaction.atomic
def end_grants(grants: QuerySet[AuditGrant], reason: str) -> int:
    """Delete the grants, which open nothing from now on; how many there were."""
    ended = list(grants.select_related("run__entry"))
    for grant in ended:
        run = grant.run
        owner = run.entry.owner_id if run else grant.owner_id
        facts: dict[str, Any] = {"auditor": public_name(grant.auditor_id), "reason": reason}
        facts |= {"run": run.pk} if run else {}
        actor = "" if reason == BY_SITE else public_name(owner)
        subject = f"run {run.pk}" if run else ALL_RUNS
        append(ActKind.AUDIT_END, subject, facts, actor=actor, run=run, public=False)
        grant.delete()
    return len(ended)


def note_look(run: Run, auditor: Any) -> None:
    """Keep that the auditor read the run today: one row per auditor, run and day."""
    look = {"run": run, "name": public_name(auditor), "day": timezone.now().astimezone(UTC).date()}
    if not AuditLook.objects.filter(**look).exists():
        AuditLook.objects.bulk_create([AuditLook(**look)], ignore_conflicts=True)
