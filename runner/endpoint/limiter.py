"""Queue in which a worker's requests to an endpoint, and attempts about to begin, take turns.

One gate per endpoint; how wide it stands is its `ConcurrencyLimit`, which halves when the endpoint
objects, and then rises again: additive increase and multiplicative decrease, as in TCP (RFC 5681).
An attempt is begun only when there is room for its requests, so that none waits with a kernel and a
lease; a pace that was cut while attempts are in flight lets their requests through one by one.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from runner.contract import LimitReason
from runner.endpoint.errors import CUT_OFF, EndpointError

MOST_BREAKS = 2  # in a row, of replies beside others: then one request is sent at a time
LONGEST_CLOSED_S = 60.0  # whoever asks for more is not waited for: its attempts give up


class RequestOutcome(enum.Enum):
    """Outcome of a request, as far as it tells of the endpoint's load."""

    REPLIED = "replied"
    REFUSED = "refused"  # too many requests (429), overloaded (503)
    BROKEN = "broken"  # the connection was closed in the middle of it
    UNCLEAR = "unclear"  # any other failure


@dataclass(frozen=True)
class OpenRequest:
    """A request under way."""

    began_s: float
    cuts: int  # how often the limit had been cut when it began
    has_others: bool = False  # under way when it began


@dataclass
class ConcurrencyLimit:
    """The requests of one worker to one endpoint, `most` of them at once at the very most.

    It begins with what the submitter allows. A refusal halves it at once, but only once for all
    requests that were under way together; as many replies as may be under way at once make room
    for one more. Pure: the clock comes in with every call.
    """

    most: int
    limit: int = 0
    highest: int = 0  # that the limit was at one time
    under_way: int = 0
    cuts: int = 0
    replies: int = 0  # since the limit last changed
    closed_until_s: float = 0.0
    breaks: int = 0  # in a row, of replies that had others beside them
    broke_s: float = 0.0  # when the last of these broke

    def __post_init__(self) -> None:
        self.set_limit(self.most)

    @property
    def takes_one(self) -> bool:
        """True if the endpoint breaks off replies when it is asked twice at once."""
        return self.breaks >= MOST_BREAKS

    def forget(self) -> None:
        """Other runs follow: what one may have mended is tried again."""
        self.breaks, self.highest = 0, 0

    @property
    def reason(self) -> LimitReason | None:
        """Reason for a limit below `most`; None where it is not below."""
        if self.limit >= self.most:
            return None
        return LimitReason.TAKES_ONE if self.takes_one else LimitReason.REFUSED

    def allow(self, most: int) -> None:
        """The submitter's limit is another one."""
        is_full = self.limit >= self.most
        self.most = max(1, most)
        self.set_limit(self.most if is_full else self.limit)

    def set_limit(self, limit: int) -> None:
        self.limit = min(max(1, limit), 1 if self.takes_one else self.most)
        self.highest = max(self.highest, self.limit)
        self.replies = 0

    def has_room(self, now_s: float) -> bool:
        """True if a request can begin."""
        return self.under_way < self.limit and now_s >= self.closed_until_s

    def begin(self, now_s: float) -> OpenRequest:
        self.under_way += 1
        return OpenRequest(now_s, self.cuts, self.under_way > 1)

    def end(
        self, ask: OpenRequest, now_s: float, answer: RequestOutcome, wait_s: float | None = None
    ) -> None:
        """Learn from a request that is over; `wait_s` is what Retry-After asked for."""
        self.under_way -= 1
        if answer is RequestOutcome.REFUSED:
            if wait_s is not None and wait_s <= LONGEST_CLOSED_S:
                self.closed_until_s = max(self.closed_until_s, now_s + wait_s)
            if ask.cuts == self.cuts:
                self.cut()
        elif answer is RequestOutcome.BROKEN and self.under_way and ask.began_s >= self.broke_s:
            self.note_break(now_s)
        elif answer is RequestOutcome.REPLIED:
            if ask.has_others and self.under_way:
                self.breaks = 0
            self.note_reply(ask)

    def note_break(self, now_s: float) -> None:
        """A reply broke off beside others; those that break together count once."""
        self.breaks, self.broke_s = self.breaks + 1, now_s
        if self.takes_one:
            self.cut()

    def note_reply(self, ask: OpenRequest) -> None:
        self.replies += ask.cuts == self.cuts
        if self.limit < self.most and self.replies >= self.limit:
            self.set_limit(self.limit + 1)

    def cut(self) -> None:
        self.cuts += 1
        self.set_limit(self.limit // 2)


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
