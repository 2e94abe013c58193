"""Turns at work that takes CPU time, by what their visitors took of late."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count

from leaderboard.visitors.page_limits import ALLOWANCE, Allowance


@dataclass
class Turns:
    """So many at once; the next is of the visitor who had taken least when they came to wait."""

    at_once: int
    under_way: int = 0
    waiting: list[tuple[float, int]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    changed: threading.Condition = field(default_factory=threading.Condition, repr=False)

    @contextmanager
    def of(self, visitor: str) -> Iterator[None]:
        """Wait for a turn, and have it for the block."""
        with self.changed:
            mine = (ALLOWANCE.spent_s(visitor), next(self.numbers))
            self.waiting.append(mine)
            self.changed.wait_for(
                lambda: self.under_way < self.at_once and min(self.waiting) == mine
            )
            self.waiting.remove(mine)
            self.under_way += 1
            self.changed.notify_all()  # another turn may be free
        try:
            yield
        finally:
            with self.changed:
                self.under_way -= 1
                self.changed.notify_all()


PAGE_S = 0.05  # of CPU time, that a request is expected to take


@dataclass
class PageTurns:
    """The same on the event loop, where all requests of a visitor are known, also those that have
    yet to come to wait."""

    at_once: int
    taken: Allowance = field(default_factory=lambda: Allowance(burst_s=10.0, refill_s=600.0))
    under_way: int = 0
    requests: Counter[str] = field(default_factory=Counter)  # by visitor
    waiting: list[tuple[str, asyncio.Future[None]]] = field(default_factory=list)

    @contextmanager
    def count(self, visitor: str) -> Iterator[None]:
        """Know of a request for the block."""
        self.requests[visitor] += 1
        try:
            yield
        finally:
            self.requests[visitor] -= 1
            if not self.requests[visitor]:
                del self.requests[visitor]

    @asynccontextmanager
    async def of(self, visitor: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it for the block."""
        turn = asyncio.get_running_loop().create_future()
        self.waiting.append((visitor, turn))
        self.give_turns()
        try:
            await turn
            yield
        finally:
            if (visitor, turn) in self.waiting:
                self.waiting.remove((visitor, turn))
            else:
                self.under_way -= 1
            self.give_turns()

    def give_turns(self) -> None:
        while self.waiting and self.under_way < self.at_once:
            first = min(self.waiting, key=lambda one: self.expected_s(one[0]))
            self.waiting.remove(first)
            self.under_way += 1
            if not (turn := first[1]).done():  # else it is cancelled, and gives its turn back
                turn.set_result(None)

    def expected_s(self, visitor: str) -> float:
        """CPU time that the visitor took, and that its requests will take."""
        return self.taken.spent_s(visitor) + PAGE_S * self.requests[visitor]
