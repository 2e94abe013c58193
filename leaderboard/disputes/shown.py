"""Disputes of an attempt as its replay shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from leaderboard.models import Attempt, Dispute, Verdict

MAX_SHOWN = 50


@dataclass(frozen=True)
class ShownDisputes:
    """Disputes of an attempt, and those of the verdict on the page by assertion."""

    listed: tuple[Dispute, ...] = ()
    by_assertion: Mapping[int, list[Dispute]] = field(default_factory=dict)

    @property
    def version(self) -> tuple[tuple[int, str], ...]:
        """Changes with each dispute and each ruling."""
        return tuple((one.pk, one.state) for one in self.listed)


def show_disputes(attempt: Attempt, verdict: Verdict | None, user: Any) -> ShownDisputes:
    """The newest disputes; none of a private run for whoever only follows its link. One query."""
    if getattr(user, "shared_run", None) is not None:
        return ShownDisputes()
    listed = tuple(Dispute.objects.filter(attempt=attempt).order_by("-pk")[:MAX_SHOWN])
    by_assertion: dict[int, list[Dispute]] = defaultdict(list)
    for dispute in listed:
        if verdict and dispute.verdict_id == verdict.pk:
            by_assertion[dispute.assertion].append(dispute)
    return ShownDisputes(listed, dict(by_assertion))
