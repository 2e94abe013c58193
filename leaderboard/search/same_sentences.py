"""Groups what a filter finds by task and by the sentence that says what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from leaderboard.models import Attempt

if TYPE_CHECKING:
    from leaderboard.search.results import Found

MAX_GROUPED = 2_000  # attempts, the newest
MAX_NAMED = 8  # attempts of a group that its row leads to


@dataclass(frozen=True)
class SentenceGroup:
    """Attempts at one task that ended alike, the newest run first."""

    count: int
    ids: Sequence[int]  # of the first of them
    attempts: Sequence[Attempt] = ()

    @property
    def more(self) -> int:
        return self.count - len(self.attempts)


def group_by_sentence(found: Found) -> list[SentenceGroup]:
    """The groups of the newest `MAX_GROUPED` attempts, the largest first. One query."""
    ids = found.list_ids(0, MAX_GROUPED)
    facts = Attempt.objects.filter(pk__in=ids).values_list(
        "pk", "task_id", "sentence", "passed", "outcome", "problem"
    )
    by_id = {pk: tuple(key) for pk, *key in facts}
    groups: dict[tuple[object, ...], list[int]] = {}
    for pk in ids:
        if pk in by_id:  # a run may be deleted meanwhile
            groups.setdefault(by_id[pk], []).append(pk)
    ordered = sorted(groups.values(), key=len, reverse=True)
    return [SentenceGroup(len(pks), pks[:MAX_NAMED]) for pks in ordered]


def with_attempts(groups: Sequence[SentenceGroup]) -> list[SentenceGroup]:
    """The groups of a page with the attempts that they name. Two queries."""
    wanted = [pk for group in groups for pk in group.ids]
    rows = (
        Attempt.objects.select_related("run__entry", "run__suite", "task")
        .defer("opening", "closing")
        .prefetch_related("tags")
        .in_bulk(wanted)
    )
    return [
        replace(group, attempts=[rows[pk] for pk in group.ids if pk in rows]) for group in groups
    ]
