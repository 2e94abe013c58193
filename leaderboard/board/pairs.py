"""Pairs of ranked runs worth comparing, from their stored places: nothing is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from leaderboard.board.rows import BoardRow
from leaderboard.models import Entry

MAX_PAIRS = 4
LEAST_PASSED = 5  # attempts: of fewer, the cost of one that passed is luck


@dataclass(frozen=True)
class SuggestedPair:
    """Two ranked runs, the better one first, and why one may ask about them."""

    a: BoardRow
    b: BoardRow
    why: str
    has_one_leader: bool = True  # or `lead_needed` may be of another one

    @property
    def query(self) -> str:
        return f"?runs={self.a.run.pk},{self.b.run.pk}"

    @property
    def verdict(self) -> str:
        """The board's word on a lead of the best run; "" on other pairs."""
        one, other = self.a.standing, self.b.standing
        if one is None or other is None or one.rank != 1 or other.lead_needed is None:
            return ""
        if not self.has_one_leader:
            return ""
        lead = (self.a.rate or 0.0) - (self.b.rate or 0.0)
        return "a gap beyond chance" if lead > other.lead_needed else "a gap within chance"


def suggest_pairs(rows: Sequence[BoardRow]) -> list[SuggestedPair]:
    """Up to four pairs of a board's ranked rows, each once."""
    placed = sorted((row for row in rows if row.standing), key=lambda row: (row.rank, row.run.pk))
    found: dict[frozenset[int], SuggestedPair] = {}
    has_one_leader = sum(row.standing.rank == 1 for row in placed if row.standing) == 1
    for pair in list_pairs(placed):
        pair = replace(pair, has_one_leader=has_one_leader)
        found.setdefault(frozenset((pair.a.run.pk, pair.b.run.pk)), pair)
    return list(found.values())[:MAX_PAIRS]


def list_pairs(placed: Sequence[BoardRow]) -> Iterator[SuggestedPair]:
    """Candidates, the most asked for first; the same two may come twice."""
    if len(placed) < 2:
        return
    lead, has_ranks = placed[0], bool(placed[0].rank_words)
    best = "leader" if has_ranks else "one that passed most"
    yield SuggestedPair(lead, placed[1], "the first two" if has_ranks else "two that passed most")
    cheapest = find_cheapest(placed)
    if cheapest is not None and cheapest is not lead:
        yield SuggestedPair(lead, cheapest, f"the {best} and the cheapest per passed task")
    told = [row for row in placed[1:] if row.standing and row.standing.is_told]
    behind = [row for row in told if row.standing and not row.standing.may_be_best]
    if behind:
        yield SuggestedPair(lead, behind[0], "the leader and the best of the others")
    by_weights = [
        next((row for row in placed if row.run.entry.weights == weights), None)
        for weights in (Entry.Weights.OPEN, Entry.Weights.CLOSED)
    ]
    both = sorted((row for row in by_weights if row), key=placed.index)
    if len(both) == 2:
        yield SuggestedPair(both[0], both[1], "the best open and the best closed weights")
    if len(placed) > 2 and has_ranks:
        yield SuggestedPair(placed[1], placed[2], "the second and the third")


def find_cheapest(placed: Sequence[BoardRow]) -> BoardRow | None:
    """The row with the least money per passed task; None where no row has a price."""
    costs = [
        (row.cost.per_solved, place)
        for place, row in enumerate(placed)
        if row.cost and row.cost.per_solved is not None and row.tally.passed >= LEAST_PASSED
    ]
    return placed[min(costs)[1]] if costs else None
