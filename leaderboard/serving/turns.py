"""Turns at work that takes CPU time, by what their visitors took of late."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from leaderboard.visitors.page_limits import ALLOWANCE


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
