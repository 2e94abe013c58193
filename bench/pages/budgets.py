"""Budgets of the pages in queries and bytes, which are the same on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

BOARD = "board"
REPLAY = "replay, recorded median"

MAX_QUERIES = 12
MAX_BOARD_BYTES = 100_000
MAX_REPLAY_BYTES = 60_000


class Cost(Protocol):
    """The measured cost of a page."""

    @property
    def queries(self) -> int: ...
    @property
    def raw_bytes(self) -> int: ...
    @property
    def sent_bytes(self) -> int: ...


@dataclass(frozen=True)
class Budget:
    """One limit and what was seen."""

    what: str
    seen: int
    limit: int

    @property
    def is_kept(self) -> bool:
        return self.seen <= self.limit

    @property
    def sentence(self) -> str:
        word = "kept" if self.is_kept else "OVER"
        return f"{word}: {self.what}: {self.seen:,} of at most {self.limit:,}"


def check_budgets(costs: Mapping[str, Cost]) -> list[Budget]:
    """The budgets of the pages that were measured, by name."""
    costliest = max(costs, key=lambda name: costs[name].queries)
    budgets = [Budget(f"queries of any page ({costliest})", costs[costliest].queries, MAX_QUERIES)]
    if board := costs.get(BOARD):
        budgets.append(Budget("bytes of the board, uncompressed", board.raw_bytes, MAX_BOARD_BYTES))
    if replay := costs.get(REPLAY):
        what = "bytes of the median recorded replay, compressed"
        budgets.append(Budget(what, replay.sent_bytes, MAX_REPLAY_BYTES))
    return budgets
