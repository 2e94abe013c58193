"""Requests and answers whose bytes cross a visitor's line while a thread waits for them.

Each waits for the next 32 KiB for 15 s at most. Few of them are under way at once, of one visitor
and in all; where all places are taken, the slowest gives way unless it is steady.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from runner.contract import Fault, Problem

SLICE_BYTES = 32 * 1024
PATIENCE_S = 15.0  # for a slice
STEADY_S = 1.0  # for a slice, on average
LATEST_S = 10.0  # of waiting: what was before counts half


@dataclass(frozen=True)
class TransferRefusal:
    """The answer to a transfer that is too slow, or one too many."""

    status: HTTPStatus
    problem: Problem


TOO_SLOW = TransferRefusal(
    HTTPStatus.REQUEST_TIMEOUT,
    Problem(
        Fault.SUBMITTER,
        "too_slow",
        "The request was given up, because its body came too slowly.",
        "Nothing was saved. Send it again over a faster line.",
    ),
)
TOO_MANY_OF_YOURS = TransferRefusal(
    HTTPStatus.TOO_MANY_REQUESTS,
    Problem(
        Fault.SUBMITTER,
        "too_many_transfers",
        "Too many uploads or downloads are under way from your network address.",
        "Try again when one of them is done.",
    ),
)
TOO_MANY = TransferRefusal(
    HTTPStatus.SERVICE_UNAVAILABLE,
    Problem(
        Fault.US,
        "no_room_for_transfers",
        "The site has as many uploads or downloads under way as it can serve at once.",
        "Try again in a moment.",
    ),
)


class SlowTransfer(OSError):
    """The other side did not send, or take, a slice in time, or had to give way."""


@dataclass(eq=False)
class Transfer:
    """One body or answer of a visitor, whose thread waits for steps on the event loop."""

    visitor: str
    loop: asyncio.AbstractEventLoop
    waiting: Future[Any] | None = None
    since_s: float = 0.0
    is_over: bool = False
    waited_s: float = 0.0
    moved_bytes: int = 0

    def wait(self, step: Coroutine[Any, Any, Any], size_bytes: int = SLICE_BYTES) -> Any:
        """The result of `step`, which runs on the loop and moves so many bytes.

        Raises SlowTransfer.
        """
        future = asyncio.run_coroutine_threadsafe(step, self.loop)
        self.since_s, self.waiting = time.monotonic(), future
        if self.is_over:
            future.cancel()
        try:
            return future.result(PATIENCE_S)
        except (TimeoutError, CancelledError):
            self.give_way()
            raise SlowTransfer from None
        finally:
            self.waiting = None
            self.waited_s += time.monotonic() - self.since_s
            self.moved_bytes += size_bytes
            if self.waited_s > LATEST_S:
                self.waited_s, self.moved_bytes = self.waited_s / 2, self.moved_bytes // 2

    def give_way(self) -> None:
        """End the step that is under way, and all later ones."""
        self.is_over = True
        if future := self.waiting:
            future.cancel()

    def slowness(self, stalled_s: float) -> float:
        """Seconds that it waits for a slice; 0 for one that is steady or has just begun."""
        now_s = time.monotonic() - self.since_s if self.waiting else 0.0
        waited_s = self.waited_s + now_s
        average_s = waited_s * SLICE_BYTES / max(SLICE_BYTES, self.moved_bytes)
        if now_s >= stalled_s:
            return max(now_s, average_s)
        return average_s if waited_s >= stalled_s and average_s > STEADY_S else 0.0


@dataclass
class Places:
    """The transfers of one kind under way: `most` in all, `most_of_one` of a visitor.

    Where all places are taken, the slowest of those that waited for `stalled_s` gives way to a new
    one: that waits now, or is slower on average than a slice in a second.
    """

    most: int
    most_of_one: int
    stalled_s: float
    under_way: list[Transfer] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def take(self, transfer: Transfer) -> TransferRefusal | None:
        """Count the transfer; the reason why not if there is no room for it."""
        with self.lock:
            of_one = [one for one in self.under_way if one.visitor == transfer.visitor]
            if len(of_one) >= self.most_of_one:
                return TOO_MANY_OF_YOURS
            if len(self.under_way) >= self.most:
                slowest = max(self.under_way, key=lambda one: one.slowness(self.stalled_s))
                if not slowest.slowness(self.stalled_s):
                    return TOO_MANY
                slowest.give_way()
                self.under_way.remove(slowest)
            self.under_way.append(transfer)
            return None

    def leave(self, transfer: Transfer) -> None:
        with self.lock:
            if transfer in self.under_way:  # it has not given way
                self.under_way.remove(transfer)


BODIES = Places(most=8, most_of_one=4, stalled_s=2.0)
# A reader at 50 kB/s makes room in its window every two seconds or so.
STREAMS = Places(most=20, most_of_one=6, stalled_s=5.0)
