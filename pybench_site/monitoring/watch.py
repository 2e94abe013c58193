"""Ends a process whose loops stand still, so that whoever looks after it starts it again.

A loop is handed a trifle every few seconds, which it does while it turns. Patience is counted in
such questions and not by a clock: a process that was stopped, or a host that slept, asks none.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

log = logging.getLogger(__name__)

TICK_S = 5.0
MOST_MISSED = 9  # a broker that is back is found again by then: Celery asks every 30 s
MISSED_TO_TELL = 2
LONGEST_TASK = 36  # questions: three minutes, where the database alone can hold one up for 45 s
LONGEST_TASKS = {"runner.draw_pages": 300}  # forty files of an attempt, half a minute each


class Watched(Protocol):
    """Something that should go on."""

    @property
    def missed(self) -> int:
        """Questions in a row without an answer."""

    def tick(self) -> None:
        """Ask again, or note that the last question has no answer."""

    def trouble(self) -> str:
        """A short sentence; "" while all is well."""


@dataclass
class Pulse:
    """A loop that calls what it is handed."""

    name: str
    hand_over: Callable[[Callable[[], None]], object]
    missed: int = 0
    is_asked: bool = False

    def tick(self) -> None:
        if self.is_asked:
            self.missed += 1
            return
        self.is_asked = True
        self.hand_over(self.answer)

    def answer(self) -> None:
        self.is_asked, self.missed = False, 0

    def trouble(self) -> str:
        return told(f"{self.name} stands still", self.missed)


@dataclass
class Intake:
    """Messages that a worker takes: the loop that takes them turns, and none waits for ever.

    Nobody is to blame while the broker is away, or while tasks are under way, which `RunningTasks`
    looks after.
    """

    pulse: Pulse
    waiting: Callable[[], int]  # messages in the queue; raises an error if nobody can tell
    taken: Callable[[], int]  # so far
    is_busy: Callable[[], bool]
    left: int = 0  # questions in a row at which messages waited and none had been taken
    seen: int = -1

    @property
    def missed(self) -> int:
        return max(self.pulse.missed, self.left)

    def tick(self) -> None:
        try:
            waiting = self.waiting()
        except Exception as error:  # whatever a broker that goes away makes of it
            log.debug("the broker does not say how many messages wait: %r", error)
            self.pulse.missed = self.left = 0
            return
        self.pulse.tick()
        before, self.seen = self.seen, self.taken()
        is_left = waiting and self.seen == before and not self.is_busy()
        self.left = self.left + 1 if is_left else 0

    def trouble(self) -> str:
        return self.pulse.trouble() or told("messages wait and none is taken", self.left)


@dataclass
class RunningTasks:
    """Tasks under way: none may go on for ever, or those that hang would take every thread."""

    under_way: Callable[[], Mapping[str, str]]  # names by id
    ages: dict[str, int] = field(default_factory=dict)  # questions at which each was under way
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def missed(self) -> int:
        return max((self.overtime(task) for task in self.ages), default=0)

    def overtime(self, task: str) -> int:
        return max(0, self.ages[task] - LONGEST_TASKS.get(self.names[task], LONGEST_TASK))

    def tick(self) -> None:
        with contextlib.suppress(RuntimeError):  # one began as we looked: we look again
            self.names = self.under_way()
            self.ages = {task: self.ages.get(task, 0) + 1 for task in self.names}

    def trouble(self) -> str:
        oldest = max(self.ages, key=self.overtime, default="")
        if not oldest or self.overtime(oldest) < MISSED_TO_TELL:
            return ""
        since_s = self.ages[oldest] * TICK_S
        return f"the task {self.names[oldest]} does not end since {since_s:.0f} s"


def told(sentence: str, missed: int) -> str:
    return f"{sentence} since {missed * TICK_S:.0f} s" if missed >= MISSED_TO_TELL else ""


def find_dead(watched: Sequence[Watched]) -> str:
    """Ask all of them once; the trouble of one that has stood still for too long, or ""."""
    for one in watched:
        one.tick()
    return next((one.trouble() for one in watched if one.missed >= MOST_MISSED), "")


def watch(watched: Sequence[Watched], end: Callable[[str], None]) -> threading.Thread:
    """Look after them in a thread of its own, until `end` is called with what is wrong."""

    def look() -> None:
        while not (trouble := find_dead(watched)):
            time.sleep(TICK_S)
        end(trouble)

    thread = threading.Thread(target=look, name="watch", daemon=True)
    thread.start()
    return thread
