"""Fair turns at a worker's places: over accounts first, then over an account's runs.

Max-min fairness: a free place goes to the account with the fewest attempts in flight; among equals
to the one that has been served least, in seconds of a place; among those to the one that came
first. The same rule then picks one of its runs. Whoever joins begins level with the least served of
those present, as in start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996), so that nobody
saves up turns while idle. Pure: the clock comes in with every call.

Attempts that never end would keep a newcomer out for ever. So a process has spare places beyond
its places, a quarter as many and at least one, which an account gets only while it has fewer
attempts in flight than spare places are free: one account alone gets none of them, and whoever
takes some leaves about half of them to the next newcomer. This is the dynamic threshold of shared
buffers (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998) above a floor. Spare
places come on top because a reserve among the places would cost a lone account a quarter of them.

A few accounts can still take the spare places too. So whoever waits longer than `FIRST_PLACE_S`
for a first place gets one from the account that has the most: see `left_waiting` and `fullest`.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

FIRST_PLACE_S = 45.0  # with what follows, an account has its first place within a minute


@dataclass
class PlaceShare:
    """The part of the places that an account or a run has had so far."""

    order: int  # of joining
    since_s: float
    served_s: float = 0.0  # seconds of a place until `since_s`
    in_flight: int = 0

    def change(self, by: int, now_s: float) -> None:
        """Begin (1) or end (-1) an attempt."""
        self.served_s = self.served_until(now_s)
        self.since_s = now_s
        self.in_flight += by

    def served_until(self, now_s: float) -> float:
        return self.served_s + self.in_flight * (now_s - self.since_s)

    def rank(self, now_s: float) -> tuple[int, float, int]:
        """The lowest is served next."""
        return self.in_flight, self.served_until(now_s), self.order


@dataclass
class Contender:
    """A run that has attempts to play."""

    run_id: int
    account: str
    lanes: int  # attempts in flight at the very most
    share: PlaceShare
    is_dry: bool = False  # nothing was left to claim when it was last asked


@dataclass
class Account:
    """One account's share of the places, and its runs."""

    share: PlaceShare
    runs: dict[int, Contender] = field(default_factory=dict)


class Turns:
    """Decides which run begins the next attempt."""

    def __init__(self, places: int = sys.maxsize) -> None:
        self.places = places
        self.spare = max(1, places // 4)
        self.in_flight = 0
        self.accounts: dict[str, Account] = {}
        self.runs: dict[int, Contender] = {}
        self.orders = itertools.count()

    def join(self, run_id: int, account: str, lanes: int, now_s: float) -> None:
        """Let a run contend, or again after it had run dry. A repeat is harmless."""
        known = self.runs.get(run_id)
        if known is not None:
            known.lanes, known.is_dry = lanes, False
            return
        if account not in self.accounts:
            shares = [other.share for other in self.accounts.values()]
            self.accounts[account] = Account(self.make_share(shares, now_s))
        rivals = self.accounts[account].runs
        share = self.make_share([run.share for run in rivals.values()], now_s)
        self.runs[run_id] = rivals[run_id] = Contender(run_id, account, lanes, share)

    def make_share(self, rivals: Iterable[PlaceShare], now_s: float) -> PlaceShare:
        least_s = min((rival.served_until(now_s) for rival in rivals), default=0.0)
        return PlaceShare(next(self.orders), now_s, least_s)

    def leave(self, run_id: int) -> None:
        """Forget a run without attempts in flight."""
        run = self.runs.pop(run_id)
        account = self.accounts[run.account]
        del account.runs[run_id]
        if not account.runs:
            del self.accounts[run.account]

    def begin(self, run_id: int, now_s: float) -> None:
        self.change(run_id, 1, now_s)

    def end(self, run_id: int, now_s: float) -> None:
        self.change(run_id, -1, now_s)

    def change(self, run_id: int, by: int, now_s: float) -> None:
        run = self.runs[run_id]
        self.in_flight += by
        run.share.change(by, now_s)
        self.accounts[run.account].share.change(by, now_s)

    def next(self, now_s: float, has_room: Callable[[int], bool]) -> int | None:
        """The run whose turn it is; None if none may begin. `has_room` asks its endpoint."""
        accounts = [account for account in self.accounts.values() if self.has_place(account)]
        for account in sorted(accounts, key=lambda a: a.share.rank(now_s)):
            for run in sorted(account.runs.values(), key=lambda r: r.share.rank(now_s)):
                if not run.is_dry and run.share.in_flight < run.lanes and has_room(run.run_id):
                    return run.run_id
        return None

    @property
    def free(self) -> int:
        """Places and spare places that nobody has."""
        return self.places + self.spare - self.in_flight

    def has_place(self, account: Account) -> bool:
        """True if an account may take one of the places, or one of the spare places."""
        return self.in_flight < self.places or account.share.in_flight < self.free

    def left_waiting(self, now_s: float) -> int:
        """Count the accounts without any attempt in flight that have waited for too long."""
        return sum(self.is_left_waiting(account, now_s) for account in self.accounts.values())

    def is_left_waiting(self, account: Account, now_s: float) -> bool:
        share = account.share
        wants = any(not run.is_dry for run in account.runs.values())
        return wants and not share.in_flight and now_s - share.since_s >= FIRST_PLACE_S

    def fullest(self, in_flight: Iterable[int]) -> int | None:
        """The run that gives a place up, of these (one item for each attempt).

        It is one of the account with the most attempts; None if no account has two.
        """
        by_account: dict[str, Counter[int]] = {}
        for run_id in in_flight:
            by_account.setdefault(self.runs[run_id].account, Counter())[run_id] += 1
        most = max(by_account.values(), key=Counter.total, default=Counter[int]())
        return most.most_common(1)[0][0] if most.total() > 1 else None

    def is_last(self, run_id: int) -> bool:
        """True if a run is over once the attempt that it has in flight is."""
        run = self.runs[run_id]
        return run.is_dry and run.share.in_flight == 1

    def is_idle(self, run_id: int) -> bool:
        """True if a run has nothing in flight and nothing left to claim."""
        run = self.runs[run_id]
        return run.is_dry and not run.share.in_flight
