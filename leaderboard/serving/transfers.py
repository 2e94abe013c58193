"""Requests and answers whose bytes cross a visitor's line while the site waits for them.

Each waits for the next 32 KiB for 15 s at most. Few of them are under way at once, of one visitor
and in all, and few bytes of answers that are held whole. Where all places are taken, new ones wait
in line, and the slowest gives way unless it is steady, or a visitor's second.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar

from runner.contract import Fault, Problem

SLICE_BYTES = 32 * 1024
PATIENCE_S = 15.0  # for a slice
STEADY_S = 1.0  # for a slice, on average
LATEST_S = 10.0  # of waiting: what was before counts half
LINE_S = 20.0  # for a place
LOOK_EVERY_S = 0.25

Result = TypeVar("Result")


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
TOO_LONG = TransferRefusal(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Problem(
        Fault.SUBMITTER,
        "form_too_long",
        "The form is longer than 64 KiB.",
        "Send it again with less in it.",
    ),
)
TOO_MANY_OF_YOURS = TransferRefusal(
    HTTPStatus.TOO_MANY_REQUESTS,
    Problem(
        Fault.SUBMITTER,
        "too_many_transfers",
        "Too many uploads or downloads are in progress from your network address.",
        "Try again when one of them is done.",
    ),
)
TOO_MANY = TransferRefusal(
    HTTPStatus.SERVICE_UNAVAILABLE,
    Problem(
        Fault.US,
        "no_room_for_transfers",
        "The site has as many uploads or downloads in progress as it can serve at once.",
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
    size: int = 1  # places that it takes
    waiting: Future[Any] | asyncio.Future[Any] | None = None
    since_s: float = 0.0
    refusal: TransferRefusal | None = None  # once it is over
    began_s: float = field(default_factory=time.monotonic)
    waited_s: float = 0.0
    moved_bytes: int = 0

    def wait(self, step: Coroutine[Any, Any, Any], size_bytes: int = SLICE_BYTES) -> Any:
        """The result of `step`, which runs on the loop and moves so many bytes.

        Raises SlowTransfer.
        """
        future = asyncio.run_coroutine_threadsafe(step, self.loop)
        self.since_s, self.waiting = time.monotonic(), future
        if self.refusal:
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

    async def follow(self, step: Coroutine[Any, Any, Result]) -> Result:
        """The same on the loop, without a thread that waits. Raises SlowTransfer."""
        task = asyncio.ensure_future(step)
        self.since_s, self.waiting = time.monotonic(), task
        try:
            return await task
        except asyncio.CancelledError:
            if self.refusal:
                raise SlowTransfer from None
            raise
        finally:
            self.waiting = None

    def give_way(self, refusal: TransferRefusal = TOO_SLOW) -> None:
        """End the step that is under way, and all later ones."""
        self.refusal = self.refusal or refusal
        if future := self.waiting:
            future.cancel()

    @property
    def waits_s(self) -> float:
        """Seconds since its present step began."""
        return time.monotonic() - self.since_s if self.waiting else 0.0

    @property
    def average_s(self) -> float:
        """Seconds for a slice, lately."""
        waited_s = self.waited_s + self.waits_s
        return waited_s * SLICE_BYTES / max(SLICE_BYTES, self.moved_bytes)

    def slowness(self, stalled_s: float) -> float:
        """Seconds that it waits for a slice; 0 for one that is steady or has just begun."""
        now_s = self.waits_s
        waited_s, average_s = self.waited_s + now_s, self.average_s
        if now_s >= stalled_s:
            return max(now_s, average_s)
        return average_s if waited_s >= stalled_s and average_s > STEADY_S else 0.0


@dataclass
class Places:
    """The transfers of one kind under way: `most` in all, `most_of_one` of a visitor.

    Where all places are taken, the slowest of those that waited for `stalled_s` gives way to a new
    one: that waits now, or is slower on average than a slice in a second. A visitor without a
    place gets one from who has most of them.
    """

    most: int
    most_of_one: int
    stalled_s: float
    most_in_line: int = 100
    under_way: list[Transfer] = field(default_factory=list)
    line: list[Transfer] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    async def await_place(self, transfer: Transfer) -> TransferRefusal | None:
        """Count the transfer as soon as there is room; the reason why not if there is none."""
        until_s = time.monotonic() + LINE_S
        try:
            refusal = self.take(transfer)
            while refusal is TOO_MANY and time.monotonic() < until_s:
                if transfer.size > 1 and transfer not in self.line:
                    break  # it holds its answer, for which there is no room
                await asyncio.sleep(LOOK_EVERY_S)
                refusal = self.take(transfer)
        finally:
            with self.lock:
                if transfer in self.line:
                    self.line.remove(transfer)
        return refusal

    def take(self, transfer: Transfer) -> TransferRefusal | None:
        """Count the transfer if it is its turn, and keep it in line if not."""
        with self.lock:
            if transfer not in self.line:
                known = [*self.under_way, *self.line]
                of_one = sum(one.size for one in known if one.visitor == transfer.visitor)
                if of_one and of_one + transfer.size > self.most_of_one:
                    return TOO_MANY_OF_YOURS
                in_line = sum(one.size for one in self.line)
                if in_line and in_line + transfer.size > self.most_in_line:
                    return TOO_MANY
                self.line.append(transfer)
            if min(self.line, key=self.rank) is not transfer or not self.make_room(transfer):
                return TOO_MANY
            self.line.remove(transfer)
            transfer.began_s = time.monotonic()
            self.under_way.append(transfer)
            return None

    def count(self, transfer: Transfer) -> int:
        """Count the visitor's transfers under way."""
        return sum(one.visitor == transfer.visitor for one in self.under_way)

    def rank(self, transfer: Transfer) -> tuple[int, int]:
        """Who has fewest transfers under way comes first, then who has fewest in line."""
        in_line = sum(one.visitor == transfer.visitor for one in self.line)
        return self.count(transfer), in_line

    def make_room(self, transfer: Transfer) -> bool:
        """Have others give way if too few places are free; False if none has to."""
        taken = sum(one.size for one in self.under_way)
        if not taken or taken + transfer.size <= self.most:
            return True
        slowest = max(self.under_way, key=lambda one: one.slowness(self.stalled_s))
        if slowest.slowness(self.stalled_s):
            slowest.give_way()
        elif self.count(transfer) == 0:
            slowest = max(self.under_way, key=lambda one: (self.count(one), one.average_s))
            has_begun = time.monotonic() - slowest.began_s > self.stalled_s
            if self.count(slowest) == 1 or not has_begun:
                return False
            slowest.give_way(TOO_MANY_OF_YOURS)
        else:
            return False
        self.under_way.remove(slowest)
        return self.make_room(transfer)

    def leave(self, transfer: Transfer) -> None:
        with self.lock:
            if transfer in self.under_way:  # it has not given way
                self.under_way.remove(transfer)


SMALL_BODIES = Places(most=512, most_of_one=32, stalled_s=2.0)
BODIES = Places(most=8, most_of_one=4, stalled_s=2.0)
# A reader at 50 kB/s makes room in its window every two seconds or so.
STREAMS = Places(most=20, most_of_one=6, stalled_s=5.0)
# Of bytes, of longer answers that are made before they are sent.
WHOLE_ANSWERS = Places(most=128 << 20, most_of_one=32 << 20, stalled_s=2.0, most_in_line=64 << 20)
