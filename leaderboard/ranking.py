"""The order of the board: pure, the same for page, API and export."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Standing:
    """What ranking needs to know of one run on a suite version."""

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
    return [1 + sum(other > rate for other in rates) for rate in rates]


def latest_per_entry(standings: Iterable[Standing]) -> list[Standing]:
    """The latest run of each entry that may be ranked.

    The latest and not the best: choosing the best of many runs would reward trying often.
    """
    latest: dict[int, Standing] = {}
    for standing in standings:
        held = latest.get(standing.entry_id)
        if standing.may_rank and (held is None or standing.run_id > held.run_id):
            latest[standing.entry_id] = standing
    return list(latest.values())


def board_ranks(standings: Iterable[Standing]) -> dict[int, int]:
    """Place by run id. Scripted, incomplete, private and superseded runs have none."""
    ranked = latest_per_entry(standings)
    places = competition_ranks([s.rate for s in ranked])
    return {s.run_id: place for s, place in zip(ranked, places, strict=True)}
