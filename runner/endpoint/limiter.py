"""Queue in which a worker's requests to an endpoint, and attempts about to begin, take turns.

One gate per endpoint; how wide it stands is its `ConcurrencyLimit`. An attempt is begun only when
there is room for its requests, so that none waits with a kernel and a lease; a pace that was cut
while attempts are in flight lets their requests through one by one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable

from runner.endpoint.concurrency_limit import ConcurrencyLimit, OpenRequest, RequestOutcome
from runner.endpoint.errors import CUT_OFF, EndpointError

BROKEN_OFF = CUT_OFF.code
REFUSALS = frozenset({429, 503, 529})  # 529: what some endpoints say when overloaded


class Gate:
    """For one event loop. Requests pass in the order they came; a cancelled one leaves no trace."""

    def __init__(
        self,
        pace: ConcurrencyLimit,
        clock: Callable[[], float] = time.monotonic,
        on_move: Callable[[], None] = lambda: None,
    ) -> None:
        self.pace = pace
        self.clock = clock
        self.on_move = on_move  # called whenever an attempt may have room that had none
        self.attempts = 0  # that were begun and are not over
        self.moved = asyncio.Event()  # set, and replaced, whenever an attempt may begin
        self.waiting: deque[asyncio.Future[OpenRequest]] = deque()
        self.opening: asyncio.TimerHandle | None = None  # until the endpoint may be asked again

    def has_room(self) -> bool:
        """True if an attempt may begin."""
        return self.attempts < self.pace.limit

    def begin_attempt(self) -> None:
        self.attempts += 1

    def end_attempt(self) -> None:
        self.attempts -= 1
        self.move()

    @contextlib.asynccontextmanager
    async def attempt(self) -> AsyncIterator[None]:
        """Begin an attempt when there is room: for an evaluation, whose lanes are all alike."""
        while not self.has_room():
            await self.moved.wait()
        self.begin_attempt()
        try:
            yield
        finally:
            self.end_attempt()

    @contextlib.asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """Let one request through; how it ends, and when, tells how wide to stand."""
        ask = await self.enter()
        answer, wait_s = RequestOutcome.UNCLEAR, None
        try:
            yield
            answer = RequestOutcome.REPLIED
        except EndpointError as error:
            if error.problem.code == BROKEN_OFF:
                answer = RequestOutcome.BROKEN
            if error.status in REFUSALS:
                answer, wait_s = RequestOutcome.REFUSED, error.retry_after_s
            raise
        finally:
            self.leave(ask, answer, wait_s)

    async def enter(self) -> OpenRequest:
        """Wait for those who came before, then for room."""
        if not self.waiting and self.pace.has_room(self.clock()):
            return self.pace.begin(self.clock())
        place: asyncio.Future[OpenRequest] = asyncio.get_running_loop().create_future()
        self.waiting.append(place)
        self.mind_closing()
        try:
            return await place
        except asyncio.CancelledError:
            if place.cancelled():
                with contextlib.suppress(ValueError):
                    self.waiting.remove(place)
            else:  # it was let in just before
                self.leave(place.result(), RequestOutcome.UNCLEAR)
            raise

    def leave(self, ask: OpenRequest, answer: RequestOutcome, wait_s: float | None = None) -> None:
        self.pace.end(ask, self.clock(), answer, wait_s)
        self.move()

    def move(self) -> None:
        """Let in who may pass now."""
        while self.waiting and self.pace.has_room(self.clock()):
            place = self.waiting.popleft()
            if not place.done():
                place.set_result(self.pace.begin(self.clock()))
        self.mind_closing()
        self.moved.set()
        self.moved = asyncio.Event()
        self.on_move()

    def mind_closing(self) -> None:
        """See to it that whoever waits passes once the endpoint may be asked again."""
        closed_s = self.pace.closed_until_s - self.clock()
        if self.waiting and closed_s > 0 and self.opening is None:
            self.opening = asyncio.get_running_loop().call_later(closed_s, self.reopen)

    def reopen(self) -> None:
        self.opening = None
        self.move()


class Gates:
    """The gates of a worker, by endpoint. What was learnt of one serves its next run too."""

    def __init__(self, on_move: Callable[[], None] = lambda: None) -> None:
        self.on_move = on_move
        self.gates: dict[str, Gate] = {}
        # Of each endpoint, its runs and judgings with their limits.
        self.users: dict[str, dict[int | str, int]] = {}

    def join(self, endpoint: str, user: int | str, most: int) -> Gate:
        """The gate for a run that may have `most` attempts in flight, or a judging by its name."""
        users = self.users.setdefault(endpoint, {})
        gate = self.gates.setdefault(endpoint, Gate(ConcurrencyLimit(most), on_move=self.on_move))
        if not users:
            gate.pace.forget()
        users[user] = most
        self.allow(endpoint)
        return gate

    def leave(self, endpoint: str, user: int | str) -> None:
        users = self.users.get(endpoint, {})
        if users.pop(user, None) and users:
            self.allow(endpoint)

    def allow(self, endpoint: str) -> None:
        """As much as the most generous of the runs; each keeps within its own limit by itself."""
        gate = self.gates[endpoint]
        gate.pace.allow(max(self.users[endpoint].values()))
        gate.move()
