"""Where a worker's requests to an endpoint wait for their turn, and attempts for theirs to begin.

One gate per endpoint; how wide it stands is its `Pace`. An attempt is begun only when there is
room for its requests, so that none waits with a kernel and a lease; a pace that was cut while
attempts are in flight lets their requests through one by one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable

from runner.pace import Answer, Pace
from runner.refusals import EndpointError

REFUSALS = frozenset({429, 503, 529})  # 529: what some endpoints say when overloaded


class Gate:
    """For one event loop. Whoever is cancelled while waiting leaves no trace."""

    def __init__(self, pace: Pace, clock: Callable[[], float] = time.monotonic) -> None:
        self.pace = pace
        self.clock = clock
        self.attempts = 0  # that were begun and are not over
        self.moved = asyncio.Event()  # set, and replaced, whenever somebody may pass
        self.timer: asyncio.TimerHandle | None = None  # until the endpoint's silence says enough

    @contextlib.asynccontextmanager
    async def attempt(self) -> AsyncIterator[None]:
        """Begin an attempt when there is room for one."""
        while self.attempts >= self.pace.limit:
            self.pace.is_wanted = True
            await self.moved.wait()
        self.attempts += 1
        try:
            yield
        finally:
            self.attempts -= 1
            self.move()

    @contextlib.asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """Let one request through; how it ends, and when, tells how wide to stand."""
        while not self.pace.has_room(self.clock()):
            await self.wait_for_room()
        ask = self.pace.begin(self.clock())
        self.mind_silence()
        answer, wait_s = Answer.UNCLEAR, None
        try:
            yield
            answer = Answer.REPLIED
        except EndpointError as error:
            if error.status in REFUSALS:
                answer, wait_s = Answer.REFUSED, error.retry_after_s
            raise
        finally:
            self.pace.end(ask, self.clock(), answer, wait_s)
            self.move()

    async def wait_for_room(self) -> None:
        """Until somebody leaves, or the endpoint may be asked again."""
        closed_s = self.pace.closed_until_s - self.clock()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(closed_s if closed_s > 0 else None):
                await self.moved.wait()

    def mind_silence(self) -> None:
        """See to it that a new endpoint's silence makes room when it has lasted long enough."""
        if self.pace.opens_at_s is not None and self.timer is None:
            left_s = max(0.0, self.pace.opens_at_s - self.clock())
            self.timer = asyncio.get_running_loop().call_later(left_s, self.end_silence)

    def end_silence(self) -> None:
        self.timer = None
        if self.pace.open_up(self.clock()):
            self.move()
        self.mind_silence()

    def move(self) -> None:
        self.moved.set()
        self.moved = asyncio.Event()


class Gates:
    """The gates of a worker, by endpoint. What was learnt of one serves its next run too."""

    def __init__(self) -> None:
        self.gates: dict[str, Gate] = {}
        self.users: dict[str, dict[int, int]] = {}  # of each endpoint, the runs and their limits

    def join(self, endpoint: str, run_id: int, most: int) -> Gate:
        """The gate for a run that may have `most` attempts in flight."""
        users = self.users.setdefault(endpoint, {})
        gate = self.gates.setdefault(endpoint, Gate(Pace(most)))
        if not users:
            gate.pace.highest = 0  # of the runs that follow
        users[run_id] = most
        self.allow(endpoint)
        return gate

    def leave(self, endpoint: str, run_id: int) -> None:
        users = self.users.get(endpoint, {})
        if users.pop(run_id, None) and users:
            self.allow(endpoint)

    def allow(self, endpoint: str) -> None:
        """As much as the most generous of the runs; each keeps within its own limit by itself."""
        gate = self.gates[endpoint]
        gate.pace.allow(max(self.users[endpoint].values()))
        gate.move()
