"""Parents and forks of an attempt, as its replay names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from leaderboard.forks.plan import After
from leaderboard.models import Attempt, Entry, RecordedAttempt, Run

MOST_FORKS = 20  # listed at their parent

WORDS = {
    After.ASK: "an endpoint continued",
    After.CELL_ASK: "a cell was typed by hand and an endpoint continued",
    After.REST: "the other steps were played as recorded",
    After.END: "it was ended by hand",
}


@dataclass(frozen=True)
class Lineage:
    """Origin of a fork, and the forks of an attempt."""

    step: int = 0
    is_fork: bool = False
    how: str = ""  # the end of a sentence
    parent: Attempt | None = None  # None where the reader may not see it, or it is gone
    beside: str = ""  # address of both side by side
    forks: tuple[RecordedAttempt, ...] = ()
    can_carry_on: bool = False


def lineage_of(attempt: Attempt, user: Any, is_owner: bool) -> Lineage:
    """No query for readers of attempts that are no forks."""
    forks = list_forks(attempt, user) if is_owner else ()
    if attempt.run.entry.provenance != Entry.Provenance.FORKED:
        return Lineage(forks=forks, can_carry_on=is_owner)
    row = RecordedAttempt.objects.filter(pk=attempt.pk).defer("body").first()
    if row is None:
        return Lineage(forks=forks, can_carry_on=is_owner)
    visible = Attempt.objects.filter(run__in=Run.objects.visible_to(user))
    parent = visible.filter(pk=row.parent_id).select_related("task", "run__entry").first()
    return Lineage(
        step=row.after_step or 0,
        is_fork=True,
        how=WORDS.get(After(row.then), "") if row.then in list(After) else "",
        parent=parent,
        beside=address_beside(parent, attempt) if parent else "",
        forks=forks,
        can_carry_on=is_owner,
    )


def list_forks(attempt: Attempt, user: Any) -> tuple[RecordedAttempt, ...]:
    """The newest forks that the reader may see. One query."""
    rows = RecordedAttempt.objects.filter(
        parent=attempt, attempt__run__in=Run.objects.visible_to(user)
    )
    chosen = rows.select_related("attempt__run__entry", "attempt__task").defer("body")
    return tuple(chosen.order_by("-pk")[:MOST_FORKS])


def address_beside(parent: Attempt, fork: Attempt) -> str:
    suite = fork.task.suite
    page = reverse("side-by-side", args=[suite.name, fork.task.key])
    return f"{page}?version={suite.version}&a={parent.run_and_number}&a={fork.run_and_number}"
