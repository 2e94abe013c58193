"""The pace at an endpoint: what makes room, what halves it, and what it never does."""

from __future__ import annotations

import random

import pytest

from runner.endpoint.concurrency_limit import (
    DRIFT,
    LONGEST_CLOSED_S,
    OPENING_S,
    ConcurrencyLimit,
    RequestOutcome,
)

STEADY_S = 2.0


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0


def play_round(
    pace: ConcurrencyLimit,
    clock: Clock,
    latency_s: float = STEADY_S,
    answer: RequestOutcome = RequestOutcome.REPLIED,
) -> int:
    """As many requests at once as there is room for, each `latency_s` long; how many."""
    asks = []
    while pace.has_room(clock.now_s):
        asks.append(pace.begin(clock.now_s))
    clock.now_s += latency_s
    for ask in asks:
        pace.end(ask, clock.now_s, answer)
    return len(asks)


def grow(pace: ConcurrencyLimit, clock: Clock, to: int) -> None:
    """Good rounds until there is room for `to`."""
    for _ in range(100):
        if pace.limit >= to:
            return
        play_round(pace, clock)
    pytest.fail(f"only {pace.limit} after a hundred rounds")


@pytest.mark.parametrize(("most", "first"), [(1, 1), (2, 1), (4, 1), (5, 2), (16, 4), (64, 16)])
def test_it_starts_with_a_quarter_of_the_limit(most: int, first: int) -> None:
    pace = ConcurrencyLimit(most)
    assert pace.limit == first
    assert play_round(pace, Clock()) == first


def test_it_opens_fast_until_the_endpoint_objects_for_the_first_time() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    assert [play_round(pace, clock) for _ in range(3)] == [16, 64, 64]


def test_limit_doubles_while_a_new_endpoint_is_silent() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    seen = []
    for _ in range(4):
        while pace.has_room(clock.now_s):
            pace.begin(clock.now_s)
        full_at_s = clock.now_s
        clock.now_s += OPENING_S * 0.9
        assert not pace.open_up(clock.now_s)
        clock.now_s = full_at_s + OPENING_S
        assert pace.open_up(clock.now_s) is (pace.under_way < 64)
        seen.append(pace.limit)
    assert seen == [32, 64, 64, 64]
    assert pace.opens_at_s is None


def test_silence_says_nothing_while_there_is_room_left() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    for _ in range(15):
        pace.begin(clock.now_s)
    assert pace.opens_at_s is None
    assert not pace.open_up(clock.now_s + 100)
    pace.begin(clock.now_s)
    assert pace.opens_at_s == clock.now_s + OPENING_S


@pytest.mark.parametrize("answer", list(RequestOutcome))
def test_silence_says_nothing_once_anything_was_heard(answer: RequestOutcome) -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    asks = [pace.begin(clock.now_s) for _ in range(16)]
    pace.end(asks[0], clock.now_s, answer)
    limit = pace.limit
    while pace.has_room(clock.now_s):
        pace.begin(clock.now_s)
    assert pace.opens_at_s is None
    assert not pace.open_up(clock.now_s + 100)
    assert pace.limit == limit


def test_a_refusal_after_the_silence_halves_what_it_opened() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    asks = [pace.begin(clock.now_s) for _ in range(16)]
    assert pace.open_up(clock.now_s + OPENING_S)
    asks += [pace.begin(clock.now_s + OPENING_S) for _ in range(16)]
    for ask in asks:
        pace.end(ask, clock.now_s + 1, RequestOutcome.REFUSED)
    assert pace.limit == 16


def test_after_a_refusal_it_halves_and_then_grows_by_one_a_round() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    grow(pace, clock, 64)
    play_round(pace, clock, answer=RequestOutcome.REFUSED)
    assert pace.limit == 32
    assert [play_round(pace, clock) for _ in range(4)] == [32, 33, 34, 35]
    assert pace.highest == 64


def test_requests_refused_together_halve_it_once() -> None:
    """All of them were under way before the first refusal could be heeded."""
    pace, clock = ConcurrencyLimit(64), Clock()
    grow(pace, clock, 64)
    asks = [pace.begin(clock.now_s) for _ in range(64)]
    for ask in asks:
        pace.end(ask, clock.now_s, RequestOutcome.REFUSED)
    assert pace.limit == 32
    later = pace.begin(clock.now_s)
    pace.end(later, clock.now_s, RequestOutcome.REFUSED)
    assert pace.limit == 16


def test_replies_to_requests_from_before_a_cut_make_no_room() -> None:
    pace, clock = ConcurrencyLimit(16), Clock()
    grow(pace, clock, 16)
    refused, *others = [pace.begin(clock.now_s) for _ in range(16)]
    pace.end(refused, clock.now_s, RequestOutcome.REFUSED)
    for ask in others:
        pace.end(ask, clock.now_s + STEADY_S, RequestOutcome.REPLIED)
    assert pace.limit == 8


