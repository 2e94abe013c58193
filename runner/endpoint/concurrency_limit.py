"""Limit on an endpoint's parallel requests: it halves when the endpoint objects, then rises again.

Additive increase and multiplicative decrease, as TCP (RFC 5681) does it. It begins with what the
submitter allows. A refusal halves it at once, but only once for all requests that were under way
together; as many replies as may be under way at once make room for one more. Pure: the clock comes
in with every call.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from runner.contract import LimitReason

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
    """The requests of one worker to one endpoint, `most` of them at once at the very most."""

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
