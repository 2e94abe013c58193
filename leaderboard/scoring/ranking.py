"""The order of the board: pure, the same for page, API and export."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class RankedRun:
    """Facts about one run on a suite version that ranking needs."""

    run_id: int
    entry_id: int
    rate: float  # share of tasks passed under strict checks
    is_complete: bool  # every attempt has a verdict
    is_scripted: bool  # a baseline without a model
    is_public: bool = True

    @property
    def may_rank(self) -> bool:
        return self.is_complete and self.is_public and not self.is_scripted


def competition_ranks(rates: Sequence[float]) -> list[int]:
    """The place of each rate, best first: equal rates share a place, and the next is skipped."""
    ordered = sorted(rates, reverse=True)
    first = {rate: place for place, rate in reversed([*enumerate(ordered, 1)])}
    return [first[rate] for rate in rates]


def latest_per_entry(standings: Iterable[RankedRun]) -> list[RankedRun]:
    """The latest run of each entry that may be ranked.

    The latest and not the best: choosing the best of many runs would reward trying often.
    """
    latest: dict[int, RankedRun] = {}
    for standing in standings:
        held = latest.get(standing.entry_id)
        if standing.may_rank and (held is None or standing.run_id > held.run_id):
            latest[standing.entry_id] = standing
    return list(latest.values())