def test_it_never_falls_below_one() -> None:
    pace, clock = ConcurrencyLimit(4), Clock()
    for _ in range(5):
        play_round(pace, clock, answer=RequestOutcome.REFUSED)
    assert pace.limit == 1


def test_it_makes_no_room_while_replies_take_longer_than_usual() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    play_round(pace, clock)
    assert pace.limit == 64
    play_round(pace, clock, answer=RequestOutcome.REFUSED)
    assert pace.limit == 32
    play_round(pace, clock, latency_s=2 * STEADY_S)
    assert pace.limit == 32
    play_round(pace, clock)
    assert pace.limit == 33


def test_a_slower_round_ends_the_fast_opening() -> None:
    pace, clock = ConcurrencyLimit(1024), Clock()
    pace.set_room(10)
    played = [play_round(pace, clock, latency_s) for latency_s in (2.0, 6.0, 2.0, 2.0)]
    assert played == [10, 40, 40, 41]


def test_an_endpoint_that_stays_slower_becomes_the_usual_one() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    play_round(pace, clock)
    play_round(pace, clock, answer=RequestOutcome.REFUSED)
    rounds = 0
    while pace.limit == 32:
        play_round(pace, clock, latency_s=2 * STEADY_S)
        rounds += 1
        assert rounds < 20
    assert DRIFT**rounds * 1.5 >= 2


def test_room_that_nobody_needs_is_not_made() -> None:
    """Two requests at a time say nothing about twenty."""
    pace, clock = ConcurrencyLimit(64), Clock()
    for _ in range(50):
        asks = [pace.begin(clock.now_s) for _ in range(2)]
        clock.now_s += STEADY_S
        for ask in asks:
            pace.end(ask, clock.now_s, RequestOutcome.REPLIED)
    assert pace.limit == 16


def test_failures_of_another_kind_say_nothing() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    for _ in range(10):
        play_round(pace, clock, answer=RequestOutcome.UNCLEAR)
    assert pace.limit == 16
    assert not pace.cuts


def test_the_endpoint_is_left_alone_as_long_as_it_asks() -> None:
    pace, clock = ConcurrencyLimit(16), Clock()
    pace.end(pace.begin(clock.now_s), clock.now_s, RequestOutcome.REFUSED, wait_s=7.0)
    assert not pace.has_room(clock.now_s + 6.9)
    assert pace.has_room(clock.now_s + 7.0)
    pace.end(pace.begin(clock.now_s), clock.now_s, RequestOutcome.REFUSED, wait_s=LONGEST_CLOSED_S)
    assert not pace.has_room(clock.now_s + LONGEST_CLOSED_S - 0.1)
    assert pace.has_room(clock.now_s + LONGEST_CLOSED_S)


def test_who_asks_for_an_hour_is_not_waited_for() -> None:
    """Their attempts give up by themselves, and the run ends with that sentence."""
    pace, clock = ConcurrencyLimit(16), Clock()
    pace.end(pace.begin(clock.now_s), clock.now_s, RequestOutcome.REFUSED, wait_s=3600.0)
    assert pace.has_room(clock.now_s)


def test_a_lower_limit_of_the_submitter_holds_at_once() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    grow(pace, clock, 64)
    pace.allow(8)
    assert pace.limit == 8
    assert play_round(pace, clock) == 8
    pace.allow(32)
    assert pace.limit == 8


@pytest.mark.parametrize("seed", range(20))
def test_it_never_exceeds_the_limit_whatever_happens(seed: int) -> None:
    """Random orders of random answers; the limit changes now and then."""
    chance = random.Random(seed)
    pace, clock = ConcurrencyLimit(chance.randint(1, 40)), Clock()
    asks = []
    for _ in range(3000):
        clock.now_s += chance.random()
        if chance.random() < 0.01:
            pace.allow(chance.randint(1, 40))
        if pace.has_room(clock.now_s):
            asks.append(pace.begin(clock.now_s))
            assert pace.under_way <= pace.limit
        elif asks:
            ask = asks.pop(chance.randrange(len(asks)))
            answers = (RequestOutcome.REPLIED,) * 40 + (
                RequestOutcome.REFUSED,
                RequestOutcome.UNCLEAR,
            )
            pace.end(ask, clock.now_s, chance.choice(answers), chance.choice([None, 0.5]))
        assert 1 <= pace.limit <= pace.most
        assert pace.under_way == len(asks)
        assert pace.highest >= pace.limit


def test_the_room_settles_around_what_an_endpoint_takes() -> None:
    """One that refuses whatever goes beyond twenty at once."""
    pace, clock = ConcurrencyLimit(64), Clock()
    seen = []
    for _ in range(200):
        asks = []
        while pace.has_room(clock.now_s):
            asks.append(pace.begin(clock.now_s))
        clock.now_s += STEADY_S
        for place, ask in enumerate(asks):
            pace.end(
                ask, clock.now_s, RequestOutcome.REPLIED if place < 20 else RequestOutcome.REFUSED
            )
        seen.append(pace.limit)
    assert min(seen[10:]) >= 10
    assert max(seen[10:]) <= 21
