"""Observations of an endpoint while a preflight lasts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import httpx2

from runner.contract import Opening, Outcome, Problem, Step
from runner.episode import EpisodeOver
from runner.preflight.tiny_task import TinyTask


@dataclass
class EndpointLook:
    """Observations of the list of models and of the tiny tasks together."""

    deadline_s: float
    steps: list[Step] = field(default_factory=list)  # of all tiny tasks, as they came
    plays: list[TinyPlay] = field(default_factory=list)
    cut_off: int = 0  # tiny tasks started together that all were; `plays` is then one alone
    has_answered: bool = False  # anything at all
    is_streamed: bool | None = None  # None: no reply began
    listed: frozenset[str] | None = None  # the names of its models, when it lists them
    context_tokens: int | None = None  # that the list of models states
    left_out: Sequence[str] = ()  # of the requests, since the endpoint refuses it
    waited_s: float = 0.0  # for our own kernel, which does not count as the endpoint's time

    async def wait_for(self, event: asyncio.Event, longest_s: float) -> None:
        """Wait, but `longest_s` at most, with the look's clock standing still."""
        began_s = time.monotonic()
        left_s = self.left_s()
        self.deadline_s += longest_s
        with suppress(TimeoutError):
            async with asyncio.timeout(longest_s):
                await event.wait()
        self.waited_s = time.monotonic() - began_s
        self.deadline_s = began_s + self.waited_s + left_s

    def left_s(self) -> float:
        return self.deadline_s - time.monotonic()

    async def note_response(self, response: httpx2.Response) -> None:
        self.has_answered = True
        if response.request.method == "POST" and response.status_code == 200:
            content_type = response.headers.get("content-type", "")
            self.is_streamed = "event-stream" in content_type.lower()


@dataclass
class TinyPlay:
    """One tiny task while it is played: the listener of its episode."""

    look: EndpointLook
    task: TinyTask
    over: EpisodeOver | None = None  # None: not seen to its end
    steps: list[Step] = field(default_factory=list)

    async def opened(self, opening: Opening) -> None:
        """Nothing is kept of it."""

    async def step(self, step: Step) -> None:
        self.steps.append(step)
        self.look.steps.append(step)

    def should_stop(self) -> bool:
        return self.look.left_s() < 0

    @property
    def is_solved(self) -> bool:
        """True if a step wrote the expected file, whatever came after."""
        changes = (change for step in self.steps for change in step.changes)
        return any(
            change.path == self.task.result
            and (change.content or b"").split() == self.task.expected.split()
            for change in changes
        )

    @property
    def is_seen(self) -> bool:
        """True if it was played to its end before time ran out."""
        return self.over is not None and self.over.outcome is not Outcome.CANCELLED

    @property
    def refusal(self) -> Problem | None:
        """The endpoint's failure that ended it."""
        is_refused = self.over is not None and self.over.outcome is Outcome.ENDPOINT_FAILED
        return self.over.problem if self.over is not None and is_refused else None
