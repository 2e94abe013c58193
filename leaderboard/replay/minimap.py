"""The whole of a long replay on one line: where steps fail, where a search hits, what is open."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from leaderboard.replay.step_windows import WINDOW_STEPS, start_of

MAX_MARKS = 48


@dataclass(frozen=True)
class MinimapMark:
    """One or more whole windows of a replay."""

    first: int  # step
    last: int
    failing: int  # steps
    hits: int  # steps with what was searched for
    is_open: bool  # the page shows a part of it
    step: int  # where it leads: the first hit in it, else the first failing step, else its first

    @property
    def window(self) -> int:
        return start_of(self.step)


def draw_minimap(
    count: int, opened: int, failures: Sequence[int], hits: Collection[int]
) -> list[MinimapMark]:
    """Up to MAX_MARKS marks for `count` steps; none for what one window shows.

    `opened` is the first step of the page's window; `failures` are in order.
    """
    windows = -(-count // WINDOW_STEPS)
    if windows < 2:
        return []
    size = WINDOW_STEPS * -(-windows // MAX_MARKS)
    ordered = sorted(hits)
    marks = []
    for first in range(1, count + 1, size):
        last = min(count, first + size - 1)
        failing, found = between(failures, first, last), between(ordered, first, last)
        step = next(iter((*found, *failing)), first)
        is_open = first <= opened <= last
        marks.append(MinimapMark(first, last, len(failing), len(found), is_open, step))
    return marks


def between(ordered: Sequence[int], first: int, last: int) -> Sequence[int]:
    return ordered[bisect_left(ordered, first) : bisect_left(ordered, last + 1)]
