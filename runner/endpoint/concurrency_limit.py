"""Limit on an endpoint's parallel requests: it rises while it keeps up, and halves when it objects.

Additive increase and multiplicative decrease, as TCP (RFC 5681) and Netflix's concurrency-limits
do it. What it learns from is a round: as many replies as may be under way at once. A round that
was no slower than usual makes room for more; a refusal halves the room at once, but only once for
all requests that were under way together. Refusals come at once and replies of models do not: so
an endpoint of which nothing was heard yet has accepted what it is silent about, and is given more
before its first reply. Pure: the clock comes in with every call.
"""

from __future__ import annotations

import enum
import statistics
from dataclasses import dataclass, field

from runner.contract import LimitReason

FIRST_SHARE = 4  # it starts with a quarter of what the submitter allows
OPENING_S = 0.5  # of silence while a new endpoint has all that it may have, before it gets more
OPENING_FACTOR = 2
EARLY_FACTOR = 4  # of a good round, until the endpoint objects or slows down for the first time
STEP = 1  # of a good round after that
CUT = 2
HOLDS = 1.5  # times the usual latency is still no slower
DRIFT = 1.1  # by which the usual latency follows one that stays longer, per round
LEAST_ROUND = 4  # replies: a median of fewer says little
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
    cuts: int  # how often the room had been cut when it began
    has_others: bool = False  # under way when it began


@dataclass
class ConcurrencyLimit:
    """The requests of one worker to one endpoint, `most` of them at once at the very most."""

    most: int
    room: float = 0.0
    highest: int = 0  # whole places there were at one time
    under_way: int = 0
    cuts: int = 0
    usual_s: float = 0.0  # the median latency of the best rounds lately
    closed_until_s: float = 0.0
    breaks: int = 0  # in a row, of replies that had others beside them
    broke_s: float = 0.0  # when the last of these broke
    held_by: LimitReason = LimitReason.NEW  # unless the endpoint takes one at a time
    is_early: bool = True
    has_heard: bool = False  # of any request's end
    full_since_s: float | None = None  # while nothing was heard
    is_wanted: bool = False  # whether this round could have used more room
    latencies_s: list[float] = field(default_factory=list)  # of this round's replies

    def __post_init__(self) -> None:
        self.set_room(-(-self.most // FIRST_SHARE))

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
        return LimitReason.TAKES_ONE if self.takes_one else self.held_by

    @property
    def limit(self) -> int:
        """Number of requests that can be under way now."""
        return int(self.room)

    def allow(self, most: int) -> None:
        """The submitter's limit is another one."""
        self.most = max(1, most)
        self.set_room(self.room)

    def set_room(self, room: float) -> None:
        self.room = min(max(1.0, room), 1.0 if self.takes_one else float(self.most))
        self.highest = max(self.highest, self.limit)

    def has_room(self, now_s: float) -> bool:
        """True if a request can begin; a refusal is noted as demand."""
        if self.under_way >= self.limit:
            self.is_wanted = True
            return False
        return now_s >= self.closed_until_s

    def begin(self, now_s: float) -> OpenRequest:
        self.under_way += 1
        if self.under_way >= self.limit:
            self.is_wanted = True
            if self.full_since_s is None:
                self.full_since_s = now_s
        return OpenRequest(now_s, self.cuts, self.under_way > 1)

    @property
    def opens_at_s(self) -> float | None:
        """Moment at which the limit rises if the endpoint stays silent; None for never."""
        if self.has_heard or self.full_since_s is None or self.limit >= self.most:
            return None
        return self.full_since_s + OPENING_S

    def open_up(self, now_s: float) -> bool:
        """Raise the limit if nothing was heard for long enough; True if it was raised."""
        if self.opens_at_s is None or now_s < self.opens_at_s:
            return False
        self.set_room(self.room * OPENING_FACTOR)
        self.full_since_s = None
        return True

    def end(
        self, ask: OpenRequest, now_s: float, answer: RequestOutcome, wait_s: float | None = None
    ) -> None:
        """Learn from a request that is over; `wait_s` is what Retry-After asked for."""
        self.under_way -= 1
        self.has_heard = True
        if answer is RequestOutcome.REFUSED:
            if wait_s is not None and wait_s <= LONGEST_CLOSED_S:
                self.closed_until_s = max(self.closed_until_s, now_s + wait_s)
            if ask.cuts == self.cuts:
                self.held_by = LimitReason.REFUSED
                self.cut()
        elif answer is RequestOutcome.BROKEN and self.under_way and ask.began_s >= self.broke_s:
            self.note_break(now_s)
        elif answer is RequestOutcome.REPLIED and ask.has_others and self.under_way:
            self.breaks = 0
        if answer is RequestOutcome.REPLIED and ask.cuts == self.cuts:
            self.latencies_s.append(now_s - ask.began_s)
            if len(self.latencies_s) >= max(LEAST_ROUND, self.limit):
                self.end_round()

    def note_break(self, now_s: float) -> None:
        """A reply broke off beside others; those that break together count once."""
        self.breaks, self.broke_s = self.breaks + 1, now_s
        if self.takes_one:
            self.cut()

    def cut(self) -> None:
        self.cuts += 1
        self.is_early = False
        self.set_room(self.limit / CUT)
        self.begin_round()

    def end_round(self) -> None:
        """Make room after replies that came as fast as usual, if more had been wanted."""
        median_s = statistics.median(self.latencies_s)
        is_slower = self.usual_s > 0 and median_s > HOLDS * self.usual_s
        if is_slower:
            self.is_early, self.held_by = False, LimitReason.SLOWER
        elif self.is_wanted:
            self.set_room(self.room * EARLY_FACTOR if self.is_early else self.room + STEP)
        self.usual_s = min(median_s, self.usual_s * DRIFT) if self.usual_s else median_s
        self.begin_round()

    def begin_round(self) -> None:
        self.latencies_s = []
        self.is_wanted = self.under_way >= self.limit
