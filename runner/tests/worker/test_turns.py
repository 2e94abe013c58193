"""Turns: whose attempt begins next, with a clock that the test sets."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from runner.worker.turns import FIRST_PLACE_S, Turns


def always(run_id: int) -> bool:
    return True


class Host:
    """Places that are always full: whoever is next takes the one that was freed."""

    def __init__(self, turns: Turns, places: int) -> None:
        self.turns = turns
        self.now_s = 0.0
        self.free = places
        self.ends: list[tuple[float, int]] = []  # when, of which run
        self.served: Counter[int] = Counter()

    def play(self, until_s: float, takes_s: dict[int, float]) -> None:
        while self.now_s < until_s:
            while self.free and (run := self.turns.next(self.now_s, always)) is not None:
                self.free -= 1
                self.turns.begin(run, self.now_s)
                self.ends.append((self.now_s + takes_s[run], run))
            self.ends.sort()
            self.now_s, run = self.ends.pop(0)
            self.turns.end(run, self.now_s)
            self.served[run] += 1
            self.free += 1


def test_account_with_fewest_attempts_in_flight_is_next() -> None:
    turns = Turns()
    turns.join(1, "crowd", 64, 0)
    for _ in range(8):
        turns.begin(1, 0)
    turns.join(2, "small", 2, 1)
    assert turns.next(1, always) == 2


def test_ten_runs_of_an_account_weigh_no_more_than_one() -> None:
    turns, host = Turns(), None
    for run_id in range(10):
        turns.join(run_id, "crowd", 64, 0)
    turns.join(99, "other", 64, 0)
    host = Host(turns, places=8)
    host.play(100, dict.fromkeys([*range(10), 99], 0.25))
    crowd = sum(host.served[run_id] for run_id in range(10))
    assert host.served[99] == pytest.approx(crowd, rel=0.05)
    assert max(host.served[r] for r in range(10)) <= 1.1 * min(host.served[r] for r in range(10))


def test_long_attempts_get_no_more_time_than_short_ones() -> None:
    turns = Turns()
    turns.join(1, "long", 64, 0)
    turns.join(2, "short", 64, 0)
    host = Host(turns, places=1)
    host.play(1000, {1: 10.0, 2: 1.0})
    assert host.served[1] * 10 == pytest.approx(host.served[2], rel=0.05)


def test_whoever_comes_late_has_saved_up_nothing() -> None:
    turns = Turns()
    turns.join(1, "early", 64, 0)
    host = Host(turns, places=1)
    host.play(1000, {1: 1.0})
    turns.join(2, "late", 64, host.now_s)
    host.served.clear()
    host.play(1100, {1: 1.0, 2: 1.0})
    assert abs(host.served[1] - host.served[2]) <= 2


def test_whoever_comes_back_owes_nothing() -> None:
    turns = Turns()
    turns.join(1, "a", 64, 0)
    Host(turns, places=1).play(1000, {1: 1.0})
    turns.leave(1)
    turns.join(2, "b", 64, 1000)
    turns.join(1, "a", 64, 1001)
    host = Host(turns, places=1)
    host.now_s = 1001
    host.play(1101, {1: 1.0, 2: 1.0})
    assert abs(host.served[1] - host.served[2]) <= 2


def test_a_run_without_room_at_its_endpoint_is_passed_over() -> None:
    turns = Turns()
    turns.join(1, "a", 64, 0)
    turns.join(2, "a", 64, 0)
    assert turns.next(0, lambda run_id: run_id == 2) == 2
    assert turns.next(0, lambda run_id: False) is None


def test_a_run_has_no_more_in_flight_than_its_lanes() -> None:
    turns = Turns()
    turns.join(1, "a", 2, 0)
    turns.begin(1, 0)
    turns.begin(1, 0)
    assert turns.next(0, always) is None
    turns.join(1, "a", 3, 1)
    assert turns.next(1, always) == 1


def test_a_dry_run_is_over_with_its_last_attempt() -> None:
    turns = Turns()
    turns.join(1, "a", 2, 0)
    turns.begin(1, 0)
    turns.runs[1].is_dry = True
    assert (turns.is_last(1), turns.is_idle(1)) == (True, False)
    turns.end(1, 1)
    assert (turns.next(1, always), turns.is_idle(1)) == (None, True)
    turns.join(1, "a", 2, 2)
    assert turns.next(2, always) == 1
    turns.leave(1)
    assert not turns.accounts


def fill(turns: Turns, now_s: float = 0.0) -> Counter[str]:
    """Begin whatever may begin while nothing ends: attempts in flight by account."""
    while (run := turns.next(now_s, always)) is not None:
        turns.begin(run, now_s)
    return Counter({name: account.share.in_flight for name, account in turns.accounts.items()})


@pytest.mark.parametrize("places", [1, 2, 3, 4, 64])
def test_newcomers_begin_beside_attempts_that_never_end(places: int) -> None:
    turns = Turns(places)
    for run_id in range(5):
        turns.join(run_id, "crowd", 2 * places, 0)
    assert fill(turns) == {"crowd": places}
    turns.join(5, "new", 64, 1)
    assert 1 <= fill(turns, 1)["new"] <= max(1, places // 8)
    assert turns.in_flight <= places + max(1, places // 4)


def test_newcomer_to_the_only_place_begins_again_and_again() -> None:
    turns = Turns(1)
    turns.join(1, "endless", 64, 0)
    turns.join(2, "new", 64, 0)
    fill(turns)
    for now_s in range(1, 10):
        turns.end(2, now_s)
        assert turns.next(now_s, always) == 2
        turns.begin(2, now_s)


def test_each_of_five_newcomers_begins_though_nothing_ends() -> None:
    turns = Turns(64)
    for number in range(6):
        turns.join(number, f"account {number}", 64, number)
        fill(turns, number)
    in_flight = [turns.runs[run_id].share.in_flight for run_id in range(6)]
    assert in_flight == [64, 8, 4, 2, 1, 1]


def test_seventh_account_is_left_waiting_after_its_patience() -> None:
    turns = Turns(64)
    for number in range(8):
        turns.join(number, f"account {number}", 64, 10)
        fill(turns, 10)
    assert turns.free == 0
    assert turns.left_waiting(10 + FIRST_PLACE_S - 1) == 0
    assert turns.left_waiting(10 + FIRST_PLACE_S) == 2
    turns.runs[7].is_dry = True
    assert turns.left_waiting(10 + FIRST_PLACE_S) == 1


def test_fullest_account_gives_up_a_place_of_its_fullest_run() -> None:
    turns = Turns(64)
    for run_id, account in ((1, "a"), (2, "a"), (3, "b"), (4, "c")):
        turns.join(run_id, account, 64, 0)
    assert turns.fullest([3, 3, 3, 1, 2, 2, 1, 2, 4]) == 2
    assert turns.fullest([1, 3, 3, 4]) == 3


def test_accounts_with_one_attempt_each_give_nothing_up() -> None:
    turns = Turns(1)
    turns.join(1, "a", 64, 0)
    turns.join(2, "b", 64, 0)
    assert turns.fullest([1, 2]) is None
    assert turns.fullest([]) is None


def test_account_that_came_first_leaves_no_place_unused() -> None:
    """Once its attempts end, both have half of the places, and none of the spare ones."""
    turns = Turns(64)
    turns.join(1, "first", 64, 0)
    fill(turns)
    turns.join(2, "second", 64, 1)
    fill(turns, 1)
    for now_s in range(2, 66):
        longest = max((1, 2), key=lambda run_id: turns.runs[run_id].share.in_flight)
        turns.end(longest, now_s)
        fill(turns, now_s)
        assert turns.in_flight >= 64
    assert fill(turns, 66) == {"first": 32, "second": 32}


@pytest.mark.parametrize("seed", range(5))
def test_no_account_starves_whatever_the_others_do(seed: int) -> None:
    chance = random.Random(seed)
    turns = Turns()
    takes_s = {run_id: chance.choice([0.1, 1.0, 7.0]) for run_id in range(12)}
    for run_id in takes_s:
        turns.join(run_id, f"account {run_id % 4}", chance.randrange(1, 64), 0)
    host = Host(turns, places=8)
    host.play(2000, takes_s)
    shares = [account.share.served_until(host.now_s) for account in turns.accounts.values()]
    wanted = [min(4, sum(r.lanes for r in a.runs.values())) for a in turns.accounts.values()]
    full = [share for share, want in zip(shares, wanted, strict=True) if want >= 2]
    assert min(full) >= 0.8 * max(full)
